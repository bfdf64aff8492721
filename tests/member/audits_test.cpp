// One node that compares copies with its neighbours: the test plays all others.

#include <map>
#include <string>
#include <vector>

#include "tests/support/scripted_network.hpp"
#include <gtest/gtest.h>

#include "gossamer/member/edges/upkeep.hpp"
#include "gossamer/topology/registry.hpp"

namespace gossamer::testing {
namespace {

/// What a neighbour holds of this node is always right; what this node holds is a number for each.
class NumberedCopies final : public Algorithm, public EdgeCopies {
 public:
  void after_gradient(Node&, CVec) override {}

  [[nodiscard]] EdgeCopies* copies() override { return this; }

  [[nodiscard]] std::uint64_t own_digest(NodeId) override { return 7; }

  [[nodiscard]] std::uint64_t copy_digest(NodeId peer) override { return held.at(peer); }

  void write_own(NodeId, ByteWriter& out) override { out.write(std::uint64_t{7}); }

  void read_copy(NodeId peer, ByteReader& in) override { held[peer] = in.read<std::uint64_t>(); }

  std::map<NodeId, std::uint64_t> held = {{0, 100}, {2, 102}};
};

/// Node 1 of a ring, between nodes 0 and 2, before an audit.
class AuditingNode : public ::testing::Test {
 protected:
  AuditingNode() { node_.begin_at(10); }

  template <typename Value>
  void says(NodeId from, AsideKind kind, Value value, Round round = 10) {
    const Message aside = make_aside(kind, [&](ByteWriter& out) { out.write(value); });
    network_.arrives({Arrival::Kind::kAside, from, round, aside, {}});
  }

  void is_content(NodeId from) {
    says(from, AsideKind::kAudit, std::uint64_t{100} + from);
    says(from, AsideKind::kVerdict, std::uint8_t{1});
  }

  /// What this node has told a neighbour of its copy: 1 if it is right.
  [[nodiscard]] std::vector<std::uint8_t> verdicts_to(NodeId peer) const {
    std::vector<std::uint8_t> verdicts;
    for (const auto& sent : network_.sent()) {
      const ByteView payload = sent.message.payload();
      if (sent.to == peer && payload[0] == static_cast<std::uint8_t>(AsideKind::kVerdict))
        verdicts.push_back(payload[1]);
    }
    return verdicts;
  }

  ScriptedNetwork network_{1, 5};
  std::unique_ptr<Topology> topology_ = std::move(make_topology("ring", 5, 0)).value();
  Layout layout_ = Layout::flat(1);
  NodeHost host_{{.network = network_, .topology = *topology_, .layout = layout_}};
  Node& node_ = host_.node();
  NumberedCopies copies_;
  Upkeep upkeep_{{.host = host_,
                  .algorithm = copies_,
                  .audit_every = 10,
                  .patience = std::chrono::hours(1),
                  .rounds = 1000,
                  .show_model = [](StateVisitor&) {}}};
};

TEST_F(AuditingNode, IsContentWithCopiesThatAreEqual) {
  is_content(0);
  is_content(2);
  upkeep_.between_rounds();
  EXPECT_EQ(verdicts_to(0), std::vector<std::uint8_t>{1});
  EXPECT_EQ(verdicts_to(2), std::vector<std::uint8_t>{1});
  EXPECT_EQ(upkeep_.repairs(), 0u);
}

TEST_F(AuditingNode, TakesACopyAnewThatDiffers) {
  is_content(0);
  says(2, AsideKind::kAudit, std::uint64_t{55});
  says(2, AsideKind::kVerdict, std::uint8_t{1});
  says(2, AsideKind::kRepair, std::uint64_t{55});
  upkeep_.between_rounds();
  EXPECT_EQ(verdicts_to(2), std::vector<std::uint8_t>{0});
  EXPECT_EQ(copies_.held.at(2), 55u);
  EXPECT_EQ(upkeep_.repairs(), 1u);
}

// Of an audit that a loss had cut short.
TEST_F(AuditingNode, DoesNotCountAnswersOfAnEarlierRound) {
  says(2, AsideKind::kAudit, std::uint64_t{55}, 9);
  says(2, AsideKind::kVerdict, std::uint8_t{0}, 9);
  is_content(0);
  is_content(2);
  upkeep_.between_rounds();
  EXPECT_EQ(verdicts_to(2), std::vector<std::uint8_t>{1});
  EXPECT_EQ(copies_.held.at(2), 102u);
}

TEST_F(AuditingNode, EndsTheRunIfANeighbourDoesNotAnswer) {
  is_content(0);
  EXPECT_THROW(upkeep_.between_rounds(), NeighbourLost);
}

TEST_F(AuditingNode, HasNoAuditInOtherRounds) {
  node_.begin_at(11);
  upkeep_.between_rounds();
  EXPECT_TRUE(network_.sent().empty());
}

}  // namespace
}  // namespace gossamer::testing
