// What people read of events.

#include "gossamer/events/sentence.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "tests/events/made_events.hpp"
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

TEST(Sentence, OfEachKindIsWhatPeopleRead) {
  const std::vector<std::string> sentences = {
      "node 2 has completed 1200 rounds, loss 0.25, 4096 bytes sent",
      "after 1200 rounds the loss is 0.375, 1048576 bytes sent per node",
      "link to node 3 is down: its connection was reset",
      "link to node 3 is up again after 1.2 s",
      "refused 203.0.113.9:51234: it does not begin with a hello (12 more since the last such "
      "line)",
      "node 3 is lost: it was silent for 10.0 s",
      "node 3 is back",
      "node 2 lost node 3 in round 1200 and goes on without it: it was silent for 10.0 s",
      "node 3 is back: node 2 goes on with it from round 1200",
      "node 3 and node 2 do not agree: seed is '2' there and '1' here; all nodes must be started "
      "with the same settings",
      "node 2 could not join node 3 again: its copies did not come",
      "node 2 joins the run in round 1200 with its own checkpoint of round 1000",
      "node 2 held something else of node 3 than it should before round 1200; it has been put "
      "right",
      "waiting for node 3 (its connection was refused), node 7 (nothing was heard of it); 5 s so "
      "far",
      "the link of node 3 holds the run: node 2 waits for 75 % of the time",
      "node 2 saved a checkpoint after 1200 rounds: 1234567 bytes in 0.125 s",
      "node 2 of 8 begins with round 1200 of 5000",
      "node 2 recorded 2 spans of time",
      "warning: gamma is larger than theory allows",
      "node 2 lost node 3 in round 1200; start it again with --resume",
      "node 2 has ended after 1200 rounds: finished",
  };
  const std::vector<Event> events = made_events();
  ASSERT_EQ(events.size(), sentences.size());
  for (std::size_t i = 0; i < events.size(); ++i)
    EXPECT_EQ(sentence_of(events[i]), sentences[i]);
}

TEST(Sentence, LeavesOutWhatIsNotKnown) {
  EXPECT_EQ(sentence_of(at_node_2(RoundDone{std::nullopt, 7})),
            "node 2 has completed 1200 rounds, 7 bytes sent");
  EXPECT_EQ(sentence_of(at_node_2(Measured{})), "after 0 rounds 0 bytes sent per node");
  EXPECT_EQ(sentence_of(at_node_2(CallerRefused{"10.0.0.1:5", "it lied", 0})),
            "refused 10.0.0.1:5: it lied");
  EXPECT_EQ(sentence_of(at_node_2(Joined{std::nullopt})),
            "node 2 joins the run in round 1200 with a neighbour's model");
  EXPECT_EQ(sentence_of(at_node_2(Failed{"diverged", "loss", "the run has diverged", ""})),
            "the run has diverged");
}

TEST(Sentence, OfASlowPeerSaysWhoseLinkOrComputationItIs) {
  using Cause = SlowPeer::Cause;
  EXPECT_EQ(sentence_of(at_node_2(SlowPeer{3, std::nullopt, Cause::kComputation, 0.75})),
            "the computation of node 3 holds the run: node 2 waits for 75 % of the time");
  EXPECT_EQ(sentence_of(at_node_2(SlowPeer{3, 2, Cause::kLink, 0.75})),
            "the link between node 3 and node 2 holds the run: node 2 waits for 75 % of the time");
  EXPECT_EQ(sentence_of(at_node_2(SlowPeer{2, std::nullopt, Cause::kLink, 0.75})),
            "the link of node 2 holds the run: those who wait for it do so for 75 % of the time");
}

TEST(Sentence, OfWaitingForManyNamesSome) {
  Waiting waiting{{}, 10.0};
  for (NodeId peer = 0; peer < 6; ++peer)
    waiting.peers.push_back({peer, "it did not come"});
  EXPECT_EQ(sentence_of(at_node_2(waiting)),
            "waiting for node 0 (it did not come), node 1 (it did not come), node 2 (it did not "
            "come), node 3 (it did not come) and 2 more; 10 s so far");
}

TEST(Sentence, OfConsensusNamesItsError) {
  Measurement measurement;
  measurement.round = 10;
  measurement.error = 0.5;
  EXPECT_EQ(sentence_of(at_node_2(Measured{measurement})),
            "after 10 rounds the consensus error is 0.5, 0 bytes sent per node");
}

// Every text of an event may be what a caller or a peer sent.
TEST(Sentence, NeverHasAControlCharacter) {
  const std::string said = "\x1b]0;owned\x07\n\r\x7f\xc2\x9b\x9b";
  const std::vector<Event> events = {
      at_node_2(LinkDown{3, said}),    at_node_2(CallerRefused{said, said, 0}),
      at_node_2(PeerLost{3, said}),    at_node_2(EdgeLost{3, said}),
      at_node_2(JoinRefused{3, said}), at_node_2(JoinFailed{3, said}),
      at_node_2(Warned{said}),         at_node_2(Failed{said, said, said, said}),
      at_node_2(Ended{said}),          at_node_2(Waiting{{{3, said}}, 1.0}),
  };
  for (const Event& event : events) {
    const std::string sentence = sentence_of(event);
    EXPECT_NE(sentence.find(R"(\x1b]0;owned\x07\x0a\x0d\x7f\xc2\x9b\x9b)"), std::string::npos)
        << sentence;
    EXPECT_TRUE(std::ranges::all_of(sentence, [](char c) { return c >= ' ' && c < '\x7f'; }));
  }
}

}  // namespace
}  // namespace gossamer::testing
