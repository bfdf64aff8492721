#include "gossamer/train/measurement.hpp"

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

  [[nodiscard]] Measurement measure(std::span<const FloatBuffer> models) override {
    const Mean mean = mean_of(models);
    averaged_.view() = mean.cast<float>();
    Measurement measurement;
    measurement.objective = task_.loss(averaged_.view());
    if (const std::optional<double> optimum = task_.optimum())
      measurement.suboptimality = measurement.objective - *optimum;
    const Spread spread = spread_around(mean, models);
    measurement.consensus_distance = spread.sum / static_cast<double>(models.size());
    measurement.farthest_node = spread.farthest;
    measurement.watched = measurement.objective;
    return measurement;
  }

 private:
  const Task& task_;
  FloatBuffer averaged_;
};

class ConsensusMeter final : public Meter {
 public:
  explicit ConsensusMeter(std::span<const FloatBuffer> first)
      : mean_(mean_of(first)),
        norm_(std::sqrt(mean_.square().sum())),
        spread_(spread_around(mean_, first).sum) {}

  [[nodiscard]] Measurement measure(std::span<const FloatBuffer> models) override {
    const Mean mean = mean_of(models);
    Measurement measurement;
    // Nodes that agree at the start have nothing to lose; their error is absolute.
    const Spread from_first = spread_around(mean_, models);
    measurement.error = from_first.sum / (spread_ > 0.0 ? spread_ : 1.0);
    measurement.farthest_node = from_first.farthest;
    measurement.mean_drift = std::sqrt((mean - mean_).square().sum()) / (norm_ > 0.0 ? norm_ : 1.0);
    measurement.watched = measurement.error;
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
