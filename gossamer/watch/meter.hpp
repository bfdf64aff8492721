#pragma once

#include <memory>
#include <optional>
#include <span>

#include "gossamer/base/time.hpp"
#include "gossamer/events/measurement.hpp"
#include "gossamer/experiment/experiment.hpp"
#include "gossamer/math/vec.hpp"

namespace gossamer {

/// What the nodes leave of one round, in the order of ids.
struct SeenModels {
  std::span<const FloatBuffer> models;
  std::span<const FloatBuffer> statistics = {};
  /// Of all models, and of their statistics behind it, where only one is seen and the nodes have
  /// taken it; empty: it is made of `models`.
  std::span<const float> mean = {};
  /// By the nodes themselves; nothing where they do not test their models.
  std::span<const std::optional<Evaluation>> evaluations = {};
  /// When the last one was left, by the clock of events.
  Time clock{};
};

/// Turns what the nodes leave into what is reported of them.
class Meter {
 public:
  Meter() = default;
  Meter(const Meter&) = delete;
  Meter& operator=(const Meter&) = delete;
  virtual ~Meter() = default;

  [[nodiscard]] virtual Measurement measure(const SeenModels& seen) = 0;
};

/// The experiment must outlive it.
[[nodiscard]] std::unique_ptr<Meter> make_meter(const Experiment& experiment);

}  // namespace gossamer
