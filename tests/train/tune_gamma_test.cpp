#include "gossamer/train/tune_gamma.hpp"

#include <string>

#include "tests/support/temporary_folder.hpp"
#include "tests/train/runs.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/base/file.hpp"
#include "gossamer/train/run_folder.hpp"

namespace gossamer::testing {
namespace {

using ::testing::HasSubstr;

/// The experiment before its gamma is known.
std::unique_ptr<Experiment> untuned(const std::string& compressor, const std::string& dim = "200",
                                    const std::string& algorithm = "choco") {
  return experiment_of({{"task", "consensus"},
                        {"nodes", "2"},
                        {"topology", "complete"},
                        {"dim", dim},
                        {"algorithm", algorithm},
                        {"compressor", compressor},
                        {"gamma", "1"}});
}

TEST(TuneGamma, PicksALargeStepForACompressorThatLosesLittle) {
  // Two nodes that send everything agree in one round with a step of 1.
  const auto tuning = tune_gamma(*untuned("qsgd:16"));
  ASSERT_TRUE(tuning) << tuning.error().message;
  EXPECT_EQ(tuning.value().best, 1.0f);
}

TEST(TuneGamma, PicksASmallStepForACompressorThatLosesALot) {
  const auto tuning = tune_gamma(*untuned("topk:0.01"));
  ASSERT_TRUE(tuning);
  // delta is 0.01, and 0.5 to 5 times it works.
  EXPECT_GT(tuning.value().best, 0.005f);
  EXPECT_LT(tuning.value().best, 0.06f);
  EXPECT_FALSE(tuning.value().trials.back().reached);
}

TEST(TuneGamma, TriesTwentyStepsFromAThousandthToOne) {
  const auto tuning = tune_gamma(*untuned("topk:0.1", "20"));
  ASSERT_TRUE(tuning);
  const std::vector<GammaTrial>& trials = tuning.value().trials;
  ASSERT_EQ(trials.size(), 20u);
  EXPECT_FLOAT_EQ(trials.front().gamma, 1e-3f);
  EXPECT_EQ(trials.back().gamma, 1.0f);
  for (std::size_t i = 1; i < trials.size(); ++i)
    EXPECT_NEAR(trials[i].gamma / trials[i - 1].gamma, std::pow(10.0, 3.0 / 19.0), 1e-5);
  EXPECT_EQ(tuning.value().nodes, 2u);
  EXPECT_EQ(tuning.value().dim, 20u);
}

TEST(TuneGamma, FindsTheSameEveryTime) {
  const auto first = tune_gamma(*untuned("randk:0.2", "20"));
  const auto second = tune_gamma(*untuned("randk:0.2", "20"));
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first.value().best, second.value().best);
  for (std::size_t i = 0; i < first.value().trials.size(); ++i)
    EXPECT_EQ(first.value().trials[i].error, second.value().trials[i].error);
}

TEST(TuneGamma, HasNothingToTuneForMostAlgorithms) {
  GammaTuner tuner;
  for (const char* algorithm : {"dcd", "ecd", "naive", "q1"}) {
    const auto gamma = tuner.gamma_for(*untuned("qsgd:8", "20", algorithm));
    ASSERT_FALSE(gamma);
    EXPECT_THAT(gamma.error().message, HasSubstr(std::string(algorithm) + " has no gamma to tune"));
  }
}

class CachedGammasTest : public ::testing::Test {
 protected:
  float gamma_of(const Experiment& experiment) const {
    CachedGammas cache(path());
    const Result<float> gamma = cache.gamma_for(experiment);
    EXPECT_TRUE(gamma) << gamma.error().message;
    return gamma.value();
  }

  [[nodiscard]] std::string path() const { return folder.path("gamma.json"); }

  [[nodiscard]] std::string content() const {
    const auto bytes = read_file(path());
    return bytes ? std::string(bytes.value().begin(), bytes.value().end()) : "";
  }

  // Puts another number into the file, as a sign that it was read.
  void replace_gamma(const std::string& number) const {
    const std::string text = content();
    const std::size_t place = text.find("\"gamma\":");
    ASSERT_NE(place, std::string::npos) << text;
    ASSERT_TRUE(write_file(path(), as_bytes(text.substr(0, place) + "\"gamma\":" + number + "}")));
  }

  TemporaryFolder folder;
};

// A run whose step is a formula, so that asking for it takes no time.
std::unique_ptr<Experiment> plain(const std::string& nodes = "8", const std::string& dim = "10",
                                  const std::string& algorithm = "dpsgd") {
  return experiment_of({{"task", "consensus"},
                        {"nodes", nodes},
                        {"dim", dim},
                        {"algorithm", algorithm},
                        {"gamma", "1"}});
}

TEST_F(CachedGammasTest, AskTheTunerOnceAndTheFileFromThenOn) {
  const auto experiment = plain();
  const float tuned = gamma_of(*experiment);
  EXPECT_EQ(gamma_of(*experiment), tuned);
  replace_gamma("0.125");
  EXPECT_EQ(gamma_of(*experiment), 0.125f);
}

TEST_F(CachedGammasTest, DoNotTakeTheStepOfAnotherRun) {
  const auto experiment = plain();
  const float tuned = gamma_of(*experiment);
  for (const auto& other : {plain("9"), plain("8", "12"), plain("8", "10", "powergossip")}) {
    ASSERT_EQ(gamma_of(*experiment), tuned);
    replace_gamma("0.125");
    EXPECT_NE(gamma_of(*other), 0.125f);
  }
}

TEST_F(CachedGammasTest, TuneAgainWhenTheFileIsDamaged) {
  const auto experiment = plain();
  const float tuned = gamma_of(*experiment);
  const std::string good = content();
  for (const std::string& bad :
       {std::string(), std::string("{"), std::string("[1]"), std::string("7"),
        std::string(R"({"for": 3, "gamma": 0.5})"), std::string(R"({"gamma": 0.5})"),
        good.substr(0, good.size() / 2)}) {
    ASSERT_TRUE(write_file(path(), as_bytes(bad)));
    EXPECT_EQ(gamma_of(*experiment), tuned) << bad;
    EXPECT_EQ(content(), good);
  }
  for (const char* number : {"\"0.5\"", "null", "-1", "0"}) {
    replace_gamma(number);
    EXPECT_EQ(gamma_of(*experiment), tuned) << number;
  }
}

TEST_F(CachedGammasTest, ThatCannotBeWrittenAreAnError) {
  CachedGammas cache(folder.path("none/gamma.json"));
  const Result<float> gamma = cache.gamma_for(*plain());
  ASSERT_FALSE(gamma);
  EXPECT_THAT(gamma.error().message, HasSubstr("none/gamma.json"));
}

}  // namespace
}  // namespace gossamer::testing
