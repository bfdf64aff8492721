#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "gossamer/algorithms/algorithm.hpp"
#include "gossamer/base/result.hpp"
#include "gossamer/compress/compressor.hpp"

namespace gossamer {

/// When a round's gradient meets its gossip.
enum class Ordering {
  kCombineWhileAdapt,  // gossip the model of the last round while the gradient is computed at it
  kAdaptThenCombine,   // gossip the model that the gradient has already moved
};

/// Whether gossip alone leaves the mean of all models where it is.
enum class Mean { kKept, kDrifts };

struct AlgorithmInfo {
  std::string name;
  std::string summary;
  Mean mean = Mean::kKept;
};

[[nodiscard]] std::span<const AlgorithmInfo> algorithms();

struct AlgorithmSetup {
  /// Shared by all nodes; made for the model's layout.
  std::shared_ptr<const Compressor> compressor;
  /// Consensus step size.
  float gamma = 1.0f;
  /// The paper's own, if none is given.
  std::optional<Ordering> ordering = std::nullopt;
};

[[nodiscard]] Result<std::unique_ptr<Algorithm>> make_algorithm(std::string_view name,
                                                                const AlgorithmSetup& setup);

// make_<name> for every line of registry.def.
#define GOSSAMER_ALGORITHM(name, mean, summary) \
  Result<std::unique_ptr<Algorithm>> make_##name(const AlgorithmSetup& setup);
#include "gossamer/algorithms/registry.def"
#undef GOSSAMER_ALGORITHM

}  // namespace gossamer
