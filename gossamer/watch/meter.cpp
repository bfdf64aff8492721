#include "gossamer/watch/meter.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace gossamer {
namespace {

// Means are taken in double precision, node by node in the order of ids: measuring must not be what
// limits how far consensus can be followed.
using Mean = Eigen::ArrayXd;

Mean mean_of(std::span<const FloatBuffer> models) {
  Mean mean = Mean::Zero(static_cast<Eigen::Index>(models.front().size()));
  for (const FloatBuffer& model : models)
    mean += model.view().cast<double>();
  return mean / static_cast<double>(models.size());
}

struct Spread {
  double sum = 0.0;  // of |x_i - center|^2
  NodeId farthest = 0;
};

Spread spread_around(const Mean& center, std::span<const FloatBuffer> models) {
  Spread spread;
  double largest = -1.0;
  for (std::size_t i = 0; i < models.size(); ++i) {
    const double distance = (models[i].view().cast<double>() - center).square().sum();
    spread.sum += distance;
    // A NaN is farther than all numbers, and the first one is the farthest.
    if (distance <= largest || std::isnan(largest)) continue;
    largest = distance;
    spread.farthest = static_cast<NodeId>(i);
  }
  return spread;
}

class TrainingMeter final : public Meter {
 public:
  explicit TrainingMeter(const Task& task) : task_(task), averaged_(task.layout().size()) {}

  [[nodiscard]] Measurement measure(const SeenModels& seen) override {
    const Mean mean = mean_of(seen.models);
    if (seen.mean.empty()) {
      averaged_.view() = mean.cast<float>();
    } else {
      averaged_.view() = CVec(seen.mean.data(), averaged_.view().size());
    }
    Measurement measurement;
    measurement.objective = task_.loss(averaged_.view());
    const std::optional<double> optimum = task_.optimum();
    if (measurement.objective && optimum)
      measurement.suboptimality = *measurement.objective - *optimum;
    measurement.tested = test(seen);
    const Spread spread = spread_around(mean, seen.models);
    measurement.consensus_distance = spread.sum / static_cast<double>(seen.models.size());
    measurement.farthest_node = spread.farthest;
    return measurement;
  }

 private:
  std::optional<Tested> test(const SeenModels& seen) {
    const std::optional<Evaluation> mean_model = test_mean_model(seen);
    if (!mean_model) return std::nullopt;
    Tested tested;
    tested.mean_model = *mean_model;
    add_own_models(seen, tested);
    return tested;
  }

  std::optional<Evaluation> test_mean_model(const SeenModels& seen) {
    // Each node's evaluation is its own; the average is nobody's, and gets an objective here.
    if (!judge_) judge_ = task_.objective_of(0);
    FloatBuffer statistics(seen.statistics.empty() ? 0 : seen.statistics.front().size());
    if (statistics.size() > 0 && seen.mean.empty()) {
      statistics.view() = mean_of(seen.statistics).cast<float>();
    } else if (statistics.size() > 0) {
      statistics.view() =
          CVec(seen.mean.data() + averaged_.size(), static_cast<Eigen::Index>(statistics.size()));
    }
    return judge_->evaluate(averaged_.view(), statistics.view());
  }

  static void add_own_models(const SeenModels& seen, Tested& tested) {
    if (seen.evaluations.empty() || !seen.evaluations.front()) return;
    const auto nodes = static_cast<double>(seen.evaluations.size());
    double losses = 0.0;
    double accuracies = 0.0;
    for (const std::optional<Evaluation>& own : seen.evaluations) {
      losses += own->loss / nodes;
      tested.loss_nodes_worst = std::max(tested.loss_nodes_worst.value_or(0.0), own->loss);
      if (!own->accuracy) continue;
      accuracies += *own->accuracy;
      tested.accuracy_nodes_worst =
          std::min(tested.accuracy_nodes_worst.value_or(1.0), *own->accuracy);
    }
    tested.loss_nodes_mean = losses;
    if (tested.accuracy_nodes_worst) tested.accuracy_nodes_mean = accuracies / nodes;
  }

  const Task& task_;
  FloatBuffer averaged_;
  std::unique_ptr<Objective> judge_;
};

class ConsensusMeter final : public Meter {
 public:
  explicit ConsensusMeter(std::span<const FloatBuffer> first)
      : mean_(mean_of(first)),
        norm_(std::sqrt(mean_.square().sum())),
        spread_(spread_around(mean_, first).sum) {}

  [[nodiscard]] Measurement measure(const SeenModels& seen) override {
    const Mean mean = mean_of(seen.models);
    Measurement measurement;
    // Nodes that agree at the start have nothing to lose; their error is absolute.
    const Spread from_first = spread_around(mean_, seen.models);
    measurement.error = from_first.sum / (spread_ > 0.0 ? spread_ : 1.0);
    measurement.farthest_node = from_first.farthest;
    measurement.mean_drift = std::sqrt((mean - mean_).square().sum()) / (norm_ > 0.0 ? norm_ : 1.0);
    return measurement;
  }

 private:
  Mean mean_;
  double norm_;
  double spread_;
};

}  // namespace

std::unique_ptr<Meter> make_meter(const Experiment& experiment) {
  if (experiment.task) return std::make_unique<TrainingMeter>(*experiment.task);
  return std::make_unique<ConsensusMeter>(experiment.consensus->models);
}

}  // namespace gossamer
