// The laws of algorithms/algorithm.hpp and docs/golden_numbers.md, for every registered algorithm.

#include <algorithm>
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
    std::vector<Ordering> own;
    for (const Ordering ordering : {Ordering::kCombineWhileAdapt, Ordering::kAdaptThenCombine}) {
      if (accepts({.algorithm = name(), .ordering = ordering})) own.push_back(ordering);
    }
    return own;
  }

  /// Those of the compressors that the algorithm takes.
  static std::vector<std::string> compressors_of(std::vector<std::string> specs) {
    std::erase_if(specs, [](const std::string& spec) {
      return !accepts({.algorithm = name(), .compressor = spec});
    });
    return specs;
  }

  /// A gamma at which the algorithm is stable with any operator, if it has one.
  static float small_gamma() {
    return accepts({.algorithm = name(), .gamma = 0.05f}) ? 0.05f : 1.0f;
  }

  static Models targets() {
    Models all;
    for (NodeId id = 0; id < Swarm{}.nodes; ++id)
      all.push_back(target_of(id, Swarm{}.size));
    return all;
  }
};

constexpr int kRounds = 50;

// A round is a handful of float operations on numbers of size 4 at most: each of 50 rounds adds at
// most 16 roundings of 2^-24 * 4, and gossip and gradient steps do not make errors grow.
constexpr double kRounding = kRounds * 16 * 4 * 0x1.0p-24;

void expect_near(const Models& models, const Models& expected) {
  for (std::size_t i = 0; i < models.size(); ++i) {
    for (std::size_t j = 0; j < models[i].size(); ++j)
      ASSERT_NEAR(models[i][j], expected[i][j], kRounding) << "node " << i;
  }
}

