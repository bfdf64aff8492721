// The mean by a ring, where shares are compressed on their way.

#include <algorithm>
#include <cmath>

#include "tests/algorithms/swarm.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer {
namespace {

using namespace gossamer::testing;

// From x = 0 one round with lr = 1 moves every model to the mean of all targets b_i.
Swarm one_mean(const std::string& compressor, std::size_t size = 50) {
  return {
      .algorithm = "allreduce", .compressor = compressor, .size = size, .lr = 1.0f, .rounds = 1};
}

std::vector<double> exact_mean(const Swarm& swarm) {
  std::vector<double> mean(swarm.size);
  for (NodeId id = 0; id < swarm.nodes; ++id) {
    const std::vector<float> b = target_of(id, swarm.size, swarm.seed);
    for (std::size_t j = 0; j < swarm.size; ++j)
      mean[j] += b[j] / static_cast<double>(swarm.nodes);
  }
  return mean;
}

double largest_target(const Swarm& swarm) {
  double largest = 0.0;
  for (NodeId id = 0; id < swarm.nodes; ++id) {
    for (const float b : target_of(id, swarm.size, swarm.seed))
      largest = std::max(largest, static_cast<double>(std::abs(b)));
  }
  return largest;
}

TEST(RingMean, LeavesAllModelsEqualWhateverIsLostOnTheWay) {
  for (const char* compressor : {"identity", "minmax:2", "qsgd:4,unscaled", "layerwise:minmax:8"}) {
    // Also where shares differ in size, and where some are empty.
    for (const std::size_t size : {50, 3}) {
      Swarm swarm = one_mean(compressor, size);
      swarm.rounds = 3;
      const Models models = run(swarm);
      for (const std::vector<float>& model : models)
        EXPECT_EQ(model, models.front()) << compressor << ", " << size << " numbers";
    }
  }
}

// A quantiser with steps of width w is off by less than w. The k-th of the n - 1 sums has k terms
// of at most B each, a range of 2kB, so w = 2kB / 255; the mean has 2B / 255; and the sums' errors
// are divided by n: all together (2B / 255) ((n - 1) / 2 + 1).
TEST(RingMean, IsOffByNoMoreThanItsQuantiserEachTime) {
  const Swarm swarm = one_mean("minmax:8");
  const std::vector<double> mean = exact_mean(swarm);
  const double n = swarm.nodes;
  // A sum that was quantised upwards may be larger than its terms allow, by the errors before it.
  const double bound = 1.05 * 2.0 * largest_target(swarm) / 255.0 * ((n - 1) / 2 + 1);
  double worst = 0.0;
  const Models models = run(swarm);
  for (std::size_t j = 0; j < swarm.size; ++j)
    worst = std::max(worst, std::abs(models.front()[j] - mean[j]));
  EXPECT_LT(worst, bound);
  EXPECT_GT(worst, 0.0);
}

// Without a bias the mean of T errors has 1/T of the square of a single one. The sum over 50
// elements spreads by sqrt(2 / 50) = 0.2 of itself, so that twice as much is five standard
// deviations away.
TEST(RingMean, IsRightInTheMean) {
  constexpr int kRuns = 400;
  Swarm swarm = one_mean("minmax:2");
  const std::vector<double> mean = exact_mean(swarm);
  std::vector<double> sum(swarm.size);
  double single = 0.0;
  // With lr = 1 every round comes to the mean again, by other random numbers.
  swarm.rounds = kRuns;
  run(swarm, [&](int, Node& node, Algorithm&) {
    if (node.id() != 0) return;
    for (std::size_t j = 0; j < swarm.size; ++j) {
      const double error = node.x()[static_cast<Eigen::Index>(j)] - mean[j];
      sum[j] += error / kRuns;
      single += error * error / kRuns;
    }
  });
  double of_mean = 0.0;
  for (const double error : sum)
    of_mean += error * error;
  EXPECT_GT(single, 0.0);
  EXPECT_LT(of_mean, 2.0 * single / kRuns);
}

TEST(RingMean, RefusesWhatWouldAddUpToANonsense) {
  for (const char* compressor :
       {"sign", "topk:0.1", "qsgd:8", "randk:0.2,unbiased", "drop:0.3", "layerwise:topk:0.1"}) {
    const Swarm swarm = one_mean(compressor);
    const SwarmParts parts(swarm);
    const auto made = make_algorithm("allreduce", parts.setup);
    ASSERT_FALSE(made.ok()) << compressor;
    EXPECT_THAT(made.error().message, ::testing::HasSubstr("ef-sgd takes any compressor"));
  }
}

}  // namespace
}  // namespace gossamer
