// Binary logistic regression: the loss of a sample is log(1 + exp(-b a.x)), b = -1 or +1.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "gossamer/base/portable_math.hpp"
#include "gossamer/learn/convex/libsvm.hpp"
#include "gossamer/learn/convex/linear_model.hpp"
#include "gossamer/learn/convex/synthetic.hpp"
#include "gossamer/learn/factory.hpp"

namespace gossamer {
namespace {

// Only exp of a number that is not positive is ever taken, so nothing overflows.
PointLoss logistic_loss(double prediction, double label) {
  const double margin = label * prediction;
  const double e = portable_exp(-std::abs(margin));
  const double wrong = (margin < 0 ? 1 : e) / (1 + e);  // the probability of the other label
  return {portable_log1p(e) + std::max(-margin, 0.0), -label * wrong, e / ((1 + e) * (1 + e))};
}

// Takes -1 and +1, or 0 and 1, and makes the first of the second.
Result<void> make_labels_signs(std::span<double> labels) {
  const bool has_zeros = std::ranges::find(labels, 0.0) != labels.end();
  const double low = has_zeros ? 0 : -1;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] == 1) continue;
    if (labels[i] != low) {
      return Error{
          fmt::format("logistic: labels must be -1 and +1, or 0 and 1; beside {} sample {} has {}",
                      has_zeros ? "0" : "-1 or +1", i + 1, labels[i])};
    }
    labels[i] = -1;
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<Task>> make_logistic(const TaskSetup& setup) {
  if (const Result<void> options = expect_options_of_samples(setup); !options)
    return options.error();
  Result<Dataset> data =
      setup.data.empty() ? synthetic_logistic(built_in_set(setup)) : read_libsvm(setup.data);
  if (!data) return data.error();
  if (const Result<void> signs = make_labels_signs(data.value().labels()); !signs)
    return signs.error();
  return make_linear_model(setup, std::move(data).value(), logistic_loss);
}

}  // namespace gossamer
