// The laws of algorithms/algorithm.hpp, for every registered algorithm (spec T2, T3, T4).

#include <cmath>

#include "tests/algorithms/swarm.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer {
namespace {

using namespace gossamer::testing;

class AlgorithmLaw : public ::testing::TestWithParam<AlgorithmInfo> {
 protected:
  static std::string name() { return GetParam().name; }

  /// The orderings that the algorithm has.
  static std::vector<Ordering> orderings() {
    if (name() == "dcd" || name() == "ecd") return {Ordering::kCombineWhileAdapt};
    return {Ordering::kCombineWhileAdapt, Ordering::kAdaptThenCombine};
  }
};

constexpr int kRounds = 50;

// A round is a handful of float operations on numbers of size 4 at most: each of 50 rounds adds at
// most 16 roundings of 2^-24 * 4, and gossip and gradient steps do not make errors grow.
constexpr double kRounding = kRounds * 16 * 4 * 0x1.0p-24;

TEST_P(AlgorithmLaw, WithTheIdentityItIsDpsgdOfTheSameOrdering) {
  for (const char* topology : {"ring", "star"}) {
    for (const Ordering ordering : orderings()) {
      const Swarm swarm{
          .algorithm = name(), .topology = topology, .ordering = ordering, .lr = 0.1f};
      Swarm reference = swarm;
      reference.algorithm = "dpsgd";
      const Models models = run(swarm);
      const Models expected = run(reference);
      for (std::size_t i = 0; i < models.size(); ++i) {
        for (std::size_t j = 0; j < models[i].size(); ++j)
          ASSERT_NEAR(models[i][j], expected[i][j], kRounding) << "node " << i;
      }
    }
  }
}

TEST_P(AlgorithmLaw, TheTwoOrderingsDiffer) {
  if (orderings().size() == 1) return;
  Swarm swarm{.algorithm = name(), .ordering = Ordering::kCombineWhileAdapt, .lr = 0.1f};
  const Models overlapped = run(swarm);
  swarm.ordering = Ordering::kAdaptThenCombine;
  EXPECT_NE(run(swarm), overlapped);
}

TEST_P(AlgorithmLaw, GossipKeepsTheMeanWhereItSaysSo) {
  if (GetParam().mean == Mean::kDrifts) return;
  for (const char* compressor : {"identity", "topk:0.1", "sign", "qsgd:4", "randk:0.2"}) {
    if (name() == "dpsgd" && compressor != std::string("identity")) continue;
    const auto start = [](NodeId id) { return normal_vector(50, id); };
    Models first(8);
    for (NodeId id = 0; id < 8; ++id)
      first[id] = start(id);
    const Models models =
        run({.algorithm = name(), .compressor = compressor, .gamma = 0.05f, .start = start});
    const std::vector<double> before = mean_of(first);
    const std::vector<double> after = mean_of(models);
    for (std::size_t j = 0; j < before.size(); ++j)
      ASSERT_NEAR(after[j], before[j], kRounding) << compressor;
  }
}

// T4: whatever compression does, the mean moves as if every node had taken its step alone.
TEST_P(AlgorithmLaw, TheMeanFollowsTheMeanStepWhereGossipKeepsIt) {
  if (GetParam().mean == Mean::kDrifts || name() == "dpsgd") return;
  const float lr = 0.05f;
  const Swarm swarm{.algorithm = name(), .compressor = "topk:0.1", .gamma = 0.05f, .lr = lr};
  const std::vector<double> mean = mean_of(run(swarm));
  Models targets;
  for (NodeId id = 0; id < swarm.nodes; ++id)
    targets.push_back(target_of(id, swarm.size));
  const std::vector<double> optimum = mean_of(targets);
  // mean_t+1 = mean_t - lr (mean_t - optimum), from 0.
  const double share = 1.0 - std::pow(1.0 - double{lr}, kRounds);
  for (std::size_t j = 0; j < mean.size(); ++j)
    ASSERT_NEAR(mean[j], share * optimum[j], kRounding);
}

TEST_P(AlgorithmLaw, FindsTheOptimumOfAQuadratic) {
  const Swarm swarm{.algorithm = name(), .topology = "complete", .lr = 0.2f, .rounds = 200};
  Models targets;
  for (NodeId id = 0; id < swarm.nodes; ++id)
    targets.push_back(target_of(id, swarm.size));
  const std::vector<double> mean = mean_of(run(swarm));
  const std::vector<double> optimum = mean_of(targets);
  for (std::size_t j = 0; j < mean.size(); ++j)
    ASSERT_NEAR(mean[j], optimum[j], 4 * kRounding);
}

TEST_P(AlgorithmLaw, GivesTheSameBitsAgain) {
  const std::string compressor = name() == "dpsgd" ? "identity" : "qsgd:8,unscaled";
  const float gamma = name() == "choco" || name() == "deepsqueeze" ? 0.1f : 1.0f;
  const Swarm swarm{.algorithm = name(), .compressor = compressor, .gamma = gamma, .lr = 0.01f};
  EXPECT_EQ(run(swarm), run(swarm));
}

INSTANTIATE_TEST_SUITE_P(Registry, AlgorithmLaw,
                         ::testing::ValuesIn(algorithms().begin(), algorithms().end()),
                         [](const auto& info_of) { return info_of.param.name; });

TEST(AlgorithmRegistry, AnUnknownNameGetsTheNearestSuggested) {
  const std::shared_ptr<const Compressor> identity =
      std::move(make_compressor("identity", Layout::flat(1))).value();
  const auto made = make_algorithm("chocco", {identity});
  ASSERT_FALSE(made.ok());
  EXPECT_THAT(made.error().message, ::testing::HasSubstr("did you mean 'choco'?"));
}

TEST(AlgorithmRegistry, ASettingThatAnAlgorithmDoesNotHaveIsRefused) {
  const std::shared_ptr<const Compressor> sign =
      std::move(make_compressor("sign", Layout::flat(10))).value();
  EXPECT_FALSE(make_algorithm("dpsgd", {sign}).ok());
  EXPECT_FALSE(make_algorithm("dcd", {sign, 0.5f}).ok());
  EXPECT_FALSE(make_algorithm("ecd", {sign, 1.0f, Ordering::kAdaptThenCombine}).ok());
}

}  // namespace
}  // namespace gossamer
