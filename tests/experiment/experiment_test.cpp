// What a config names is made and checked before the first round.

#include "gossamer/experiment/experiment.hpp"

#include <string>

#include "tests/support/temporary_file.hpp"
#include "tests/train/runs.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/topology/spectrum.hpp"

namespace gossamer::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// A GammaSource that counts how often it is asked.
class Counted final : public GammaSource {
 public:
  [[nodiscard]] Result<float> gamma_for(const Experiment&) override {
    ++asked;
    return 0.25f;
  }

  int asked = 0;
};

Settings small(Settings more) {
  Settings settings = {{"task", "quadratic"}, {"dim", "20"}, {"algorithm", "dpsgd"}};
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

TEST(Experiment, AMisspeltNameGetsTheNearestSuggested) {
  EXPECT_THAT(refusal_of(small({{"task", "quadratik"}})), HasSubstr("mean 'quadratic'?"));
  EXPECT_THAT(refusal_of(small({{"topology", "rign"}})), HasSubstr("mean 'ring'?"));
  EXPECT_THAT(refusal_of(small({{"algorithm", "dpgsd"}})), HasSubstr("mean 'dpsgd'?"));
  EXPECT_THAT(refusal_of(small({{"algorithm", "choco"}, {"compressor", "topkk:0.1"}})),
              HasSubstr("mean 'topk'?"));
  EXPECT_THAT(refusal_of(small({{"optimizer", "sdg"}})), HasSubstr("mean 'sgd'?"));
  EXPECT_THAT(refusal_of(small({{"schedule", "cosin"}})), HasSubstr("mean 'cosine'?"));
  EXPECT_THAT(refusal_of({{"task", "logistic"}, {"partition", "sortd"}, {"algorithm", "dpsgd"}}),
              HasSubstr("mean 'sorted'?"));
}

TEST(Experiment, HasAsManyNodesAsTheGraphSaysWhenNobodyElseDoes) {
  EXPECT_EQ(experiment_of(small({}))->config.nodes, 8u);
  EXPECT_EQ(experiment_of(small({{"nodes", "5"}}))->config.nodes, 5u);
  EXPECT_EQ(experiment_of(small({{"topology", "social"}}))->config.nodes, 32u);
  EXPECT_EQ(experiment_of(small({{"topology", "torus:3x4"}}))->config.nodes, 12u);
}

TEST(Experiment, ReportsAtLeastOneRound) {
  EXPECT_THAT(refusal_of(small({{"rounds", "10"}, {"report", "20,30"}})),
              HasSubstr("none of the rounds to report is within the 10"));
  EXPECT_EQ(refusal_of(small({{"rounds", "10"}, {"report", "5,20"}})), "not refused");
}

TEST(Experiment, RefusesWhatAnAlgorithmHasNot) {
  EXPECT_THAT(refusal_of(small({{"compressor", "sign"}})), HasSubstr("dpsgd sends everything"));
  EXPECT_THAT(refusal_of(small({{"algorithm", "dcd"}, {"gamma", "0.5"}})),
              HasSubstr("dcd has no step gamma; leave out gamma = 0.5"));
  EXPECT_THAT(refusal_of(small({{"algorithm", "dcd"}, {"gamma", "auto"}})),
              HasSubstr("dcd has no gamma to tune"));
  EXPECT_THAT(refusal_of(small({{"algorithm", "dcd"}, {"ordering", "atc"}})),
              HasSubstr("dcd has one ordering, cwa"));
  EXPECT_THAT(refusal_of(small({{"algorithm", "allreduce"}, {"local-steps", "2"}})),
              HasSubstr("local-sgd has"));
  EXPECT_THAT(refusal_of(small({{"algorithm", "powergossip:rang=2"}})),
              AllOf(HasSubstr("rang"), HasSubstr("rank")));
}

TEST(Experiment, RefusesABatchThatIsNone) {
  for (const char* batch : {"0", "-1", "half", "1.5"}) {
    EXPECT_EQ(refusal_of({{"batch", batch}, {"algorithm", "dpsgd"}}),
              std::string("batch must be a number of samples or 'full', not '") + batch + "'");
  }
}

TEST(Experiment, RefusesAGammaThatIsNone) {
  for (const char* gamma : {"0", "-1", "nan", "inf", "fast", "1e-60"}) {
    EXPECT_EQ(refusal_of(small({{"gamma", gamma}})),
              std::string("gamma must be a number above 0 or 'auto', not '") + gamma + "'");
  }
}

TEST(Experiment, TunesGammaWhenAskedAndForChocoAndDeepSqueezeByDefault) {
  const auto asked = [](const Settings& more) {
    Counted gammas;
    const auto experiment = make_experiment(config_of(small(more)), gammas);
    EXPECT_TRUE(experiment);
    EXPECT_TRUE(gammas.asked == 0 || experiment.value()->gamma == 0.25f);
    return gammas.asked;
  };
  EXPECT_EQ(asked({{"algorithm", "choco"}}), 1);
  EXPECT_EQ(asked({{"algorithm", "deepsqueeze"}}), 1);
  EXPECT_EQ(asked({{"algorithm", "choco"}, {"gamma", "0.3"}}), 0);
  EXPECT_EQ(asked({{"algorithm", "dpsgd"}}), 0);
  EXPECT_EQ(asked({{"algorithm", "dpsgd"}, {"gamma", "auto"}}), 1);
}

TEST(Experiment, HasGammaOneUnlessSomethingElseIsSaid) {
  EXPECT_EQ(experiment_of(small({}))->gamma, 1.0f);
  EXPECT_EQ(experiment_of(small({{"gamma", "0.5"}}))->gamma, 0.5f);
}

TEST(Experiment, PlainGossipTunesItsStepByFormula) {
  // A ring of 8: lambda_2 = 1/3 + 2/3 cos(pi / 4), lambda_n = -1/3; 2 / (2 - lambda_2 - lambda_n).
  for (const char* algorithm : {"dpsgd", "powergossip"}) {
    const auto experiment = experiment_of(small({{"algorithm", algorithm}, {"gamma", "auto"}}));
    EXPECT_NEAR(experiment->gamma, 1.30839, 1e-5) << algorithm;
  }
}

TEST(Experiment, HasOneMoreEndpointWhereThereIsACoordinator) {
  EXPECT_EQ(experiment_of(small({{"algorithm", "qsparse-async"}}))->endpoints(), 9u);
  EXPECT_EQ(experiment_of(small({{"algorithm", "qsparse"}}))->endpoints(), 8u);
}

// 400 samples on 4 nodes, two in a batch: 50 rounds per epoch.
TEST(Experiment, CountsEpochsOfASchedule) {
  const TemporaryFile rows = [] {
    std::string text;
    for (int i = 0; i < 400; ++i)
      text += i % 2 == 0 ? "1 1:1\n" : "-1 1:2\n";
    return TemporaryFile(text);
  }();
  const auto experiment = experiment_of({{"data", rows.path()},
                                         {"nodes", "4"},
                                         {"batch", "2"},
                                         {"lr", "1"},
                                         {"epochs", "8"},
                                         {"schedule", "step:at=2e/6e,factor=0.1,warmup=1e"}});
  EXPECT_EQ(experiment->config.rounds, 400u);
  EXPECT_EQ(experiment->schedule->at(0), 1.0 / 50);
  EXPECT_EQ(experiment->schedule->at(49), 1.0);
  EXPECT_EQ(experiment->schedule->at(99), 1.0);
  EXPECT_EQ(experiment->schedule->at(100), 0.1);
  EXPECT_NEAR(experiment->schedule->at(300), 0.01, 1e-17);
  EXPECT_THAT(refusal_of({{"task", "quadratic"}, {"schedule", "step:at=2e"}}),
              ::testing::HasSubstr("'2e' counts epochs, and quadratic has none; give rounds"));
}

}  // namespace
}  // namespace gossamer::testing
