// One node that loses a neighbour and finds it again, step by step: the test plays all others.

#include <string>
#include <vector>

#include "tests/support/event_callback.hpp"
#include "tests/support/scripted_network.hpp"
#include <gtest/gtest.h>

#include "gossamer/member/edges/upkeep.hpp"
#include "gossamer/topology/registry.hpp"

namespace gossamer::testing {
namespace {

constexpr NodeId kRing = 5;
constexpr NodeId kOther = 2;

/// Sends something to everybody, and keeps nothing.
class Chatter final : public Algorithm {
 public:
  void after_gradient(Node& node, CVec) override {
    node.broadcast(node.write([](ByteWriter& out) { out.write(std::uint8_t{1}); }));
    (void)node.gather();
  }
};

/// Node 1 or 3 of a ring, whose neighbour 2 is lost and comes back. The other neighbour is there
/// all the time.
class JoiningNode : public ::testing::TestWithParam<NodeId> {
 protected:
  JoiningNode() : network_(GetParam(), kRing) {
    host_.listen([this](const Aside& aside) { return upkeep_.hear_in_round(aside); });
  }

  void arrives(Arrival::Kind kind, NodeId from, const Message& message = {},
               const std::string& reason = {}) {
    network_.arrives({kind, from, node_.round(), message, reason});
  }

  void message_from(NodeId peer) {
    ByteWriter out = Message::writer();
    out.write(std::uint8_t{1});
    arrives(Arrival::Kind::kMessage, peer, Message(std::move(out)));
  }

  void is_lost() { arrives(Arrival::Kind::kPeerLost, kOther, {}, "it was killed"); }

  void is_back() { arrives(Arrival::Kind::kPeerBack, kOther); }

  void asks(const std::string& seed = "1") {
    arrives(Arrival::Kind::kAside, kOther, make_aside(AsideKind::kRollCall, [&](ByteWriter& out) {
              out.write(std::uint32_t{1});
              out.write(kOther);
              presence(seed).write(out);
            }));
  }

  void takes_leave() {
    arrives(Arrival::Kind::kAside, kOther, make_aside(AsideKind::kFarewell, [](ByteWriter& out) {
              out.write_text("it has ended");
            }));
  }

  void accepts(Round round) {
    arrives(Arrival::Kind::kAside, kOther, make_aside(AsideKind::kAcceptance, [&](ByteWriter& out) {
              out.write(round);
              out.write(std::uint8_t{0});
            }));
  }

  void offers_to_join_in(Round round) {
    arrives(Arrival::Kind::kAside, kOther, make_aside(AsideKind::kOffer, [&](ByteWriter& out) {
              out.write(round);
              out.write(LiveEdges::Generation{2});
            }));
  }

  void take_round() {
    upkeep_.between_rounds();
    exchange();
  }

  /// The round itself; what the test has said before arrives in the midst of it.
  void exchange() {
    message_from(third());
    chatter_.after_gradient(node_, CVec(nullptr, 0));
    node_.end_round();
  }

  /// The edge ends, with nothing left to settle.
  void go_on_without_it() {
    message_from(kOther);
    take_round();
    is_lost();
    take_round();
    ASSERT_FALSE(host_.membership()->has(kOther));
  }

  [[nodiscard]] std::size_t asides_to_it(AsideKind kind) const {
    std::size_t count = 0;
    for (const auto& sent : network_.sent()) {
      const bool is_one = sent.to == kOther && sent.kind == FrameKind::kAside &&
                          sent.message.payload()[0] == static_cast<std::uint8_t>(kind);
      if (is_one) ++count;
    }
    return count;
  }

  /// All that this node has told of joins that came to nothing.
  template <typename Happening>
  [[nodiscard]] std::vector<Happening> told() const {
    std::vector<Happening> found;
    for (const Event& event : told_) {
      if (const Happening* const what = std::get_if<Happening>(&event.what)) found.push_back(*what);
    }
    return found;
  }

  [[nodiscard]] std::size_t offers() const { return asides_to_it(AsideKind::kOffer); }

  [[nodiscard]] static Presence presence(const std::string& seed) {
    return {.settings = {{"seed", seed}}};
  }

  static NodeHost& going_on(NodeHost& host) {
    host.go_on_without_lost(std::chrono::hours(1));
    return host;
  }

  [[nodiscard]] NodeId third() const { return node_.id() == 1 ? 0 : 4; }

