// All nodes of a graph take the mean of their numbers, on networks that can be cut.

#include "gossamer/member/mean_exchange.hpp"

#include <memory>
#include <thread>
#include <vector>

#include "tests/support/come_together.hpp"
#include "tests/support/switchboard.hpp"
#include "tests/support/vectors.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/member/talking_pairs.hpp"
#include "gossamer/network/inproc/inproc.hpp"
#include "gossamer/store/mean_model.hpp"
#include "gossamer/topology/registry.hpp"

namespace gossamer::testing {
namespace {

constexpr std::size_t kSize = 33;

// Two nodes have numbers so large that they swallow what is added to them before they cancel:
// another order of summing shows.
FloatBuffer numbers_of(NodeId id) {
  FloatBuffer numbers(kSize);
  numbers.view() = view(normal_vector(kSize, id));
  if (id == 1) numbers.view().setConstant(0x1.0p60f);
  if (id == 3) numbers.view().setConstant(-0x1.0p60f);
  return numbers;
}

std::vector<float> mean_in_one_process(const Graph& graph, NodeId nodes) {
  std::vector<FloatBuffer> models;
  for (NodeId id = 0; id < nodes; ++id)
    models.push_back(numbers_of(id));
  return mean_model(models, spanning_tree(graph, 0));
}

/// One node's side of an exchange.
class Taker {
 public:
  Taker(Network& network, const Topology& topology, Graph graph)
      : host_({network, topology, layout_, 7, std::chrono::hours(1)}),
        exchange_({.host = host_,
                   .graph = std::move(graph),
                   .patience = std::chrono::hours(1),
                   .last_deadline = std::chrono::hours(1),
                   .hear_next = [this](Time deadline) {
                     return host_.next_aside(deadline).has_value();
                   }}) {
    host_.listen([this](const Aside& aside) { return exchange_.hear(aside); });
  }

  NodeHost& host() { return host_; }

  std::vector<float> take(bool has_numbers = true) {
    const FloatBuffer own = numbers_of(host_.node().id());
    // The last one of a run: nobody leaves whom others may need to agree on who is left.
    const bool is_last = true;
    return exchange_.mean(has_numbers ? own.view() : CVec(nullptr, 0), kSize, is_last).numbers;
  }

 private:
  Layout layout_ = Layout::flat(kSize);
  NodeHost host_;
  MeanExchange exchange_;
};

struct MeanCase {
  std::string topology;
  NodeId nodes;
  Reach reach = Reach::kNeighbours;
};

class MeanOnGraphs : public ::testing::TestWithParam<MeanCase> {};

TEST_P(MeanOnGraphs, HasTheBitsOfOneProcessAtEveryNode) {
  const auto& [spec, nodes, reach] = GetParam();
  const auto topology = std::move(make_topology(spec, nodes, 0)).value();
  const Graph graph = talking_graph(reach, *topology);
  std::vector<std::vector<float>> means(graph.nodes);
  run_inproc(graph.nodes, [&](Network& network) {
    Taker taker(network, *topology, graph);
    const bool has_numbers = network.self() < nodes;
    means[network.self()] = taker.take(has_numbers);
    // Again after some rounds, in which nobody waits for anybody.
    for (int round = 0; round < 3; ++round)
      taker.host().node().end_round();
    EXPECT_EQ(taker.take(has_numbers), means[network.self()]);
  });
  EXPECT_THAT(means, ::testing::Each(mean_in_one_process(graph, nodes)));
}

INSTANTIATE_TEST_SUITE_P(
    Graphs, MeanOnGraphs,
    ::testing::Values(MeanCase{"ring", 2}, MeanCase{"ring", 7}, MeanCase{"chain", 5},
                      MeanCase{"star", 6}, MeanCase{"torus:3x3", 9}, MeanCase{"complete", 5},
                      MeanCase{"one-peer-exponential", 8}, MeanCase{"ring", 5, Reach::kEveryone},
                      MeanCase{"ring", 6, Reach::kRing}, MeanCase{"ring", 4, Reach::kCoordinator}),
    [](const auto& tested) {
      std::string name = tested.param.topology + std::to_string(tested.param.nodes) + "reach" +
                         std::to_string(static_cast<int>(tested.param.reach));
      std::erase_if(name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; });
      return name;
    });

// The control: another order of summing gives other bits here, so that equal bits say something.
TEST(MeanExchange, HasNumbersWhoseSumDependsOnItsOrder) {
  const auto ring = std::move(make_topology("ring", 7, 0)).value();
  const auto complete = std::move(make_topology("complete", 7, 0)).value();
  EXPECT_NE(mean_in_one_process(graph_of(*ring), 7), mean_in_one_process(graph_of(*complete), 7));
}

TEST(MeanExchange, IsNoPartOfTheAlgorithmsTraffic) {
  const auto ring = std::move(make_topology("ring", 3, 0)).value();
  run_inproc(3, [&](Network& network) {
    (void)Taker(network, *ring, graph_of(*ring)).take();
    EXPECT_EQ(network.traffic().bytes(), 0u);
    EXPECT_GT(network.traffic().aside_bytes, 0u);
  });
}

// A node dies when others are in the midst of the exchange: those who are left have one mean, of
// all of them or of those who are left.
TEST(MeanExchange, GivesSurvivorsOfALossTheSameBits) {
  const auto torus = std::move(make_topology("torus:3x3", 9, 0)).value();
  const Graph graph = graph_of(*torus);
  const std::vector<float> of_all = mean_in_one_process(graph, 9);
  int of_some = 0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    Switchboard board(9, seed);
    std::vector<std::unique_ptr<Network>> networks;
    for (NodeId id = 0; id < 9; ++id)
      networks.push_back(board.plug_in(id));
    std::vector<std::vector<float>> means(9);
    {
      std::vector<std::jthread> threads;
      for (NodeId id = 0; id < 9; ++id) {
        threads.emplace_back([&, id, own = std::move(networks[id])] {
          try {
            Taker taker(*own, *torus, graph);
            come_together(taker.host());
            if (id == seed % 9) board.kill((seed + 4) % 9);
            means[id] = taker.take();
          } catch (const Killed&) {
          }
        });
      }
    }
    const NodeId killed = (seed + 4) % 9;
    const std::vector<float>& first = means[killed == 0 ? 1 : 0];
    ASSERT_EQ(first.size(), kSize);
    for (NodeId id = 0; id < 9; ++id) {
      if (id == killed) continue;
      EXPECT_EQ(means[id], first) << "node " << id << ", seed " << seed;
    }
    if (first != of_all) ++of_some;
  }
  EXPECT_GT(of_some, 0) << "nobody was lost in time";
}

}  // namespace
}  // namespace gossamer::testing
