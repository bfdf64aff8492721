#include "gossamer/events/figures.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

using ::testing::Contains;
using ::testing::Not;

TEST(Figures, AreFoundByTheirNames) {
  Measurement measurement;
  measurement.round = 7;
  measurement.suboptimality = 0.25;
  measurement.error = 0.5;
  EXPECT_EQ(figure(measurement, "round"), 7.0);
  EXPECT_EQ(figure(measurement, "suboptimality"), 0.25);
  EXPECT_EQ(figure(measurement, "error"), 0.5);
}

TEST(Figures, ThatWereNotMeasuredAreLeftOut) {
  EXPECT_EQ(figure(Measurement{}, "suboptimality"), std::nullopt);
  EXPECT_EQ(figure(Measurement{}, "error"), std::nullopt);
  EXPECT_EQ(figure(Measurement{}, "objective"), std::nullopt);
}

TEST(Figures, OfALanguageModelArePerplexities) {
  Measurement measurement;
  measurement.tested = Tested{{2.0, std::nullopt}, 3.0, 4.0, std::nullopt, std::nullopt};
  EXPECT_EQ(figure(measurement, "perplexity_mean_model"), std::exp(2.0));
  EXPECT_EQ(figure(measurement, "perplexity_nodes_worst"), std::exp(4.0));
  EXPECT_EQ(figure(measurement, "test_accuracy_mean_model"), std::nullopt);
}

TEST(Figures, HaveTheNamesThatSomeRunHas) {
  const std::vector<std::string> trained = figure_names_of_training();
  for (const char* name :
       {"round", "epoch", "objective", "suboptimality", "train_loss", "test_accuracy_nodes_worst",
        "perplexity_nodes_mean", "payload_bytes_per_node", "seconds_wait", "edges_back"})
    EXPECT_THAT(trained, Contains(name).Times(1));
  EXPECT_THAT(trained, Not(Contains("error")));
  EXPECT_THAT(figure_names_of_consensus(), Contains("mean_drift"));
  EXPECT_THAT(figure_names_of_consensus(), Not(Contains("objective")));
}

}  // namespace
}  // namespace gossamer::testing