  ScriptedNetwork network_;
  std::unique_ptr<Topology> topology_ = std::move(make_topology("ring", kRing, 0)).value();
  Layout layout_ = Layout::flat(1);
  std::vector<Event> told_;
  EventCallback sink_{[this](const Event& event) { told_.push_back(event); }};
  NodeHost host_{{.network = network_, .topology = *topology_, .layout = layout_}, &sink_};
  Node& node_ = host_.node();
  Chatter chatter_;
  Upkeep upkeep_{{.host = going_on(host_),
                  .algorithm = chatter_,
                  .audit_every = 0,
                  .patience = std::chrono::hours(1),
                  .own = presence("1"),
                  .show_model = [](StateVisitor&) {}}};
};

// A node that dies soon after it started leaves roll calls behind that are read after its loss.
TEST_P(JoiningNode, WhatALostNodeHadAskedIsForgotten) {
  asks();
  message_from(kOther);
  is_lost();
  exchange();
  take_round();
  take_round();
  EXPECT_FALSE(host_.membership()->has(kOther));
  EXPECT_EQ(offers(), 0u) << "to a node that is lost";
  is_back();
  asks();
  take_round();
  EXPECT_EQ(offers(), 1u);
}

TEST_P(JoiningNode, AnOfferThatWasLostIsMadeAgain) {
  go_on_without_it();
  is_back();
  asks();
  take_round();
  EXPECT_EQ(offers(), 1u);
  is_lost();
  is_back();
  asks();
  take_round();
  EXPECT_EQ(offers(), 2u);
  EXPECT_EQ(told<JoinFailed>(), std::vector({JoinFailed{kOther, "it was lost again"}}));
}

TEST_P(JoiningNode, NobodyWaitsForCopiesOfANodeThatHasStartedAgain) {
  go_on_without_it();
  is_back();
  asks();
  take_round();
  accepts(node_.round() + 1);
  take_round();
  is_lost();
  is_back();
  asks();
  take_round();
  EXPECT_EQ(asides_to_it(AsideKind::kCopy), 0u);
  EXPECT_EQ(offers(), 2u);
}

TEST_P(JoiningNode, WhoDoesNotAgreeIsNotAskedAgain) {
  go_on_without_it();
  is_back();
  take_round();
  asks("another");
  const std::size_t before = offers();  // the lower end has asked as soon as it could
  accepts(node_.round() + 1);
  take_round();
  take_round();
  EXPECT_EQ(asides_to_it(AsideKind::kRefusal), 1u);
  EXPECT_EQ(asides_to_it(AsideKind::kCopy), 0u);
  EXPECT_EQ(offers(), before);
  ASSERT_EQ(told<JoinRefused>().size(), 1u);
  EXPECT_EQ(told<JoinRefused>().front().peer, kOther);
  EXPECT_NE(told<JoinRefused>().front().reason.find("seed is 'another' there and '1' here"),
            std::string::npos)
      << told<JoinRefused>().front().reason;
  is_lost();
  is_back();
  asks();
  take_round();
  EXPECT_EQ(offers(), before + 1);
}

// Whoever is refused says why it ends. That ends a run whose part it is, and no other.
TEST_P(JoiningNode, GoesOnWhenOneThatIsNotPartOfTheRunTakesLeave) {
  go_on_without_it();
  is_back();
  asks("another");
  take_round();
  takes_leave();
  EXPECT_NO_THROW(take_round());
}

TEST_P(JoiningNode, EndsWhenANeighbourTakesLeave) {
  message_from(kOther);
  take_round();
  takes_leave();
  EXPECT_THROW(take_round(), RunEnded);
}

// The acceptance overtakes the other's offer, since it is heard in the midst of a round.
TEST_P(JoiningNode, OfTwoThatOfferTheLowerOnesOfferCounts) {
  go_on_without_it();
  is_back();
  asks();
  upkeep_.between_rounds();
  ASSERT_EQ(offers(), 1u);
  const Round round = node_.round() + 2;
  offers_to_join_in(round);
  if (node_.id() < kOther) accepts(round + 1);
  exchange();
  take_round();
  EXPECT_EQ(asides_to_it(AsideKind::kAcceptance), node_.id() < kOther ? 0u : 1u);
}

// Nobody was lost, so that nobody comes back.
TEST_P(JoiningNode, OfTwoThatReachEachOtherAllTheTimeTheLowerOneAsks) {
  message_from(kOther);
  take_round();
  take_round();  // its message does not come, for as long as this node waits
  ASSERT_FALSE(host_.membership()->has(kOther));
  take_round();
  take_round();
  EXPECT_EQ(offers(), node_.id() < kOther ? 1u : 0u);
}

INSTANTIATE_TEST_SUITE_P(BothEnds, JoiningNode, ::testing::Values(1, 3),
                         [](const auto& tested) { return "Node" + std::to_string(tested.param); });

}  // namespace
}  // namespace gossamer::testing
