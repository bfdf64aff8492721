// One node that has ended, or soon will, step by step: the test plays all others.

#include "gossamer/member/last_call.hpp"

#include <map>
#include <string>
#include <vector>

#include "tests/support/scripted_network.hpp"
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/topology/registry.hpp"

namespace gossamer::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Failure divergence_of(NodeId node, Round round) {
  return {Failure::Kind::kDiverged, node, round, "loss", fmt::format("node {} diverged", node)};
}

Failure loss_of(NodeId node, Round round) {
  return {Failure::Kind::kLost, node, round, "message", fmt::format("node {} lost one", node)};
}

/// Nothing of a node that is gone.
using Told = std::map<NodeId, std::optional<Failure>>;

Message aside_of(const Told& told) {
  return make_aside(AsideKind::kEnded, [&](ByteWriter& out) {
    out.write(static_cast<std::uint32_t>(told.size()));
    for (const auto& [id, failure] : told) {
      out.write(id);
      out.write(static_cast<std::uint8_t>(failure ? 0 : 1));
      out.write(static_cast<std::uint8_t>(failure ? 1 : 0));
      if (!failure) continue;
      out.write(static_cast<std::uint8_t>(failure->kind));
      out.write(failure->round);
      out.write_text(failure->quantity);
      out.write_text(failure->sentence);
    }
  });
}

/// Node 1 of a chain: its neighbours are 0 and 2, and all others are behind 2.
class LastCallOnChain : public ::testing::Test {
 protected:
  LastCallOnChain() {
    host_.listen([this](const Aside& aside) {
      call_.hear(aside);
      return false;
    });
  }

  void says(NodeId from, const Message& aside) {
    network_.arrives({Arrival::Kind::kAside, from, 0, aside, {}});
  }

  void ended(NodeId from, const Told& told) { says(from, aside_of(told)); }

  void is_lost(NodeId peer) {
    network_.arrives({Arrival::Kind::kPeerLost, peer, 0, {}, "it was killed"});
  }

  /// All that has arrived, as in the midst of a round.
  void take_in() {
    while (host_.node().take_in(Time{})) {
    }
  }

  /// The endings that a neighbour was told, in the order of asides.
  [[nodiscard]] std::vector<std::vector<NodeId>> told(NodeId neighbour) const {
    std::vector<std::vector<NodeId>> all;
    for (const ScriptedNetwork::Sent& sent : network_.sent()) {
      if (sent.to != neighbour) continue;
      ByteReader in(sent.message.payload().subspan(1));
      std::vector<NodeId>& nodes = all.emplace_back();
      for (auto left = in.read<std::uint32_t>(); left > 0; --left) {
        nodes.push_back(in.read<NodeId>());
        (void)in.read<std::uint8_t>();
        if (in.read<std::uint8_t>() == 0) continue;
        (void)in.read<std::uint8_t>();
        (void)in.read<Round>();
        (void)in.read_text();
        (void)in.read_text();
      }
    }
    return all;
  }

  ScriptedNetwork network_{1, 5};
  std::unique_ptr<Topology> chain_ = std::move(make_topology("chain", 5, 0)).value();
  Layout layout_ = Layout::flat(1);
  NodeHost host_{{.network = network_, .topology = *chain_, .layout = layout_}};
  LastCall call_{{.host = host_, .graph = graph_of(*chain_), .patience = std::chrono::hours(1)}};
};

TEST_F(LastCallOnChain, EndsWithTheFirstCauseOfAllAndPassesOnWhatIsNew) {
  ended(2, {{2, loss_of(2, 3)}});
  ended(0, {{0, loss_of(0, 6)}});
  ended(2, {{3, divergence_of(3, 4)}, {4, divergence_of(4, 4)}});
  const Failure cause = call_.conclude(divergence_of(1, 5));
  EXPECT_EQ(cause.kind, Failure::Kind::kDiverged);
  EXPECT_EQ(cause.node, 3u);
  EXPECT_EQ(cause.round, 4u);
  EXPECT_EQ(cause.quantity, "loss");
  EXPECT_EQ(cause.sentence, "node 3 diverged");
  EXPECT_THAT(told(0), ElementsAre(ElementsAre(1), ElementsAre(2), ElementsAre(3, 4)));
  EXPECT_THAT(told(2), ElementsAre(ElementsAre(1), ElementsAre(0)));
}

TEST_F(LastCallOnChain, IsSilentUntilItHasEnded) {
  EXPECT_FALSE(call_.has_begun());
  ended(2, {{2, divergence_of(2, 3)}, {3, std::nullopt}});
  take_in();
  EXPECT_TRUE(call_.has_begun());
  EXPECT_THAT(network_.sent(), IsEmpty());
  ended(0, {{0, loss_of(0, 4)}});
  EXPECT_EQ(call_.conclude(loss_of(1, 3)).node, 2u);
  EXPECT_THAT(told(0).front(), ElementsAre(1, 2, 3));
}

