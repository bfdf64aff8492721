// Which models reports test: each node's own and their mean, or only that.

#include <atomic>
#include <memory>
#include <utility>

#include "tests/train/runs.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/events/figures.hpp"

namespace gossamer::testing {
namespace {

/// Learns as another objective does, and counts how often it is tested.
class TestedObjective final : public Objective {
 public:
  TestedObjective(std::unique_ptr<Objective> learned, bool has_accuracy, std::atomic<int>& tests)
      : learned_(std::move(learned)), has_accuracy_(has_accuracy), tests_(tests) {}

  [[nodiscard]] const Layout& layout() const override { return learned_->layout(); }

  void initialize(const RngKey& key, Vec x) const override { learned_->initialize(key, x); }

  double gradient(CVec x, const RngKey& batch, Vec g) override {
    return learned_->gradient(x, batch, g);
  }

  [[nodiscard]] std::optional<Evaluation> evaluate(CVec x, CVec) override {
    ++tests_;
    const double loss = double{x.square().sum()};
    return Evaluation{loss, has_accuracy_ ? std::optional(1 / (1 + loss)) : std::nullopt};
  }

 private:
  std::unique_ptr<Objective> learned_;
  bool has_accuracy_;
  std::atomic<int>& tests_;
};

class TestedTask final : public Task {
 public:
  TestedTask(std::shared_ptr<const Task> learned, bool has_accuracy)
      : learned_(std::move(learned)), has_accuracy_(has_accuracy) {}

  [[nodiscard]] const Layout& layout() const override { return learned_->layout(); }

  [[nodiscard]] std::unique_ptr<Objective> objective_of(NodeId id) const override {
    return std::make_unique<TestedObjective>(learned_->objective_of(id), has_accuracy_, tests_);
  }

  [[nodiscard]] std::optional<double> loss(CVec x) const override { return learned_->loss(x); }

  [[nodiscard]] std::optional<double> optimum() const override { return learned_->optimum(); }

  [[nodiscard]] int tests() const { return tests_; }

 private:
  std::shared_ptr<const Task> learned_;
  bool has_accuracy_;
  mutable std::atomic<int> tests_ = 0;
};

struct TestedRun {
  Recorded recorded;
  int tests = 0;

  [[nodiscard]] std::optional<double> last(const char* name) const {
    return figure(recorded.reports.back(), name);
  }
};

// Three nodes, and two reports.
TestedRun run_tested(bool tests_own_models, bool has_accuracy = true) {
  const auto experiment = experiment_of({{"task", "quadratic"},
                                         {"dim", "5"},
                                         {"nodes", "3"},
                                         {"algorithm", "dpsgd"},
                                         {"rounds", "4"},
                                         {"report", "2,4"}});
  auto task = std::make_unique<TestedTask>(std::move(experiment->task), has_accuracy);
  const TestedTask& counts = *task;
  experiment->task = std::move(task);
  RunOptions options;
  options.tests_own_models = tests_own_models;
  TestedRun run;
  run.recorded = record(*experiment, options);
  run.tests = counts.tests();
  return run;
}

TEST(OwnModels, AreTestedBesideTheirMean) {
  const TestedRun run = run_tested(true);
  EXPECT_EQ(run.tests, 2 * (3 + 1));
  EXPECT_LE(run.last("test_accuracy_nodes_worst").value(),
            run.last("test_accuracy_nodes_mean").value());
}

TEST(OwnModels, AreLeftOutWhereOnlyTheMeanIsWanted) {
  const TestedRun run = run_tested(false);
  EXPECT_EQ(run.tests, 2);
  EXPECT_EQ(run.last("test_accuracy_nodes_mean"), std::nullopt);
  EXPECT_EQ(run.last("test_accuracy_nodes_worst"), std::nullopt);
  const TestedRun whole = run_tested(true);
  EXPECT_EQ(run.last("test_loss").value(), whole.last("test_loss").value());
  EXPECT_EQ(run.last("test_accuracy_mean_model").value(),
            whole.last("test_accuracy_mean_model").value());
}

TEST(OwnModels, OfLanguageAreLeftOutInTheSameWay) {
  EXPECT_TRUE(run_tested(true, false).last("perplexity_nodes_worst"));
  const TestedRun run = run_tested(false, false);
  EXPECT_TRUE(run.last("perplexity_mean_model"));
  EXPECT_EQ(run.last("perplexity_nodes_mean"), std::nullopt);
  EXPECT_EQ(run.last("perplexity_nodes_worst"), std::nullopt);
}

TEST(OwnModels, OfATaskWithoutTestsAreNotTested) {
  const Recorded recorded = record(Settings{{"task", "quadratic"}, {"rounds", "1"}});
  EXPECT_FALSE(recorded.reports.back().tested);
}

}  // namespace
}  // namespace gossamer::testing
