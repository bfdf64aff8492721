// Members that end because one of them fails: as processes, on a network in memory whose nodes can
// be killed, all end with the failure that a run on threads ends with.

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "tests/support/switchboard.hpp"
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/compress/registry.hpp"
#include "gossamer/member/member.hpp"
#include "gossamer/member/talking_pairs.hpp"
#include "gossamer/network/inproc/inproc.hpp"
#include "gossamer/topology/registry.hpp"

namespace gossamer::testing {
namespace {

constexpr Round kLastRound = 25;

/// Who fails, and after how many rounds.
using Failing = std::map<NodeId, Round>;

struct EndingCase {
  std::string topology;
  NodeId nodes;
  std::string algorithm = "dpsgd";
};

std::string name_of_case(const EndingCase& given) {
  std::string name = given.algorithm + "On" + given.topology + std::to_string(given.nodes);
  std::erase_if(name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; });
  return name;
}

using Plain = std::tuple<Failure::Kind, NodeId, Round, std::string, std::string>;

Plain plain(const Failure& failure) {
  return {failure.kind, failure.node, failure.round, failure.quantity, failure.sentence};
}

/// A run whose nodes do nothing but talk, until some of them fail.
class FailingRun {
 public:
  explicit FailingRun(const EndingCase& given)
      : given_(given),
        topology_(std::move(make_topology(given.topology, given.nodes, 0)).value()),
        graph_(talking_graph(find_algorithm(given.algorithm).value().reach, *topology_)) {}

  [[nodiscard]] NodeId endpoints() const { return graph_.nodes; }

  /// Called on its thread by a node that fails next.
  std::function<void(NodeId)> before_failure = [](NodeId) {};

  /// One node, as a process or as a thread.
  std::optional<Failure> run_node(Network& network, const Failing& failing, bool is_process) const {
    const NodeId id = network.self();
    const bool coordinates = id >= given_.nodes;
    MemberSetup setup{.network = network,
                      .topology = *topology_,
                      .algorithm = given_.algorithm,
                      .method = {.compressor = make_compressor("identity", layout_).value(),
                                 .layout = layout_,
                                 .rounds = kLastRound,
                                 .role = coordinates ? AlgorithmSetup::Role::kCoordinator
                                                     : AlgorithmSetup::Role::kWorker},
                      .rounds = kLastRound,
                      .patience = std::chrono::hours(1)};
    if (is_process) setup.process = among_processes(id);
    try {
      const std::unique_ptr<Member> member = Member::make(setup).value();
      run_rounds(*member, failing);
      // As peers do at the end of a run.
      if (is_process) (void)member->mean_model();
    } catch (const RunFailed& failed) {
      return failed.failure;
    }
    return std::nullopt;
  }

  /// How a run on threads fails.
  [[nodiscard]] std::vector<std::optional<Failure>> on_threads(const Failing& failing) const {
    std::vector<std::optional<Failure>> failures(endpoints());
    run_inproc(endpoints(), [&](Network& network) {
      failures[network.self()] = run_node(network, failing, false);
    });
    return failures;
  }

  /// How each of its processes does; nothing for those that were killed.
  std::vector<std::optional<Failure>> among_peers(const Failing& failing, Switchboard& board) {
    std::vector<std::unique_ptr<Network>> networks;
    for (NodeId id = 0; id < endpoints(); ++id)
      networks.push_back(board.plug_in(id));
    std::vector<std::optional<Failure>> failures(endpoints());
    std::vector<std::jthread> threads;
    for (NodeId id = 0; id < endpoints(); ++id) {
      threads.emplace_back([&, id, own = std::move(networks[id])] {
        try {
          failures[id] = run_node(*own, failing, true);
        } catch (const Killed&) {
        }
      });
    }
    threads.clear();
    return failures;
  }

 private:
  [[nodiscard]] MemberSetup::AmongProcesses among_processes(NodeId id) const {
    MemberSetup::AmongProcesses process;
    for (const NodePair& pair : graph_.pairs) {
      if (pair.a == id) process.partners.push_back(pair.b);
      if (pair.b == id) process.partners.push_back(pair.a);
    }
    process.audit_every = 4;
    return process;
  }

  void run_rounds(Member& member, const Failing& failing) const {
    const Node& node = member.node();
    FloatBuffer u(layout_.size());
    u.view().setZero();
    member.node().x().setZero();
    member.begin();
    while (member.begin_round()) {
      const auto own = failing.find(node.id());
      if (own != failing.end() && own->second == node.round()) {
        before_failure(node.id());
        member.fail(Failure::Kind::kDiverged, "loss",
                    fmt::format("node {} has diverged after {} rounds", node.id(), node.round()));
      }
      if (member.trains()) member.share_gradient(u.view());
      member.end_round(u.view());
    }
  }

