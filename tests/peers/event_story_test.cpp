// What the events.jsonl of all peers tell of a run in which a copy went wrong, and a peer was
// killed and came back.
#include <algorithm>
#include <cstdint>
#include <fstream>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "tests/network/cutting_proxy.hpp"
#include "tests/peers/lost_and_back.hpp"
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/base/file.hpp"
#include "gossamer/events/event_json.hpp"
#include "gossamer/wire/digest.hpp"

namespace gossamer::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr NodeId kGone = LostAndBack::kKilled;
constexpr Round kFirstRounds = 40;
constexpr Round kAllRounds = 4000;
constexpr Round kSaveEvery = 50;

/// The events that a peer's file tells, some at a time.
class EventDiary {
 public:
  EventDiary(const std::string& run, NodeId node)
      : file_(fmt::format("{}/node-{:05}/events.jsonl", run, node)), node_(node) {}

  /// Those since the last call.
  std::vector<Event> read_on() {
    std::vector<Event> events;
    file_.clear();
    for (std::string line; std::getline(file_, line);) {
      // Of a process that was killed.
      if (file_.eof()) break;
      const Result<Event> event = parse_event(line);
      if (!event) {
        ADD_FAILURE() << line << ": " << event.error().message;
        continue;
      }
      EXPECT_EQ(event.value().node, node_) << line;
      events.push_back(event.value());
    }
    return events;
  }

 private:
  std::ifstream file_;
  NodeId node_;
};

/// Its kind, and of whom it tells.
std::string headline(const Event& event) {
  return std::visit(
      [&](const auto& what) {
        const std::string kind(name_of(event.kind()));
        if constexpr (requires { what.peer; })
          return fmt::format("{} {}", kind, what.peer);
        else
          return kind;
      },
      event.what);
}

std::vector<std::string> headlines(const std::vector<Event>& events) {
  std::vector<std::string> all;
  std::ranges::transform(events, std::back_inserter(all), headline);
  return all;
}

/// The first of those with such a headline; something else, and a failure, if there is none.
Event told(const std::vector<Event>& events, const std::string& wanted) {
  const auto found = std::ranges::find(events, wanted, headline);
  if (found != events.end()) return *found;
  ADD_FAILURE() << "nothing tells of " << wanted << " among "
                << ::testing::PrintToString(headlines(events));
  return {};
}

/// All of these, one after the other, whatever stands between them.
void expect_story(const std::vector<Event>& events, const std::vector<std::string>& story) {
  auto place = events.begin();
  Time last{};
  for (const std::string& wanted : story) {
    place = std::ranges::find(place, events.end(), wanted, headline);
    ASSERT_TRUE(place != events.end()) << wanted << " is missing, or came too early, among "
                                       << ::testing::PrintToString(headlines(events));
    EXPECT_GE(place->time, last) << wanted << " has a time before that of what came before it";
    last = place->time;
    ++place;
  }
}

template <typename Happening>
Happening what_of(const Event& event) {
  const Happening* const what = std::get_if<Happening>(&event.what);
  EXPECT_NE(what, nullptr) << to_json(event);
  return what == nullptr ? Happening{} : *what;
}

/// As a disk or a memory would break it: the checkpoint says something else of a neighbour, and
/// nobody can tell from the file.
void spoil_copy(const std::string& run, NodeId node, NodeId of, Round round) {
  const std::string path =
      fmt::format("{0}/node-{1:05}/checkpoints/round-{2:09}/node-{1:05}.ckpt", run, node, round);
  std::string bytes = file_text(path);
  const std::string name = fmt::format("replica_{}", of);
  const std::size_t found = bytes.find(name);
  ASSERT_NE(found, std::string::npos) << path;
  // Behind the name stands how many numbers there are; of the first, the lowest bit.
  bytes[found + name.size() + sizeof(std::uint64_t)] ^= 1;
  const auto* const begin = reinterpret_cast<const std::uint8_t*>(bytes.data());
  const std::size_t body = bytes.size() - sizeof(std::uint64_t);
  const std::uint64_t digest = digest_of(ByteView(begin, body));
  for (std::size_t i = 0; i < sizeof digest; ++i)
    bytes[body + i] = static_cast<char>(digest >> (8 * i));
  const auto* const spoilt = reinterpret_cast<const std::uint8_t*>(bytes.data());
  ASSERT_TRUE(write_file(path, ByteView(spoilt, bytes.size())));
}

Arguments story_settings() {
  return LostAndBack::drop() +
         Arguments{"--task",  "quadratic", "--dim",         "20",    "--noise",      "0.1",
                   "--lr",    "0.001",     "--algorithm",   "choco", "--compressor", "sign",
                   "--gamma", "0.2",       "--audit-every", "10",    "--json"};
}

