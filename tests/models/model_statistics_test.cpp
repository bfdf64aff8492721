// What belongs to a network and has no gradient.

#include <vector>

#include "tests/models/model_cases.hpp"
#include "tests/models/model_state.hpp"
#include "tests/support/vectors.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Key;

std::unique_ptr<Task> resnet(const std::string& model) {
  return model_task({.task = "network", .data = shared_idx(8), .batch = 8, .model = model});
}

std::vector<float> statistics_of(const Objective& objective) {
  const CVec statistics = objective.statistics();
  return {statistics.begin(), statistics.end()};
}

// One step along no gradient at all: training alone moves them.
TEST(ModelStatistics, OfBatchNormMoveInTrainingAndAreShown) {
  const auto task = resnet("resnet20:norm=batch");
  const auto objective = task->objective_of(0);
  // Seven norms in each of three stages, or in front of the first, of 16, 32 and 64 channels; a
  // mean and a variance each.
  const std::vector<float> first = statistics_of(*objective);
  EXPECT_EQ(first.size(), 2u * 7 * (16 + 32 + 64));
  EXPECT_EQ(view(first).sum(), static_cast<float>(first.size()) / 2) << "means 0, variances 1";
  EXPECT_THAT(state_of(*objective).vectors, ElementsAre(Key("statistics")));

  std::vector<float> x(task->layout().size());
  objective->initialize({.seed = 1, .purpose = Purpose::kInit}, view(x));
  const Step taken = step(*objective, x, 0);
  const std::vector<float> moved = statistics_of(*objective);
  EXPECT_TRUE(same_bits(taken.state.vectors.at("statistics"), moved));
  for (std::size_t i = 0; i < moved.size(); ++i)
    EXPECT_NE(moved[i], first[i]) << i;
}

// What a checkpoint brings back is what the network then has.
TEST(ModelStatistics, OfBatchNormAreWhatWasRestored) {
  const auto task = resnet("resnet20:norm=batch");
  const auto trained = task->objective_of(0);
  std::vector<float> x(task->layout().size());
  trained->initialize({.seed = 1, .purpose = Purpose::kInit}, view(x));
  (void)step(*trained, x, 0);
  const auto other = task->objective_of(0);
  const double before = other->evaluate(view(x), other->statistics())->loss;
  restore(*other, state_of(*trained));
  EXPECT_TRUE(same_bits(statistics_of(*other), statistics_of(*trained)));
  const double after = other->evaluate(view(x), other->statistics())->loss;
  EXPECT_EQ(after, trained->evaluate(view(x), trained->statistics())->loss);
  EXPECT_NE(after, before) << "statistics matter to an evaluation";
}

TEST(ModelStatistics, OfOtherNormsThereAreNone) {
  const auto objective = resnet("resnet20:norm=group")->objective_of(0);
  EXPECT_EQ(objective->statistics().size(), 0);
  EXPECT_THAT(state_of(*objective).vectors, IsEmpty());
}

}  // namespace
}  // namespace gossamer::testing
