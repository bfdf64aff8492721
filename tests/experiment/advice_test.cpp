// What speaks against a combination: spec by spec, each with its reason; and nothing against those
// that are known to work.

#include "gossamer/experiment/advice.hpp"

#include <string>
#include <vector>

#include "tests/support/temporary_file.hpp"
#include "tests/train/runs.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Training on vectors of 200 numbers and 8 nodes, as most experiments of the papers' kind.
Settings training(const std::string& algorithm, const std::string& compressor,
                  const std::string& gamma = "") {
  Settings settings = {
      {"task", "quadratic"}, {"dim", "200"}, {"algorithm", algorithm}, {"compressor", compressor}};
  if (!gamma.empty()) settings.emplace_back("gamma", gamma);
  return settings;
}

Settings with(Settings settings, const std::string& key, const std::string& value) {
  settings.emplace_back(key, value);
  return settings;
}

std::vector<std::string> warnings_of(const Settings& settings) {
  return experiment_of(settings)->warnings;
}

TEST(Advice, SaysNothingAgainstWhatIsKnownToWorkInTraining) {
  const std::vector<Settings> good = {
      training("dpsgd", "identity"),
      training("allreduce", "identity"),
      training("choco", "qsgd:s=15", "0.6"),
      training("choco", "topk:0.1", "0.3"),
      training("choco", "topk:0.01", "0.05"),
      training("choco", "randk:0.1", "0.1"),
      training("choco", "sign", "0.45"),
      training("deepsqueeze", "topk:0.1", "0.05"),
      training("deepsqueeze", "sign", "0.01"),
      training("deepsqueeze", "sign", "0.05"),
      training("deepsqueeze", "sign", "0.45"),
      training("dcd", "identity"),
      training("dcd", "qsgd:s=255,unscaled"),
      training("dcd", "qsgd:s=15,unscaled"),
      training("dcd", "minmax:8"),
      training("dcd", "minmax:4"),
      training("dcd", "minmax:2"),
      training("ecd", "identity"),
      training("ecd", "minmax:16"),
      training("naive", "identity"),
      training("ef-sgd", "sign"),
      with(training("qsparse", "topk:0.1+qsgd:s=15"), "local-steps", "8"),
      with(training("qsparse-async", "topk:0.1"), "local-steps", "8"),
      with(training("local-sgd", "identity"), "local-steps", "4"),
  };
  for (const Settings& settings : good)
    EXPECT_THAT(warnings_of(settings), IsEmpty()) << settings[2].second << settings[3].second;
}

TEST(Advice, SaysNothingAgainstWhatIsKnownToWorkInConsensus) {
  const auto consensus = [](const std::string& algorithm, const std::string& compressor,
                            const std::string& gamma) {
    return Settings{
        {"task", "consensus"},      {"nodes", "25"}, {"dim", "2000"}, {"algorithm", algorithm},
        {"compressor", compressor}, {"gamma", gamma}};
  };
  EXPECT_THAT(warnings_of(consensus("exact", "identity", "1")), IsEmpty());
  EXPECT_THAT(warnings_of(consensus("choco", "qsgd:s=256", "1")), IsEmpty());
  EXPECT_THAT(warnings_of(consensus("choco", "topk:0.01", "0.046")), IsEmpty());
  EXPECT_THAT(warnings_of(consensus("choco", "randk:0.01", "0.011")), IsEmpty());
  for (const auto& [algorithm, compressor, gamma] :
       {std::array{"powergossip", "identity", "1.3084"}, std::array{"exact", "identity", "1.3084"},
        std::array{"choco", "topk:k=50", "0.02"}, std::array{"choco", "sign", "1"}}) {
    EXPECT_THAT(warnings_of({{"task", "consensus"},
                             {"matrix", "100x100"},
                             {"algorithm", algorithm},
                             {"compressor", compressor},
                             {"gamma", gamma}}),
                IsEmpty())
        << algorithm << " " << compressor;
  }
}

TEST(Advice, DcdWithABiasedCompressorStalls) {
  for (const char* biased : {"topk:0.1", "sign", "qsgd:8", "randk:0.5"}) {
    EXPECT_THAT(warnings_of(training("dcd", biased)),
                ElementsAre(AllOf(HasSubstr("unbiased"), HasSubstr(biased), HasSubstr("choco"))));
  }
}

TEST(Advice, DcdWithANoisyCompressorDiverges) {
  for (const char* noisy : {"qsgd:3,unscaled", "randk:0.1,unbiased", "randk:0.4,unbiased"}) {
    EXPECT_THAT(warnings_of(training("dcd", noisy)),
                ElementsAre(AllOf(HasSubstr("too noisy"), HasSubstr(noisy))));
  }
  EXPECT_THAT(warnings_of(training("dcd", "randk:0.5,unbiased")), IsEmpty()) << "omega is 1";
}

TEST(Advice, EcdNeedsAnUnbiasedCompressorOfSixteenBits) {
  EXPECT_THAT(warnings_of(training("ecd", "topk:0.1")),
              ElementsAre(AllOf(HasSubstr("ecd"), HasSubstr("'topk:0.1' is biased"))));
  for (const char* coarse : {"minmax:8", "minmax:4", "qsgd:s=255,unscaled"}) {
    EXPECT_THAT(warnings_of(training("ecd", coarse)),
                ElementsAre(AllOf(HasSubstr("extrapolations"), HasSubstr("below 16"))));
  }
}

