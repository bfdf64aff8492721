// Numbers that are reported, against plain sums in double precision.

#include "gossamer/watch/meter.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "tests/support/vectors.hpp"
#include "tests/train/runs.hpp"
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

using Models = std::vector<FloatBuffer>;

constexpr std::size_t kSize = 31;

Models normal_models(std::size_t nodes, std::uint64_t seed) {
  Models models;
  for (std::size_t i = 0; i < nodes; ++i)
    models.emplace_back(kSize).view() = view(normal_vector(kSize, seed + i));
  return models;
}

std::vector<double> plain_mean(const Models& models) {
  std::vector<double> mean(kSize, 0.0);
  for (const FloatBuffer& model : models) {
    for (std::size_t j = 0; j < kSize; ++j)
      mean[j] += double{model.data()[j]} / static_cast<double>(models.size());
  }
  return mean;
}

double plain_distance(const FloatBuffer& model, const std::vector<double>& center) {
  double sum = 0.0;
  for (std::size_t j = 0; j < kSize; ++j)
    sum += std::pow(double{model.data()[j]} - center[j], 2);
  return sum;
}

double plain_spread(const Models& models, const std::vector<double>& center) {
  double sum = 0.0;
  for (const FloatBuffer& model : models)
    sum += plain_distance(model, center);
  return sum;
}

std::unique_ptr<Experiment> quadratic(const std::string& nodes = "4") {
  return experiment_of({{"task", "quadratic"},
                        {"dim", std::to_string(kSize)},
                        {"nodes", nodes},
                        {"algorithm", "dpsgd"}});
}

std::unique_ptr<Experiment> consensus() {
  return experiment_of({{"task", "consensus"},
                        {"dim", std::to_string(kSize)},
                        {"nodes", "4"},
                        {"algorithm", "exact"}});
}

// A few hundred additions of numbers near one, in double precision and in another order.
constexpr double kRounding = 1e-12;

TEST(TrainingMeter, ReportsTheLossOfTheAveragedModel) {
  const auto experiment = quadratic();
  const Models models = normal_models(4, 5);
  const std::vector<double> mean = plain_mean(models);
  std::vector<float> averaged(mean.begin(), mean.end());
  const Measurement measured = make_meter(*experiment)->measure({models});
  const double loss = experiment->task->loss(view(std::as_const(averaged))).value();
  // The mean is rounded to float once; a mean that differs in its last bit before that may be
  // rounded the other way in one entry, and the loss moves by 1e-7 of its slope.
  EXPECT_NEAR(measured.objective.value(), loss, 1e-5 * loss);
  EXPECT_DOUBLE_EQ(*measured.suboptimality, *measured.objective - *experiment->task->optimum());
}

TEST(TrainingMeter, ReportsTheMeanSquaredDistanceFromTheMean) {
  const auto experiment = quadratic();
  const Models models = normal_models(4, 5);
  const Measurement measured = make_meter(*experiment)->measure({models});
  const double expected = plain_spread(models, plain_mean(models)) / 4.0;
  EXPECT_NEAR(measured.consensus_distance.value(), expected, kRounding * expected);
}

TEST(TrainingMeter, OfEqualModelsFindsNoDistance) {
  const auto experiment = quadratic();
  Models models;
  for (int i = 0; i < 4; ++i)
    models.emplace_back(kSize).view() = view(normal_vector(kSize, 9));
  // Sums of four equal floats are exact in double precision.
  EXPECT_EQ(make_meter(*experiment)->measure({models}).consensus_distance, 0.0);
}

TEST(TrainingMeter, NamesTheNodeThatIsFarthest) {
  const auto experiment = quadratic();
  Models models = normal_models(4, 5);
  models[2].view() *= 10.0f;
  EXPECT_EQ(make_meter(*experiment)->measure({models}).farthest_node, 2u);
}

TEST(TrainingMeter, NamesTheFirstNodeThatIsNotFinite) {
  const auto experiment = quadratic();
  // One NaN makes the mean, and so every distance, a NaN: no node is farther than another, and the
  // first one is named.
  Models models = normal_models(4, 5);
  models[1].data()[3] = std::numeric_limits<float>::quiet_NaN();
  const Measurement measured = make_meter(*experiment)->measure({models});
  EXPECT_TRUE(std::isnan(measured.objective.value()));
  EXPECT_TRUE(std::isnan(measured.consensus_distance.value()));
  EXPECT_EQ(measured.farthest_node, 0u);
}

TEST(ConsensusMeter, ReportsTheErrorOverThatOfTheStart) {
  const auto experiment = consensus();
  const Models& first = experiment->consensus->models;
  const Models models = normal_models(4, 50);
  const Measurement measured = make_meter(*experiment)->measure({models});
  const std::vector<double> wanted = plain_mean(first);
  const double expected = plain_spread(models, wanted) / plain_spread(first, wanted);
  EXPECT_NEAR(measured.error.value(), expected, kRounding * expected);
}

TEST(ConsensusMeter, ReportsHowFarTheMeanHasMoved) {
  const auto experiment = consensus();
  const Models models = normal_models(4, 50);
  const std::vector<double> mean = plain_mean(models);
  const std::vector<double> wanted = plain_mean(experiment->consensus->models);
  double moved = 0.0;
  double norm = 0.0;
  for (std::size_t j = 0; j < kSize; ++j) {
    moved += std::pow(mean[j] - wanted[j], 2);
    norm += wanted[j] * wanted[j];
  }
  const double expected = std::sqrt(moved / norm);
  EXPECT_NEAR(make_meter(*experiment)->measure({models}).mean_drift.value(), expected,
              kRounding * expected);
}

TEST(ConsensusMeter, StartsAtOneWithoutDrift) {
  const auto experiment = consensus();
  const Measurement measured = make_meter(*experiment)->measure({experiment->consensus->models});
  EXPECT_EQ(measured.error, 1.0);
  EXPECT_EQ(measured.mean_drift, 0.0);
}

TEST(ConsensusMeter, NamesTheNodeThatIsFarthestFromWhatTheMeanWas) {
  const auto experiment = consensus();
  Models models = normal_models(4, 50);
  models[3].view() += 100.0f;
  EXPECT_EQ(make_meter(*experiment)->measure({models}).farthest_node, 3u);
}

TEST(ConsensusMeter, OfNodesThatAgreeAtTheStartReportsAbsoluteNumbers) {
  const auto experiment = consensus();
  for (FloatBuffer& model : experiment->consensus->models)
    model.view() = 0.0f;
  Models models = normal_models(4, 50);
  const Measurement measured = make_meter(*experiment)->measure({models});
  const double expected = plain_spread(models, std::vector<double>(kSize, 0.0));
  EXPECT_NEAR(measured.error.value(), expected, kRounding * expected);
  EXPECT_TRUE(std::isfinite(measured.mean_drift.value()));
}

}  // namespace
}  // namespace gossamer::testing
