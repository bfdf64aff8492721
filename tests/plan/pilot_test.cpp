// Short training runs, and what they say of long ones.

#include "gossamer/plan/pilot.hpp"

#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/experiment/experiment.hpp"

namespace gossamer {
namespace {

using ::testing::HasSubstr;
using Quantity = Target::Quantity;
using Source = RoundsToTarget::Source;

// Four nodes that share a quadratic without noise: its loss falls by a factor in every round.
PilotSetup quadratic(double loss, Round rounds) {
  PilotSetup setup;
  setup.config.task = "quadratic";
  setup.config.dim = 10;
  setup.config.nodes = 4;
  setup.config.lr = 0.1;
  setup.target = {Quantity::kLoss, loss};
  setup.rounds = rounds;
  return setup;
}

Candidate on_ring(std::string_view method) {
  return {parse_methods(method).value().front(), "ring"};
}

class NoStep final : public GammaSource {
 public:
  [[nodiscard]] Result<float> gamma_for(const Experiment&) override { return 1.0f; }
};

std::unique_ptr<Experiment> experiment_of(const PilotSetup& setup) {
  NoStep none;
  RunConfig config = setup.config;
  config.algorithm = "dpsgd";
  return std::move(make_experiment(config, none)).value();
}

TEST(Pilot, LooksMoreOftenAtTheBeginning) {
  const Pilot pilot = run_pilot(on_ring("allreduce"), quadratic(1e-300, 64));
  std::vector<Round> rounds;
  for (const ErrorAfter& point : pilot.run)
    rounds.push_back(point.round);
  EXPECT_THAT(rounds, ::testing::ElementsAre(2, 3, 4, 5, 7, 9, 11, 13, 17, 21, 26, 33, 41, 51, 64));
}

TEST(Pilot, StopsWhenItIsThere) {
  const Pilot whole = run_pilot(on_ring("allreduce"), quadratic(1e-300, 64));
  const double halfway = whole.run[4].error;  // after 7 rounds: it still falls
  const Pilot pilot = run_pilot(on_ring("allreduce"), quadratic(halfway, 64));
  EXPECT_EQ(pilot.to_target.source, Source::kSeen);
  EXPECT_NEAR(pilot.to_target.rounds, 7, 1e-6);
  EXPECT_LT(pilot.run.back().round, 17u);
  EXPECT_EQ(pilot.trouble, "");
}

TEST(Pilot, TunesTheStepOfMethodsThatNeedOne) {
  PilotSetup setup = quadratic(1e-300, 8);
  setup.config.nodes = 2;  // tuning is a thousand rounds of them, twenty times
  const Pilot plain = run_pilot(on_ring("dpsgd"), setup);
  EXPECT_EQ(plain.gamma, 1.0f);
  const Pilot tuned = run_pilot(on_ring("choco/topk:0.1"), setup);
  EXPECT_LT(tuned.gamma, 1.0f);
  const Pilot given = run_pilot(on_ring("choco/topk:0.1@0.05"), setup);
  EXPECT_EQ(given.gamma, 0.05f);
}

TEST(Pilot, OfARunThatDivergesSaysSo) {
  PilotSetup setup = quadratic(1e-3, 200);
  setup.config.lr = 10;
  const Pilot pilot = run_pilot(on_ring("allreduce"), setup);
  EXPECT_EQ(pilot.to_target.source, Source::kNone);
  EXPECT_NE(pilot.trouble, "");
}

TEST(Pilot, OfAMethodThatCannotRunSaysWhy) {
  const Pilot pilot = run_pilot(on_ring("choco/sign@-1"), quadratic(1e-3, 8));
  EXPECT_EQ(pilot.to_target.source, Source::kNone);
  EXPECT_THAT(pilot.trouble, HasSubstr("gamma must be"));
}

TEST(Pilot, HasFewNodesIfTheGraphCan) {
  PilotSetup setup = quadratic(1e-300, 8);
  setup.config.nodes = 12;
  setup.most_nodes = 8;
  EXPECT_EQ(run_pilot(on_ring("dpsgd"), setup).nodes, 8u);
  Candidate fixed = on_ring("dpsgd");
  fixed.topology = "torus:3x4";
  EXPECT_EQ(run_pilot(fixed, setup).nodes, 12u);
}

TEST(Target, ThatTheTaskDoesNotMeasureIsRefused) {
  const auto experiment = experiment_of(quadratic(1, 8));
  EXPECT_TRUE(check_target(*experiment->task, {Quantity::kLoss, 0.1}));
  EXPECT_EQ(check_target(*experiment->task, {Quantity::kAccuracy, 0.9}).error().message,
            "this task has no accuracy: give a loss to reach instead");
}

TEST(Target, ThatNoModelReachesIsRefused) {
  const auto experiment = experiment_of(quadratic(1, 8));
  EXPECT_EQ(check_target(*experiment->task, {Quantity::kAccuracy, 85}).error().message,
            "an accuracy is between 0 and 1, as 0.85; 85 is not");
  EXPECT_EQ(check_target(*experiment->task, {Quantity::kLoss, 0}).error().message,
            "a loss to reach is above 0; 0 is not");
}

}  // namespace
}  // namespace gossamer
