#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "gossamer/algorithms/algorithm.hpp"
#include "gossamer/algorithms/algorithm_info.hpp"
#include "gossamer/base/result.hpp"
#include "gossamer/compress/compressor.hpp"

namespace gossamer {

/// When a round's gradient meets its gossip.
enum class Ordering {
  kCombineWhileAdapt,  // gossip the model of the last round while the gradient is computed at it
  kAdaptThenCombine,   // gossip the model that the gradient has already moved
};

/// All algorithms there are, in the order in which users read about them.
[[nodiscard]] std::span<const AlgorithmInfo> algorithms();

/// The algorithm that a spec names, without its options.
[[nodiscard]] Result<AlgorithmInfo> find_algorithm(std::string_view spec);

/// What an algorithm is made from, for one node.
struct AlgorithmSetup {
  /// Shared by all nodes; made for the model's layout.
  std::shared_ptr<const Compressor> compressor;
  /// Must outlive the algorithm.
  const Layout& layout;
  /// Consensus step size.
  float gamma = 1.0f;
  /// The paper's own, if none is given.
  std::optional<Ordering> ordering = std::nullopt;
  /// H: nodes talk in every H-th round, and in the last one.
  Round local_steps = 1;
  /// How long the run is; 0 if it has no last round.
  Round rounds = 0;
  /// Consensus begins with models that differ: replicas then have to be exchanged first.
  enum class Start { kEqualModels, kOwnModels } start = Start::kEqualModels;
  /// The coordinator's side of an algorithm that has one.
  enum class Role { kWorker, kCoordinator } role = Role::kWorker;
};

/// An algorithm for one node from its spec, `name` or `name:options`: `choco`,
/// `powergossip:rank=2`.
[[nodiscard]] Result<std::unique_ptr<Algorithm>> make_algorithm(std::string_view spec,
                                                                const AlgorithmSetup& setup);

}  // namespace gossamer