/// Everybody has told how it began and how it ended, each in its last life.
void expect_began_and_finished(const std::vector<Event>& events) {
  expect_story(events, {"began", "measured", "ended"});
  const Began began = what_of<Began>(told(events, "began"));
  EXPECT_EQ(began.nodes, LostAndBack::kPeers);
  EXPECT_EQ(began.rounds, kAllRounds);
  EXPECT_EQ(began.from, told(events, "began").round);
  EXPECT_GT(began.unix_time, 0.0);
  ASSERT_THAT(events, Not(IsEmpty()));
  EXPECT_EQ(events.back().round, kAllRounds);
  EXPECT_EQ(what_of<Ended>(events.back()).outcome, "finished");
  const CheckpointSaved saved = what_of<CheckpointSaved>(told(events, "checkpoint"));
  EXPECT_GT(saved.bytes, 0u);
  EXPECT_GE(saved.seconds, 0.0);
  EXPECT_EQ(what_of<Measured>(told(events, "measured")).measurement.round,
            told(events, "measured").round);
}

TEST(EventStory, TellsOfARepairAKillAndAReturn) {
  constexpr NodeId kWithWrongCopy = 1;
  constexpr NodeId kWronged = 0;
  LostAndBack peers;
  const std::string run = peers.path("run");
  const Arguments settings = story_settings();
  expect_all_ended_with(
      0, peers.cluster().run(settings + Arguments{"--rounds", fmt::format("{}", kFirstRounds),
                                                  "--run-dir", run, "--checkpoint-every",
                                                  fmt::format("{}", kSaveEvery)}));
  std::vector<EventDiary> diaries;
  for (NodeId node = 0; node < LostAndBack::kPeers; ++node) {
    diaries.emplace_back(run, node);
    const std::vector<Event> events = diaries.back().read_on();
    expect_story(events, {"began", "checkpoint", "ended"});
    EXPECT_EQ(events.front().round, 0u);
  }

  spoil_copy(run, kWithWrongCopy, kWronged, kFirstRounds);
  const Arguments resumed = {"--resume", run, "--rounds", fmt::format("{}", kAllRounds), "--json"};
  peers.start_all(resumed);
  peers.kill_one(100);
  const std::vector<Event> life_that_was_killed = diaries[kGone].read_on();
  peers.start_again(resumed);
  expect_all_ended_with(0, peers.cluster().finish_all());

  std::vector<std::vector<Event>> told_by;
  for (EventDiary& diary : diaries)
    told_by.push_back(diary.read_on());
  for (const std::vector<Event>& events : told_by)
    expect_began_and_finished(events);

  // The one with the wrong copy, and nobody else, was put right before the first round.
  expect_story(told_by[kWithWrongCopy], {"began", fmt::format("copy-repaired {}", kWronged),
                                         fmt::format("link-down {}", kGone)});
  EXPECT_EQ(told(told_by[kWithWrongCopy], fmt::format("copy-repaired {}", kWronged)).round,
            kFirstRounds);
  for (NodeId node = 0; node < LostAndBack::kPeers; ++node) {
    EXPECT_EQ(std::ranges::count(told_by[node], EventKind::kCopyRepaired, &Event::kind),
              node == kWithWrongCopy ? 1 : 0);
  }

  // The one that was killed could not tell of it, and tells how it came back.
  expect_story(life_that_was_killed, {"began"});
  EXPECT_EQ(told(life_that_was_killed, "began").round, kFirstRounds);
  EXPECT_EQ(std::ranges::count(life_that_was_killed, EventKind::kEnded, &Event::kind), 0);
  const Event joined = told(told_by[kGone], "joined");
  EXPECT_EQ(what_of<Joined>(joined).checkpoint.value_or(1) % kSaveEvery, 0u);
  EXPECT_EQ(what_of<Began>(told(told_by[kGone], "began")).from, joined.round);

  for (const NodeId side : LostAndBack::kSides) {
    const std::vector<Event>& events = told_by[side];
    expect_story(events,
                 {"began", fmt::format("link-down {}", kGone), fmt::format("peer-lost {}", kGone),
                  fmt::format("edge-lost {}", kGone), fmt::format("peer-back {}", kGone),
                  fmt::format("edge-back {}", kGone), "ended"});
    EXPECT_NE(what_of<LinkDown>(told(events, fmt::format("link-down {}", kGone))).reason, "");
    const Event peer_lost = told(events, fmt::format("peer-lost {}", kGone));
    const Event edge_lost = told(events, fmt::format("edge-lost {}", kGone));
    EXPECT_NE(what_of<PeerLost>(peer_lost).reason, "");
    EXPECT_NE(what_of<EdgeLost>(edge_lost).reason, "");
    EXPECT_GE(edge_lost.round, 100u);

    expect_story(told_by[kGone], {"began", "joined", fmt::format("edge-back {}", side), "ended"});
    // The edge is back at both ends before the same round.
    const Event back = told(events, fmt::format("edge-back {}", kGone));
    const Event back_there = told(told_by[kGone], fmt::format("edge-back {}", side));
    EXPECT_EQ(back.round, back_there.round);
    EXPECT_GT(back.round, edge_lost.round);
    EXPECT_GE(back.round, joined.round);
  }
  for (const NodeId bystander : LostAndBack::kPatient) {
    EXPECT_EQ(std::ranges::count(told_by[bystander], EventKind::kEdgeLost, &Event::kind), 0);
    EXPECT_EQ(std::ranges::count(told_by[bystander], EventKind::kEdgeBack, &Event::kind), 0);
  }
}

