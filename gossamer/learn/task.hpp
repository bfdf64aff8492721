#pragma once

#include <memory>
#include <optional>

#include "gossamer/base/ids.hpp"
#include "gossamer/math/layout.hpp"
#include "gossamer/math/vec.hpp"
#include "gossamer/node/objective.hpp"

namespace gossamer {

/// A whole learning problem, split among nodes. Const once made: threads may share it.
///
/// Laws, which tests/learn holds every task to:
///  - Where all nodes hold equally much, the mean of their exact gradients is the gradient of
///    loss().
///  - loss() is nowhere below optimum().
class Task {
 public:
  Task() = default;
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;
  virtual ~Task() = default;

  [[nodiscard]] virtual const Layout& layout() const = 0;

  /// Named blocks of what Objective::statistics() holds; empty where it holds nothing.
  [[nodiscard]] virtual Layout statistics_layout() const { return {}; }

  /// What node `id` wants small: its share of the data. It reads the task's data where they lie,
  /// so the task must outlive it.
  [[nodiscard]] virtual std::unique_ptr<Objective> objective_of(NodeId id) const = 0;

  /// The objective on all the data, in double precision: what is reported. Nothing where that would
  /// take too long: then the losses of batches are.
  [[nodiscard]] virtual std::optional<double> loss(CVec x) const = 0;

  /// The smallest loss there is, found by a solver or a formula; nothing when unknown. The first
  /// call may take as long as some hundred calls of loss(), later ones no time.
  [[nodiscard]] virtual std::optional<double> optimum() const = 0;

  /// Rounds until the nodes have seen as many samples as there are; nothing without samples.
  [[nodiscard]] virtual std::optional<double> rounds_per_epoch() const { return std::nullopt; }
};

}  // namespace gossamer
