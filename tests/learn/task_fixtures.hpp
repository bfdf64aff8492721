#pragma once

#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/vectors.hpp"
#include <fmt/format.h>

#include "gossamer/learn/convex/dataset.hpp"
#include "gossamer/learn/registry.hpp"

namespace gossamer::testing {

/// The task, or an exception that fails the test with the reason.
inline std::unique_ptr<Task> task(const TaskSetup& setup) {
  Result<std::unique_ptr<Task>> made = make_task(setup);
  if (!made) throw std::runtime_error(made.error().message);
  return std::move(made).value();
}

/// Why there is no such task; empty if there is.
inline std::string refusal(const TaskSetup& setup) {
  const Result<std::unique_ptr<Task>> made = make_task(setup);
  return made ? "" : made.error().message;
}

/// A set's rows in the LIBSVM format, every number with all its digits; `extra` ends the
/// first line.
inline std::string text_of(const Dataset& set, std::string_view extra = "") {
  std::string text;
  for (std::size_t i = 0; i < set.rows(); ++i) {
    text += fmt::format("{}", set.labels()[i]);
    for (std::size_t j = 0; j < set.columns(); ++j)
      text += fmt::format(" {}:{}", j + 1, set.row(i).values[j]);
    text += i == 0 ? fmt::format("{}\n", extra) : "\n";
  }
  return text;
}

struct LossAndGradient {
  double loss = 0;
  std::vector<float> gradient;

  bool operator==(const LossAndGradient&) const = default;
};

inline RngKey batch_key(NodeId node, Round round) {
  return {.seed = 9, .purpose = Purpose::kBatch, .node = node, .round = round};
}

inline LossAndGradient gradient_of(Objective& objective, const std::vector<float>& x,
                                   const RngKey& batch) {
  LossAndGradient result{0, std::vector<float>(x.size())};
  result.loss = objective.gradient(view(x), batch, view(result.gradient));
  return result;
}

/// A model whose entries are multiples of 2^-10, so that steps of this size along an axis are
/// exact.
inline std::vector<float> grid_model(std::size_t size, std::uint64_t seed) {
  std::vector<float> x = normal_vector(size, seed);
  for (float& value : x)
    value = std::round(value * 1024) / 1024;
  return x;
}

}  // namespace gossamer::testing
