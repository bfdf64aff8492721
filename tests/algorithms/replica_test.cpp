// What a node keeps of its neighbours is what they themselves have.

#include <cmath>

#include "tests/algorithms/swarm.hpp"
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace gossamer {
namespace {

using namespace gossamer::testing;

/// Every node's model and state at the end of every round, by node and round.
struct ReplicaDiary {
  explicit ReplicaDiary(const Swarm& swarm) : models(swarm.nodes), states(swarm.nodes) {
    run(swarm, [&](int, Node& node, Algorithm& algorithm) {
      ReadState state;
      algorithm.visit_state(state);
      models[node.id()].push_back(copy_of(node.x()));
      states[node.id()].push_back(state.vectors);
    });
  }

  std::vector<std::vector<std::vector<float>>> models;
  std::vector<std::vector<std::map<std::string, std::vector<float>>>> states;
};

void expect_exact_replicas(const Swarm& swarm, const std::string& of) {
  const ReplicaDiary diary(swarm);
  const auto topology = std::move(make_topology(swarm.topology, swarm.nodes, 0)).value();
  for (NodeId i = 0; i < swarm.nodes; ++i) {
    for (std::size_t t = 0; t < diary.models[i].size(); ++t) {
      for (const Edge& edge : topology->at(i, 0).neighbours) {
        const auto& own =
            of.empty() ? diary.models[edge.peer][t] : diary.states[edge.peer][t].at(of);
        ASSERT_EQ(diary.states[i][t].at(fmt::format("replica_{}", edge.peer)), own)
            << "node " << i << " of node " << edge.peer << " after round " << t;
      }
    }
  }
}

TEST(Replicas, OfChocoHaveTheBitsOfTheNeighboursPublicCopies) {
  for (const char* compressor : {"qsgd:4", "sign", "topk:0.1", "randk:0.2", "minmax:8"}) {
    for (const char* topology : {"ring", "star"}) {
      expect_exact_replicas({.algorithm = "choco",
                             .compressor = compressor,
                             .topology = topology,
                             .gamma = 0.05f,
                             .lr = 0.05f},
                            "x_hat");
    }
  }
}

TEST(Replicas, OfDcdHaveTheBitsOfTheNeighboursModels) {
  for (const char* compressor : {"qsgd:8,unscaled", "minmax:8"}) {
    expect_exact_replicas({.algorithm = "dcd", .compressor = compressor, .lr = 0.05f}, "");
    expect_exact_replicas({.algorithm = "dcd",
                           .compressor = compressor,
                           .start = [](NodeId id) { return normal_vector(50, id); }},
                          "");
  }
}

TEST(Replicas, TheSumOfChocoIsWhatTheReplicasSumTo) {
  const Swarm swarm{
      .algorithm = "choco:sum", .compressor = "qsgd:8", .gamma = 0.3f, .lr = 0.05f, .rounds = 100};
  const ReplicaDiary diary(swarm);
  for (NodeId i = 0; i < swarm.nodes; ++i) {
    const auto x_hat = [&](NodeId id) -> const std::vector<float>& {
      return diary.states[id % swarm.nodes].back().at("x_hat");
    };
    double difference = 0.0;
    double size = 0.0;
    for (std::size_t j = 0; j < swarm.size; ++j) {
      const double sum =
          (double{x_hat(i)[j]} + double{x_hat(i + 1)[j]} + double{x_hat(i + swarm.nodes - 1)[j]}) /
          3.0;
      const double s = diary.states[i].back().at("s")[j];
      difference += (s - sum) * (s - sum);
      size += sum * sum;
    }
    EXPECT_LE(std::sqrt(difference / size), 1e-5) << "node " << i;
  }
}

// A sum of replicas forgets a rounding error per round, and gossip adds all of them up: 1,000
// rounds once moved the mean by 4e-4. Differences of exact copies do not.
TEST(Replicas, AThousandRoundsOfChocoLeaveTheMeanWhereItWas) {
  Swarm swarm{.algorithm = "choco", .compressor = "qsgd:s=256", .nodes = 25, .size = 200};
  swarm.start = [](NodeId id) { return normal_vector(200, id); };
  swarm.rounds = 1000;
  Models first;
  for (NodeId id = 0; id < swarm.nodes; ++id)
    first.push_back(swarm.start(id));
  const std::vector<double> before = mean_of(first);
  const std::vector<double> after = mean_of(run(swarm));
  // Each round rounds a number of size 1 once per node, independently, until nodes agree after some
  // 300 rounds: sqrt(300 / 25) * 2^-25 on average, and 5 times that for the worst of 200.
  for (std::size_t j = 0; j < before.size(); ++j)
    EXPECT_NEAR(after[j], before[j], 5 * std::sqrt(300.0 / 25.0) * 4 * 0x1.0p-25);
}

}  // namespace
}  // namespace gossamer