  EndingCase given_;
  std::unique_ptr<Topology> topology_;
  Graph graph_;
  Layout layout_ = Layout::flat(3);
};

class EndsTogether : public ::testing::TestWithParam<EndingCase> {};

TEST_P(EndsTogether, WithTheFailureOfThreads) {
  FailingRun run(GetParam());
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    const auto draw = [&](unsigned below) { return static_cast<NodeId>(random() % below); };
    Failing failing;
    for (auto left = 1 + draw(3); left > 0; --left)
      failing[draw(GetParam().nodes)] = 1 + draw(kLastRound - 1);
    const auto first = std::ranges::min_element(
        failing, {}, [](const auto& one) { return std::pair(one.second, one.first); });
    const auto of_threads = run.on_threads(failing);
    const std::optional<Failure> cause = first_cause(of_threads);
    ASSERT_TRUE(cause);
    EXPECT_EQ(cause->kind, Failure::Kind::kDiverged);
    EXPECT_EQ(cause->node, first->first);
    EXPECT_EQ(cause->round, first->second);
    Switchboard board(run.endpoints(), seed);
    const auto of_peers = run.among_peers(failing, board);
    for (NodeId id = 0; id < run.endpoints(); ++id) {
      ASSERT_TRUE(of_peers[id]) << "node " << id << ", seed " << seed;
      EXPECT_EQ(plain(*of_peers[id]), plain(*cause)) << "node " << id << ", seed " << seed;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Graphs, EndsTogether,
    ::testing::Values(EndingCase{"ring", 3}, EndingCase{"ring", 8}, EndingCase{"chain", 3},
                      EndingCase{"chain", 8}, EndingCase{"star", 6}, EndingCase{"complete", 5},
                      EndingCase{"one-peer-exponential", 8}, EndingCase{"chain", 6, "choco"},
                      EndingCase{"ring", 5, "allreduce"}, EndingCase{"ring", 4, "qsparse"},
                      EndingCase{"ring", 4, "qsparse-async"}),
    [](const auto& tested) { return name_of_case(tested.param); });

// Of two nodes that fail in one round the lower one is named, also where the other is nearer.
TEST(EndingTogether, NamesTheLowerOfTwoNodesInOneRound) {
  FailingRun run({"chain", 8});
  Switchboard board(8);
  for (const auto& failure : run.among_peers({{1, 9}, {6, 9}}, board))
    EXPECT_EQ(failure->node, 1u);
}

// The far end of a chain comes to a later round than the one in which the other end failed, and
// fails there by itself: the others hear both.
TEST(EndingTogether, NamesTheEarlierRoundWhereAFarNodeFailsLater) {
  FailingRun run({"chain", 8});
  const Failing failing = {{7, 9}, {0, 14}};
  const auto of_threads = run.on_threads(failing);
  EXPECT_EQ(of_threads[0]->kind, Failure::Kind::kDiverged) << "it got there";
  EXPECT_EQ(of_threads[3]->kind, Failure::Kind::kLost) << "it would say something else alone";
  Switchboard board(8);
  for (const auto& failure : run.among_peers(failing, board)) {
    EXPECT_EQ(failure->node, 7u);
    EXPECT_EQ(failure->round, 9u);
  }
}

// In the last rounds there is nothing to miss but the mean of all models.
TEST(EndingTogether, HoldsForTheLastRound) {
  FailingRun run({"chain", 6});
  Switchboard board(6);
  for (const auto& failure : run.among_peers({{5, kLastRound - 1}}, board)) {
    ASSERT_TRUE(failure);
    EXPECT_EQ(failure->sentence, "node 5 has diverged after 24 rounds");
  }
}

// Nobody hangs, whoever is killed when others are about to end: each says what it knows, and the
// one that failed says that.
TEST(EndingTogether, SurvivesKillsInTheMidstOfIt) {
  int told_by_others = 0;
  for (const EndingCase& given : {EndingCase{"ring", 6}, EndingCase{"chain", 5},
                                  EndingCase{"star", 5}, EndingCase{"complete", 5}}) {
    for (unsigned seed = 0; seed < 20; ++seed) {
      const NodeId failing = seed % given.nodes;
      const NodeId other = (failing + 1 + seed / given.nodes % (given.nodes - 1)) % given.nodes;
      const NodeId killed = (other + 1) % given.nodes == failing ? (failing + 1) % given.nodes
                                                                 : (other + 1) % given.nodes;
      FailingRun run(given);
      Switchboard board(given.nodes, seed);
      // Before the failure is told, or when a second one is about to be.
      run.before_failure = [&](NodeId id) {
        if (id == (seed % 2 == 0 ? failing : other)) board.kill(killed);
      };
      const auto failures = run.among_peers({{failing, 9}, {other, 9 + seed % 3}}, board);
      for (NodeId id = 0; id < given.nodes; ++id) {
        if (id == killed) continue;
        ASSERT_TRUE(failures[id]) << given.topology << ", node " << id << ", seed " << seed;
        const bool is_divergence = failures[id]->kind == Failure::Kind::kDiverged;
        EXPECT_TRUE(is_divergence || failures[id]->kind == Failure::Kind::kLost);
        if (is_divergence && id != failing && id != other) ++told_by_others;
      }
    }
  }
  EXPECT_GT(told_by_others, 0) << "all were killed too early";
}

}  // namespace
}  // namespace gossamer::testing
