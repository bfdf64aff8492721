#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "gossamer/base/ids.hpp"
#include "gossamer/base/result.hpp"
#include "gossamer/learn/sampler.hpp"
#include "gossamer/learn/task.hpp"

namespace gossamer {

/// A line about one task.
struct TaskInfo {
  std::string_view name;
  std::string_view summary;  // one sentence
};

/// All tasks there are, in the order in which users read about them.
[[nodiscard]] std::span<const TaskInfo> tasks();

/// What a task is made from. A task refuses what it has no use for, unless it is the default.
struct TaskSetup {
  std::string task;
  /// A file or a folder; empty: the built-in set, or fashion-mnist for networks.
  std::string data = {};
  /// L of the term L/2 |x|^2; 1 / samples if none is given.
  std::optional<double> l2 = std::nullopt;
  /// How samples are split among nodes: make_partition().
  std::string partition = "iid";
  /// Samples per gradient; nothing: all that a node has.
  std::optional<std::size_t> batch = 1;
  /// How these are drawn.
  Sampling sampling = Sampling::kEpochs;
  NodeId nodes = 1;
  /// Decides the built-in data, the split and the quadratics.
  std::uint64_t seed = 0;
  /// Length of the model of `quadratic`, or of a built-in set's rows; 0: 100, or 200.
  std::size_t dim = 0;
  /// Largest curvature of `quadratic`; the smallest is 1.
  double condition = 10;
  /// Standard deviation of what `quadratic` adds to each entry of a gradient.
  double noise = 0;

  // Of networks.
  /// `lenet`, `lstm:hidden=650`, a TorchScript file.
  std::string model = {};
  /// What a TorchScript file's output means, and which pictures it takes; empty: what it says
  /// itself.
  std::string loss = {};
  std::string input_shape = {};
  /// What is done to pictures before training sees them: `flip,crop=4`.
  std::string augment = "none";
  /// Words that a language model knows.
  std::size_t vocabulary = 10'000;

  bool operator==(const TaskSetup&) const = default;
};

/// Makes the task, and reads its data. A file that is missing, or an option that the task has no
/// use for, is an error.
[[nodiscard]] Result<std::unique_ptr<Task>> make_task(const TaskSetup& setup);

}  // namespace gossamer
