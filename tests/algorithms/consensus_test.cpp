// What the spec's section 8 measured with an independent model, on rings of 8 and 25 nodes.

#include <cmath>

#include "tests/algorithms/swarm.hpp"
#include <gtest/gtest.h>

namespace gossamer {
namespace {

using namespace gossamer::testing;

std::vector<float> gaussian(NodeId id, std::size_t size) {
  return normal_vector(size, 1000 + id);
}

// sum |x_i - mean(x^0)|^2 over its value at the start.
double relative_error(Swarm swarm) {
  const std::size_t size = swarm.size;
  swarm.start = [size](NodeId id) { return gaussian(id, size); };
  Models first;
  for (NodeId id = 0; id < swarm.nodes; ++id)
    first.push_back(gaussian(id, size));
  const std::vector<double> mean = mean_of(first);
  return squared_distance_to(run(swarm), mean) / squared_distance_to(first, mean);
}

TEST(Consensus, PlainGossipOnARingOf25) {
  const Swarm swarm{.algorithm = "dpsgd", .nodes = 25, .size = 2000, .rounds = 100};
  EXPECT_NEAR(relative_error(swarm), 1.2e-3, 0.2 * 1.2e-3);
}

TEST(Consensus, ChocoWithEightBitsIsAsFastAsPlainGossip) {
  const Swarm swarm{.compressor = "qsgd:s=256", .nodes = 25, .size = 2000, .rounds = 100};
  EXPECT_NEAR(relative_error(swarm), 1.2e-3, 0.2 * 1.2e-3);
}

TEST(Consensus, ChocoWithTheTopPercent) {
  const Swarm swarm{
      .compressor = "topk:0.01", .nodes = 25, .size = 2000, .gamma = 0.046f, .rounds = 300};
  EXPECT_NEAR(relative_error(swarm), 6.9e-2, 0.2 * 6.9e-2);
}

TEST(Consensus, ChocoWithARandomPercent) {
  const Swarm swarm{
      .compressor = "randk:0.01", .nodes = 25, .size = 2000, .gamma = 0.011f, .rounds = 300};
  EXPECT_NEAR(relative_error(swarm), 3.7e-1, 0.2 * 3.7e-1);
}

TEST(Consensus, ChocoWithSignAndGammaOneNeeds78RoundsTo1e8) {
  Swarm swarm{.compressor = "sign", .size = 10000, .gamma = 1.0f, .rounds = 94};
  EXPECT_LT(relative_error(swarm), 1e-8);  // 78 rounds and 20 %
  swarm.rounds = 62;
  EXPECT_GT(relative_error(swarm), 1e-8);
}

TEST(Consensus, DeepSqueezeHasAFloorThatGrowsWithGamma) {
  double before = 0.0;
  for (const float gamma : {0.05f, 0.2f, 0.45f}) {
    const double floor = relative_error({.algorithm = "deepsqueeze",
                                         .compressor = "sign",
                                         .size = 2000,
                                         .gamma = gamma,
                                         .rounds = 1000});
    EXPECT_GT(floor, before);
    before = floor;
  }
}

}  // namespace
}  // namespace gossamer
