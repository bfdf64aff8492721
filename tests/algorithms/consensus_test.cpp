// The tables of docs/golden_numbers.md, on rings of 8 and 25 nodes.

#include <cmath>
#include <utility>

#include "tests/algorithms/swarm.hpp"
#include <gtest/gtest.h>

namespace gossamer {
namespace {

using namespace gossamer::testing;

std::vector<float> gaussian(NodeId id, std::size_t size) {
  return normal_vector(size, 1000 + id);
}

/// The swarm with first models of its own, and where they should meet.
struct Setting {
  explicit Setting(Swarm plain) : swarm(std::move(plain)) {
    swarm.start = [size = swarm.size](NodeId id) { return gaussian(id, size); };
    Models first;
    for (NodeId id = 0; id < swarm.nodes; ++id)
      first.push_back(swarm.start(id));
    mean = mean_of(first);
    distance = squared_distance_to(first, mean);
  }

  Swarm swarm;
  std::vector<double> mean;
  double distance;
};

// sum |x_i - mean(x^0)|^2 over its value at the start.
double relative_error(const Swarm& swarm) {
  const Setting setting(swarm);
  return squared_distance_to(run(setting.swarm), setting.mean) / setting.distance;
}

// The same after every round.
std::vector<double> relative_errors(const Swarm& swarm) {
  const Setting setting(swarm);
  const auto rounds = static_cast<std::size_t>(swarm.rounds);
  std::vector<std::vector<double>> of_node(swarm.nodes, std::vector<double>(rounds));
  run(setting.swarm, [&](int round, Node& node, Algorithm&) {
    of_node[node.id()][static_cast<std::size_t>(round)] =
        squared_distance_to({copy_of(node.x())}, setting.mean);
  });
  std::vector<double> errors(rounds, 0.0);
  for (std::size_t t = 0; t < rounds; ++t) {
    for (const std::vector<double>& distances : of_node)
      errors[t] += distances[t] / setting.distance;
  }
  return errors;
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

// At a fixed gamma DeepSqueeze never agrees, and the larger gamma the less.
void expect_deepsqueeze_floor(float gamma, double floor) {
  EXPECT_NEAR(relative_error({.algorithm = "deepsqueeze",
                              .compressor = "sign",
                              .size = 2000,
                              .gamma = gamma,
                              .rounds = 3000}),
              floor, 0.2 * floor);
}

TEST(Consensus, DeepSqueezeHasAFloorOf8e4WithASmallGamma) {
  expect_deepsqueeze_floor(0.05f, 8e-4);
}

TEST(Consensus, DeepSqueezeHasAFloorOf1e2WithALargerGamma) {
  expect_deepsqueeze_floor(0.2f, 1.4e-2);
}

TEST(Consensus, DeepSqueezeHasAFloorOf8e2WithTheLargestGamma) {
  expect_deepsqueeze_floor(0.45f, 8e-2);
}

// In double precision the error is 2e-20 by then; models in float32 stop before. A step of
// less than half a unit in the last place, 2^-24 |x|, leaves x where it is: so models stand still
// once gamma |(W - I) x| is below that, which they can as soon as they are within 2^-24 |x| /
// (gamma rho) of each other. Where they meet, |x|^2 is 1/7 of the first squared distance, on
// average.
TEST(Consensus, ChocoReachesTheFloorOfFloat32) {
  const double rho = 2.0 / 3.0 * (1.0 - std::cos(std::acos(-1.0) / 4.0));
  const double floor = std::pow(0x1.0p-24 / (0.0375 * rho), 2) / 7.0;  // 9.5e-12
  const double error =
      relative_error({.compressor = "topk:0.01", .size = 2000, .gamma = 0.0375f, .rounds = 3000});
  EXPECT_LT(error, floor);  // 1.5e-12
}

// omega = 1
TEST(Consensus, DcdIsBoundedWithAnUnbiasedHalf) {
  for (const double error : relative_errors(
           {.algorithm = "dcd", .compressor = "randk:0.5,unbiased", .size = 200, .rounds = 1000}))
    ASSERT_LT(error, 1.0);
}

// omega = 2.33
TEST(Consensus, DcdDivergesBeforeRound150WithAnUnbiasedThirtyPercent) {
  EXPECT_GT(
      relative_error(
          {.algorithm = "dcd", .compressor = "randk:0.3,unbiased", .size = 200, .rounds = 149}),
      1e6);
}

// The sum of Q1-G runs over neighbours. With the own model compressed as well, it would be 3.1e-3
// and 2.1e-3: within an order of magnitude, but not within 20 %.
TEST(Consensus, Q1DriftsAtTheListedLevels) {
  const std::vector<double> errors = relative_errors({.algorithm = "q1",
                                                      .compressor = "qsgd:s=256,unscaled",
                                                      .nodes = 25,
                                                      .size = 2000,
                                                      .rounds = 300});
  EXPECT_NEAR(errors[99], 2.2e-3, 0.2 * 2.2e-3);
  EXPECT_NEAR(errors[299], 1.1e-3, 0.2 * 1.1e-3);
}

TEST(Consensus, Q2StallsAtTheListedLevels) {
  const std::vector<double> errors = relative_errors({.algorithm = "q2",
                                                      .compressor = "qsgd:s=256,unscaled",
                                                      .nodes = 25,
                                                      .size = 2000,
                                                      .rounds = 300});
  EXPECT_NEAR(errors[99], 1.4e-3, 0.2 * 1.4e-3);
  EXPECT_NEAR(errors[299], 1.6e-4, 0.2 * 1.6e-4);
}

TEST(Consensus, Q2DivergesBeforeRound42WithAnUnbiasedPercent) {
  EXPECT_GT(relative_error({.algorithm = "q2",
                            .compressor = "randk:0.01,unbiased",
                            .nodes = 25,
                            .size = 2000,
                            .rounds = 42}),
            1e6);
}

}  // namespace
}  // namespace gossamer
