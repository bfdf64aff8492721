#pragma once

#include <memory>

#include "gossamer/base/result.hpp"
#include "gossamer/learn/convex/dataset.hpp"
#include "gossamer/learn/convex/synthetic.hpp"
#include "gossamer/learn/registry.hpp"
#include "gossamer/learn/task.hpp"

namespace gossamer {

/// A sample's loss as a function of the prediction a.x, with its first and second derivative by
/// that prediction. Convex.
struct PointLoss {
  double value = 0;
  double slope = 0;
  double curvature = 0;
};

using PointLossFunction = PointLoss (*)(double prediction, double label);

/// Refuses the options that a task made of samples does not have. Call it before reading data.
[[nodiscard]] Result<void> expect_options_of_samples(const TaskSetup& setup);

/// The built-in set for a task without a data file: of its usual size, or with `dim` features.
[[nodiscard]] SyntheticSetup built_in_set(const TaskSetup& setup);

/// The task mean_i loss(a_i.x, b_i) + L/2 |x|^2. The model starts at 0 and has one block.
[[nodiscard]] Result<std::unique_ptr<Task>> make_linear_model(const TaskSetup& setup, Dataset data,
                                                              PointLossFunction loss);

}  // namespace gossamer