TEST_F(LastCallOnChain, HasAllMessagesOfOneThatHasEndedAndMissesTheNext) {
  for (int i = 0; i < 2; ++i)
    network_.arrives({Arrival::Kind::kMessage, 0, 0, Message(Message::writer()), {}});
  network_.arrives({Arrival::Kind::kMessage, 2, 0, Message(Message::writer()), {}});
  ended(2, {{2, divergence_of(2, 1)}});
  take_in();
  EXPECT_EQ(host_.node().gather().size(), 2u);
  host_.node().end_round();
  try {
    (void)host_.node().gather();
    FAIL();
  } catch (const NeighbourLost& lost) {
    EXPECT_EQ(lost.neighbour, 2u);
    EXPECT_EQ(lost.reason, NeighbourLost::Reason::kEnded);
  }
}

TEST_F(LastCallOnChain, WaitsNeitherForOneThatIsGoneNorForThoseBehindIt) {
  ended(0, {{0, divergence_of(0, 7)}});
  is_lost(2);
  ended(0, {});  // what is beyond that is not waited for: it stays unread
  EXPECT_EQ(call_.conclude(loss_of(1, 8)).node, 0u);
  EXPECT_THAT(told(0), ElementsAre(ElementsAre(1), ElementsAre(2)));
  EXPECT_NE(network_.receive(Time{}).kind, Arrival::Kind::kTimedOut);
}

TEST_F(LastCallOnChain, KnowsAsGoneWhoWasLostBefore) {
  is_lost(2);
  take_in();
  ended(0, {{0, loss_of(0, 3)}});
  ended(0, {});
  EXPECT_EQ(call_.conclude(divergence_of(1, 2)).node, 1u);
  EXPECT_NE(network_.receive(Time{}).kind, Arrival::Kind::kTimedOut);
}

// It passes nothing on any more: those behind it may have told it, but will not tell this node.
TEST_F(LastCallOnChain, WaitsForNobodyBehindOneThatIsKilledAfterItsWord) {
  ended(0, {{0, loss_of(0, 3)}});
  ended(2, {{2, divergence_of(2, 2)}});
  is_lost(2);
  ended(0, {});
  EXPECT_EQ(call_.conclude(loss_of(1, 3)).node, 2u);
  EXPECT_THAT(told(0), ElementsAre(ElementsAre(1), ElementsAre(2), ElementsAre(2)));
  EXPECT_NE(network_.receive(Time{}).kind, Arrival::Kind::kTimedOut);
}

TEST_F(LastCallOnChain, DoesNotBelieveThatItIsGone) {
  ended(2, {{1, std::nullopt}, {2, loss_of(2, 3)}, {3, loss_of(3, 3)}, {4, loss_of(4, 3)}});
  ended(0, {{0, divergence_of(0, 2)}});
  EXPECT_EQ(call_.conclude(loss_of(1, 3)).node, 0u);
}

TEST_F(LastCallOnChain, HoldsTheWordOfANodeAboveThatItIsGone) {
  ended(2, {{2, loss_of(2, 9)}, {3, loss_of(3, 9)}, {4, std::nullopt}});
  ended(0, {{0, loss_of(0, 9)}, {4, divergence_of(4, 2)}});
  EXPECT_EQ(call_.conclude(loss_of(1, 9)).node, 4u);
  EXPECT_THAT(told(2), ElementsAre(ElementsAre(1), ElementsAre(0, 4))) << "it is news there";
}

TEST_F(LastCallOnChain, HoldsItWhateverIsSaidLater) {
  ended(0, {{4, divergence_of(4, 2)}});
  ended(2, {{2, loss_of(2, 9)}, {3, loss_of(3, 9)}, {4, std::nullopt}});
  ended(0, {{0, loss_of(0, 9)}});
  EXPECT_EQ(call_.conclude(loss_of(1, 9)).node, 4u);
}

TEST_F(LastCallOnChain, GoesOnWaitingWhenSomebodySaysFarewell) {
  ended(2, {{2, loss_of(2, 3)}, {3, loss_of(3, 3)}});
  says(0, make_aside(AsideKind::kFarewell, [](ByteWriter& out) { out.write_text("I go"); }));
  ended(2, {{4, divergence_of(4, 2)}});
  is_lost(0);
  EXPECT_EQ(call_.conclude(loss_of(1, 3)).node, 4u);
}

TEST_F(LastCallOnChain, EndsWithWhatItKnowsWhenOthersStaySilent) {
  ended(2, {{2, divergence_of(2, 3)}});
  EXPECT_EQ(call_.conclude(loss_of(1, 3)).node, 2u);  // time is up where nothing arrives
}

TEST_F(LastCallOnChain, TakesWhatIsBrokenAsNotSaid) {
  const Message whole = aside_of({{2, divergence_of(2, 3)}});
  const ByteView bytes = whole.payload();
  for (std::size_t size = 1; size < bytes.size(); ++size) {
    ByteWriter out = Message::writer();
    out.write_bytes(bytes.first(size));
    says(2, Message(std::move(out)));
  }
  Failure of_no_kind = divergence_of(2, 3);
  of_no_kind.kind = static_cast<Failure::Kind>(6);
  ended(2, {{2, of_no_kind}});
  ended(2, {{5, divergence_of(5, 3)}});
  take_in();
  EXPECT_FALSE(call_.has_begun());
  EXPECT_EQ(call_.conclude(loss_of(1, 3)).node, 1u);
}

}  // namespace
}  // namespace gossamer::testing