TEST_P(AlgorithmLaw, WithTheIdentityItIsDpsgdOfTheSameOrderingOrSgdOnTheMeanGradient) {
  const bool gossips = GetParam().reach == Reach::kNeighbours;
  for (const char* topology : {"ring", "star"}) {
    for (const Ordering ordering : orderings()) {
      const Swarm swarm{
          .algorithm = name(), .topology = topology, .ordering = ordering, .lr = 0.1f};
      Swarm reference = swarm;
      reference.algorithm = gossips ? "dpsgd" : "allreduce";
      expect_near(run(swarm), run(reference));
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
  if (GetParam().mean == Mean::kDrifts || GetParam().consensus == Consensus::kNever) return;
  const auto start = [](NodeId id) { return normal_vector(50, id); };
  Models first(8);
  for (NodeId id = 0; id < 8; ++id)
    first[id] = start(id);
  const std::vector<double> before = mean_of(first);
  for (const std::string& compressor :
       compressors_of({"identity", "topk:0.1", "sign", "qsgd:4", "randk:0.2"})) {
    const std::vector<double> after = mean_of(run(
        {.algorithm = name(), .compressor = compressor, .gamma = small_gamma(), .start = start}));
    for (std::size_t j = 0; j < before.size(); ++j)
      ASSERT_NEAR(after[j], before[j], kRounding) << compressor;
  }
}

// Whatever compression does, the mean moves as if every node had taken its step alone.
TEST_P(AlgorithmLaw, TheMeanFollowsTheMeanStepWhereGossipKeepsIt) {
  if (GetParam().mean == Mean::kDrifts) return;
  const float lr = 0.05f;
  const Swarm swarm{.algorithm = name(),
                    .compressor = compressors_of({"topk:0.1", "identity"}).front(),
                    .gamma = small_gamma(),
                    .lr = lr};
  const std::vector<double> mean = mean_of(run(swarm));
  const std::vector<double> optimum = mean_of(targets());
  // mean_t+1 = mean_t - lr (mean_t - optimum), from 0.
  const double share = 1.0 - std::pow(1.0 - double{lr}, kRounds);
  for (std::size_t j = 0; j < mean.size(); ++j)
    ASSERT_NEAR(mean[j], share * optimum[j], kRounding);
}

TEST_P(AlgorithmLaw, FindsTheOptimumOfAQuadratic) {
  const Swarm swarm{.algorithm = name(), .topology = "complete", .lr = 0.2f, .rounds = 200};
  const std::vector<double> mean = mean_of(run(swarm));
  const std::vector<double> optimum = mean_of(targets());
  for (std::size_t j = 0; j < mean.size(); ++j)
    ASSERT_NEAR(mean[j], optimum[j], 4 * kRounding);
}

TEST_P(AlgorithmLaw, LocalStepsAreTakenAloneAndTheLastRoundMeets) {
  if (!accepts({.algorithm = name(), .local_steps = 4})) return;
  // 10 rounds of H = 4: meetings after rounds 4, 8 and 10. Those of `qsparse-async` are its own.
  std::vector<int> sent_in_round(10, 0);
  const Watch watch = [&](int round, Node& node, Algorithm&) {
    if (node.id() != 0) return;
    sent_in_round[static_cast<std::size_t>(round)] = static_cast<int>(node.sent().frames);
  };
  const std::string spec = name() == "qsparse-async" ? "qsparse-async:common" : name();
  run({.algorithm = spec, .lr = 0.1f, .rounds = 10, .local_steps = 4}, watch);
  const int per_meeting = sent_in_round[3];
  EXPECT_GT(per_meeting, 0);
  EXPECT_EQ(sent_in_round,
            (std::vector<int>{0, 0, 0, per_meeting, per_meeting, per_meeting, per_meeting,
                              2 * per_meeting, 2 * per_meeting, 3 * per_meeting}));
}

TEST_P(AlgorithmLaw, GivesTheSameBitsAgain) {
  const Swarm swarm{.algorithm = name(),
                    .compressor = compressors_of({"qsgd:8,unscaled", "identity"}).front(),
                    .gamma = small_gamma(),
                    .lr = 0.01f};
  EXPECT_EQ(run(swarm), run(swarm));
}

INSTANTIATE_TEST_SUITE_P(Registry, AlgorithmLaw,
                         ::testing::ValuesIn(algorithms().begin(), algorithms().end()),
                         [](const auto& info_of) {
                           std::string name = info_of.param.name;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

Result<std::unique_ptr<Algorithm>> made(const Swarm& swarm) {
  return make_algorithm(swarm.algorithm, SwarmParts(swarm).setup);
}

TEST(AlgorithmRegistry, AnUnknownNameGetsTheNearestSuggested) {
  const auto algorithm = made({.algorithm = "chocco"});
  ASSERT_FALSE(algorithm.ok());
  EXPECT_THAT(algorithm.error().message, ::testing::HasSubstr("did you mean 'choco'?"));
}

TEST(AlgorithmRegistry, AnOptionThatAnAlgorithmDoesNotHaveIsRefused) {
  EXPECT_EQ(made({.algorithm = "dcd:fast"}).error().message, "dcd takes no option 'fast'");
  EXPECT_THAT(made({.algorithm = "qsparse:nomemory"}).error().message,
              ::testing::HasSubstr("did you mean 'no-memory'?"));
}

TEST(AlgorithmRegistry, ASettingThatAnAlgorithmDoesNotHaveIsRefused) {
  EXPECT_FALSE(made({.algorithm = "dpsgd", .compressor = "sign"}).ok());
  EXPECT_FALSE(made({.algorithm = "dcd", .gamma = 0.5f}).ok());
  EXPECT_FALSE(made({.algorithm = "ecd", .ordering = Ordering::kAdaptThenCombine}).ok());
  EXPECT_FALSE(made({.algorithm = "dcd", .local_steps = 2}).ok());
  EXPECT_THAT(made({.algorithm = "allreduce", .local_steps = 2}).error().message,
              ::testing::HasSubstr("local-sgd has"));
}

}  // namespace
}  // namespace gossamer