TEST(EventStory, TellsOfAPeerThatCameBackAsSomebodyElse) {
  LostAndBack peers;
  const std::string run = peers.path("run");
  const std::string other_run = peers.path("other");
  const Arguments settings =
      story_settings() + Arguments{"--rounds", fmt::format("{}", kAllRounds), "--run-dir"};
  peers.start_all(settings + Arguments{run});
  peers.kill_one(100);
  peers.start_again(settings + Arguments{other_run, "--seed", "7"});
  const auto results = peers.cluster().finish_all();
  EXPECT_EQ(results[kGone].exit_code, 2) << results[kGone].err;

  // It leaves as soon as one has refused it.
  std::size_t refusals = 0;
  for (const NodeId side : LostAndBack::kSides) {
    EXPECT_EQ(results[side].exit_code, 0) << results[side].err;
    const std::vector<Event> events = EventDiary(run, side).read_on();
    EXPECT_EQ(events.back().round, kAllRounds);
    for (const Event& event : events) {
      if (event.kind() != EventKind::kJoinRefused) continue;
      ++refusals;
      EXPECT_EQ(what_of<JoinRefused>(event).peer, kGone);
      EXPECT_THAT(what_of<JoinRefused>(event).reason, HasSubstr("seed is '7' there"));
    }
    EXPECT_EQ(std::ranges::count(events, EventKind::kEdgeBack, &Event::kind), 0);
  }
  EXPECT_GE(refusals, 1u);

  const std::vector<Event> of_refused = EventDiary(other_run, kGone).read_on();
  expect_story(of_refused, {"failed", "ended"});
  EXPECT_EQ(what_of<Failed>(told(of_refused, "failed")).kind, "refused");
  EXPECT_THAT(what_of<Failed>(told(of_refused, "failed")).sentence, HasSubstr("seed is '7'"));
  EXPECT_EQ(what_of<Ended>(told(of_refused, "ended")).outcome, "refused");
}

TEST(EventStory, TellsOfLinksThatBreakAndHeal) {
  Cluster cluster(3);
  const std::string run = cluster.path("run");
  CuttingProxy proxy(cluster.port(0), 1, 30'000);
  // One finds the other behind what cuts, and cannot be called itself.
  const DeadPort wall;
  cluster.reroute(1, 0, proxy.port());
  cluster.reroute(0, 1, wall.port());
  const Arguments settings =
      story_settings() + Arguments{"--peer-deadline", "60s", "--rounds", "2000", "--run-dir", run};
  expect_all_ended_with(0, cluster.run(settings));
  EXPECT_GT(proxy.cuts(), 0);
  for (const NodeId node : {0u, 1u}) {
    const NodeId other = 1 - node;
    const std::vector<Event> events = EventDiary(run, node).read_on();
    expect_story(events, {"began", fmt::format("link-down {}", other),
                          fmt::format("link-up {}", other), "ended"});
    EXPECT_GE(what_of<LinkUp>(told(events, fmt::format("link-up {}", other))).seconds_down, 0.0);
    EXPECT_EQ(std::ranges::count(events, EventKind::kPeerLost, &Event::kind), 0);
  }
}

// In one process, where all nodes tell one file.
TEST(EventStory, TellsOfAWarningAndOfAFailure) {
  const TemporaryFolder folder;
  const std::string run = folder.path("run");
  const ProgramResult failed =
      run_program({"train", "--nodes",     "4",     "--task",       "quadratic", "--dim",
                   "100",   "--algorithm", "choco", "--compressor", "topk:0.05", "--gamma",
                   "1",     "--lr",        "0.01",  "--rounds",     "50",        "--loss-limit",
                   "1e-9",  "--run-dir",   run});
  EXPECT_EQ(failed.exit_code, 3) << failed.err;
  std::vector<Event> events;
  std::ifstream file(run + "/events.jsonl");
  for (std::string line; std::getline(file, line);)
    events.push_back(parse_event(line).value());
  EXPECT_THAT(what_of<Warned>(told(events, "warned")).text, HasSubstr("gamma"));
  expect_story(events, {"began", "failed", "ended"});
  const Failed why = what_of<Failed>(told(events, "failed"));
  EXPECT_EQ(why.kind, "diverged");
  EXPECT_THAT(why.sentence, HasSubstr("has diverged"));
  EXPECT_EQ(what_of<Ended>(told(events, "ended")).outcome, "diverged");
}

}  // namespace
}  // namespace gossamer::testing
