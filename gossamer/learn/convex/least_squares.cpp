// Linear regression: the loss of a sample is (a.x - b)^2 / 2.
#include <utility>

#include "gossamer/learn/convex/libsvm.hpp"
#include "gossamer/learn/convex/linear_model.hpp"
#include "gossamer/learn/convex/synthetic.hpp"
#include "gossamer/learn/factory.hpp"

namespace gossamer {
namespace {

PointLoss squared_loss(double prediction, double label) {
  const double miss = prediction - label;
  return {miss * miss / 2, miss, 1};
}

}  // namespace

Result<std::unique_ptr<Task>> make_least_squares(const TaskSetup& setup) {
  if (const Result<void> options = expect_options_of_samples(setup); !options)
    return options.error();
  Result<Dataset> data =
      setup.data.empty() ? synthetic_least_squares(built_in_set(setup)) : read_libsvm(setup.data);
  if (!data) return data.error();
  return make_linear_model(setup, std::move(data).value(), squared_loss);
}

}  // namespace gossamer