TEST(Advice, ChocoWithAStepFarAboveItsCompressorsQualityMayDiverge) {
  EXPECT_THAT(warnings_of(training("choco", "topk:0.01", "0.1")),
              ElementsAre(AllOf(HasSubstr("gamma"), HasSubstr("delta"), HasSubstr("auto"))));
  // On matrices of 100 x 100, gamma = 0.03 stalls and 0.04 diverges with 50 entries.
  for (const char* gamma : {"0.03", "0.04"}) {
    EXPECT_EQ(warnings_of({{"task", "consensus"},
                           {"matrix", "100x100"},
                           {"algorithm", "choco"},
                           {"compressor", "topk:k=50"},
                           {"gamma", gamma}})
                  .size(),
              1u)
        << gamma;
  }
}

TEST(Advice, PlainStepsHaveALargestOneThatIsStable) {
  // A ring of 8 has lambda_n = -1/3, so that 2 / (1 - lambda_n) = 1.5.
  for (const char* algorithm : {"powergossip", "dpsgd", "exact"}) {
    EXPECT_THAT(warnings_of(training(algorithm, "identity", "1.49")), IsEmpty()) << algorithm;
    EXPECT_THAT(warnings_of(training(algorithm, "identity", "1.51")),
                ElementsAre(AllOf(HasSubstr(algorithm), HasSubstr("= 1.5 on this graph"),
                                  HasSubstr("1.51 is more"))));
  }
}

TEST(Advice, WholeModelsCompressedWithoutCompensationFail) {
  for (const char* algorithm : {"naive", "q1", "q2"}) {
    EXPECT_THAT(warnings_of(training(algorithm, "qsgd:8,unscaled")),
                ElementsAre(AllOf(HasSubstr(algorithm), HasSubstr("forgets the error"))));
  }
}

TEST(Advice, QsparseWithoutItsMemoryStalls) {
  for (const char* algorithm : {"qsparse:no-memory", "qsparse-async:common,no-memory"}) {
    EXPECT_THAT(warnings_of(training(algorithm, "topk:0.1")),
                ElementsAre(AllOf(HasSubstr("memory"), HasSubstr("stalls"))));
    EXPECT_THAT(warnings_of(training(algorithm, "identity")), IsEmpty());
  }
}

TEST(Advice, CompressedGossipNeedsASymmetricGraph) {
  EXPECT_THAT(warnings_of(with(training("choco", "topk:0.1", "0.1"), "topology", "exponential")),
              ElementsAre(AllOf(HasSubstr("symmetric"), HasSubstr("exponential"))));
  EXPECT_THAT(warnings_of(with(training("dpsgd", "identity"), "topology", "exponential")),
              IsEmpty());
}

TEST(Advice, AGraphThatIsNotUsedIsMentioned) {
  EXPECT_THAT(warnings_of(with(training("qsparse", "topk:0.1"), "topology", "star")),
              ElementsAre(AllOf(HasSubstr("qsparse"), HasSubstr("'star' is not used"))));
}

TEST(Refusal, ReplicasNeedAGraphThatDoesNotChange) {
  for (const char* algorithm : {"choco", "dcd", "ecd", "powergossip"}) {
    EXPECT_THAT(
        refusal_of(with(training(algorithm, "identity"), "topology", "one-peer-exponential")),
        AllOf(HasSubstr(algorithm), HasSubstr("does not change"),
              HasSubstr("one-peer-exponential")));
  }
  EXPECT_EQ(refusal_of(with(training("deepsqueeze", "topk:0.1", "0.1"), "topology",
                            "one-peer-exponential")),
            "not refused");
}

TEST(Refusal, PowerGossipNeedsPairs) {
  EXPECT_THAT(refusal_of(with(training("powergossip", "identity"), "topology", "exponential")),
              HasSubstr("edges that go one way"));
}

TEST(Refusal, ConsensusNeedsAnAlgorithmThatGossips) {
  for (const char* algorithm : {"allreduce", "ef-sgd", "qsparse", "qsparse-async"}) {
    EXPECT_THAT(refusal_of({{"task", "consensus"}, {"dim", "10"}, {"algorithm", algorithm}}),
                AllOf(HasSubstr(algorithm), HasSubstr("consensus has none")));
  }
}

TEST(Refusal, TheOrderOfArrivalCannotBeResumed) {
  const Settings arrival = training("qsparse-async:arrival", "topk:0.1");
  EXPECT_EQ(refusal_of(arrival), "not refused");
  EXPECT_THAT(refusal_of(with(arrival, "checkpoint-every", "10")),
              AllOf(HasSubstr("arrival"), HasSubstr("checkpoint")));
  EXPECT_EQ(refusal_of(with(training("qsparse-async", "topk:0.1"), "checkpoint-every", "10")),
            "not refused");
}

TEST(Refusal, ASimulatedNodeMustExist) {
  GammaTuner gammas;
  RunConfig config = config_of(with(training("dpsgd", "identity"), "network", "sim"));
  config.compute.per_node = {{8, std::chrono::seconds(1)}};
  const auto refused = make_experiment(config, gammas);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "sim.node: there is no node 8; the nodes are 0 to 7");
}

}  // namespace
}  // namespace gossamer::testing
