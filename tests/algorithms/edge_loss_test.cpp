// Every algorithm that can lose neighbours, on a network whose edges break.

#include <algorithm>
#include <thread>

#include "tests/algorithms/swarm.hpp"
#include "tests/support/switchboard.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer {
namespace {

using namespace gossamer::testing;
using ::testing::HasSubstr;

constexpr NodeId kTorus = 9;
constexpr int kLossRounds = 40;

RunWorld world_of(Switchboard& board) {
  return [&board](NodeId size, const std::function<void(Network&)>& node_main) {
    std::vector<std::unique_ptr<Network>> networks;
    for (NodeId id = 0; id < size; ++id)
      networks.push_back(board.plug_in(id));
    std::vector<std::jthread> threads;
    for (std::unique_ptr<Network>& network : networks) {
      threads.emplace_back([&node_main, own = std::move(network)] {
        try {
          node_main(*own);
        } catch (const Killed&) {
        }
      });
    }
  };
}

Swarm swarm_on(Switchboard& board, const std::string& algorithm, const std::string& compressor) {
  Swarm swarm{.algorithm = algorithm,
              .compressor = compressor,
              .topology = "torus:3x3",
              .nodes = kTorus,
              .size = 48,
              .rounds = kLossRounds,
              .start = [](NodeId id) { return normal_vector(48, id); },
              .rows = algorithm.starts_with("powergossip") ? std::size_t{6} : std::size_t{0},
              .world = world_of(board),
              .goes_on_without_lost = true};
  if (Swarm damped = swarm; damped.gamma = 0.2f, accepts(damped)) swarm.gamma = 0.2f;
  return swarm;
}

/// The algorithms that can lose neighbours, with a compressor that they take.
std::vector<std::pair<std::string, std::string>> methods() {
  std::vector<std::pair<std::string, std::string>> found;
  std::vector<std::string> specs = {"ecd:replicas", "powergossip:2,steps=3"};
  for (const AlgorithmInfo& info : algorithms())
    specs.push_back(info.name);
  Switchboard board(kTorus);
  for (const std::string& spec : specs) {
    if (find_algorithm(spec).value().reach != Reach::kNeighbours) continue;
    for (const char* compressor : {"identity", "topk:0.2"}) {
      const Swarm swarm = swarm_on(board, spec, compressor);
      if (!accepts(swarm)) continue;
      const auto algorithm = make_algorithm(spec, SwarmParts(swarm).setup);
      if (algorithm.value()->can_lose_neighbours()) found.emplace_back(spec, compressor);
    }
  }
  return found;
}

class EdgeLoss : public ::testing::TestWithParam<std::pair<std::string, std::string>> {};

// Edges that are cut leave W symmetric: whatever gossip keeps on a whole graph it keeps here.
TEST_P(EdgeLoss, CutsDoNotMoveTheMean) {
  const auto& [algorithm, compressor] = GetParam();
  const bool keeps =
      find_algorithm(algorithm).value().mean == Mean::kKept || compressor == "identity";
  for (unsigned seed = 0; seed < 4; ++seed) {
    Switchboard board(kTorus, seed);
    const Swarm swarm = swarm_on(board, algorithm, compressor);
    Models first;
    for (NodeId id = 0; id < kTorus; ++id)
      first.push_back(swarm.start(id));
    const Models last = run(swarm, [&](int round, Node& node, Algorithm&) {
      if (node.id() == 4 && round == 3) board.cut(4, 5);
      if (node.id() == 0 && round == 8) board.cut(0, 2);
      if (node.id() == 7 && round == 9) board.cut(7, 8);
    });
    if (!keeps) continue;
    const std::vector<double> before = mean_of(first);
    const std::vector<double> after = mean_of(last);
    // As in the law of the whole graph: some roundings per round, of numbers below 8.
    for (std::size_t i = 0; i < before.size(); ++i)
      ASSERT_NEAR(after[i], before[i], kLossRounds * 64 * 0x1.0p-24) << "seed " << seed;
  }
}

TEST_P(EdgeLoss, CopiesStayEqualOnTheEdgesThatAreLeft) {
  const auto& [algorithm, compressor] = GetParam();
  Switchboard board(kTorus, 5);
  const Swarm swarm = swarm_on(board, algorithm, compressor);
  std::map<std::pair<NodeId, NodeId>, std::uint64_t> own;
  std::map<std::pair<NodeId, NodeId>, std::uint64_t> copies;
  std::mutex mutex;
  run(swarm, [&](int round, Node& node, Algorithm& method) {
    if (node.id() == 4 && round == 3) board.cut(4, 5);
    if (node.id() == 2 && round == 6) board.kill(8);
    if (round + 1 < kLossRounds || method.copies() == nullptr) return;
    const std::lock_guard lock(mutex);
    for (const Neighbour& neighbour : node.neighbours()) {
      own[{node.id(), neighbour.peer}] = method.copies()->own_digest(neighbour.peer);
      copies[{neighbour.peer, node.id()}] = method.copies()->copy_digest(neighbour.peer);
    }
  });
  EXPECT_EQ(own, copies);
  EXPECT_EQ(own.count({4, 5}), 0u);
  EXPECT_EQ(own.count({7, 8}), 0u);
}

INSTANTIATE_TEST_SUITE_P(Algorithms, EdgeLoss, ::testing::ValuesIn(methods()),
                         [](const auto& method) {
                           std::string name = method.param.first + "_" + method.param.second;
                           std::ranges::replace_if(
                               name, [](char c) { return std::isalnum(c) == 0; }, '_');
                           return name;
                         });

TEST(EdgeLoss, ASumCannotForgetANeighbour) {
  for (const char* spec : {"choco:sum", "ecd"}) {
    const SwarmParts parts(Swarm{.algorithm = spec, .size = 1'000'000});
    const auto algorithm = std::move(make_algorithm(spec, parts.setup)).value();
    const Result<void> answer = algorithm->can_lose_neighbours();
    ASSERT_FALSE(answer);
    EXPECT_THAT(answer.error().message, HasSubstr("4 MB per neighbour"));
  }
}

}  // namespace
}  // namespace gossamer
