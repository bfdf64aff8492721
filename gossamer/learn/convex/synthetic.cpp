#include "gossamer/learn/convex/synthetic.hpp"

#include <cmath>
#include <utility>
#include <vector>

#include "gossamer/base/contract.hpp"
#include "gossamer/base/portable_math.hpp"
#include "gossamer/learn/data_key.hpp"

namespace gossamer {
namespace {

constexpr double kSteepness = 6;
constexpr double kLabelNoise = 0.1;

// One row of unit length.
void draw_features(Rng& rng, std::vector<double>& a) {
  double squares = 0;
  for (std::size_t j = 0; j < a.size(); ++j) {
    a[j] = rng.normal() / std::sqrt(static_cast<double>(j + 1));
    squares += a[j] * a[j];
  }
  const double length = std::sqrt(squares);
  for (double& value : a)
    value /= length;
}

// `draw_label` makes a label from a.w and the random numbers that follow the row's.
template <typename DrawLabel>
Dataset draw(const SyntheticSetup& setup, DataStream stream, DrawLabel draw_label) {
  expects(setup.rows > 0 && setup.columns > 0, "a data set has rows and columns");
  Rng rng(data_key(setup.seed, stream));
  std::vector<double> w(setup.columns);
  for (double& value : w)
    value = rng.normal();

  std::vector<double> labels;
  std::vector<float> values;
  labels.reserve(setup.rows);
  values.reserve(setup.rows * setup.columns);
  std::vector<double> a(setup.columns);
  for (std::size_t i = 0; i < setup.rows; ++i) {
    draw_features(rng, a);
    double margin = 0;
    for (std::size_t j = 0; j < a.size(); ++j) {
      margin += a[j] * w[j];
      values.push_back(static_cast<float>(a[j]));
    }
    labels.push_back(draw_label(margin, rng));
  }
  return Dataset::dense(std::move(labels), std::move(values));
}

}  // namespace

Dataset synthetic_logistic(const SyntheticSetup& setup) {
  return draw(setup, DataStream::kLogisticSet, [](double margin, Rng& rng) {
    return rng.uniform() * (1 + portable_exp(-kSteepness * margin)) < 1 ? 1.0 : -1.0;
  });
}

Dataset synthetic_least_squares(const SyntheticSetup& setup) {
  return draw(setup, DataStream::kLeastSquaresSet,
              [](double margin, Rng& rng) { return margin + kLabelNoise * rng.normal(); });
}

}  // namespace gossamer
