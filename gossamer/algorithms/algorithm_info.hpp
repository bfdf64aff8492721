#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/base/result.hpp"
#include "gossamer/base/text/options.hpp"
#include "gossamer/compress/compressor.hpp"

namespace gossamer {

/// Whom the nodes of an algorithm talk to.
enum class Reach {
  kNeighbours,   // on the graph
  kRing,         // the next and the previous node by number, whatever the graph
  kEveryone,     // all others
  kCoordinator,  // a coordinator beside node 0, whose id is the number of nodes
};

/// Whether gossip alone leaves the mean of all models where it is.
enum class Mean { kKept, kDrifts };

/// Whether nodes that start apart come together without gradients, if only nearly.
enum class Consensus { kReached, kNever };

/// Where the step gamma comes from if the user gives no number.
enum class Gamma {
  kNone,      // there is none: a number is refused
  kOne,       // 1; there is no better one to find
  kSpectral,  // 1; `auto` is the fastest one without compression, by formula from the graph
  kTuned,     // `auto`, which tries many with the compressor
};

/// Whether the weights between two nodes have to be the same both ways.
enum class Symmetry {
  kNotNeeded,
  kInTheory,  // it runs without, but nothing is proved
  kNeeded,
};

/// A run as an algorithm sees it that judges it before the first round.
struct Combination {
  /// The algorithm's spec, with its options.
  std::string_view spec;
  const Compressor& compressor;
  /// 0: not known yet.
  float gamma = 0.0f;
  std::uint64_t seed = 0;
  /// 1 - lambda_n of the graph's weights, if it is known. Asked on demand: it takes a while for a
  /// large graph.
  std::function<std::optional<double>()> one_minus_lambda_n;

  [[nodiscard]] std::string name() const { return split_spec(spec).name; }

  [[nodiscard]] bool has_flag(std::string_view flag) const {
    return split_spec(spec).options.flag(flag);
  }

  [[nodiscard]] bool is_lossy() const { return compressor.spec() != "identity"; }
};

/// What theory or experience says against a combination, each a sentence with its reason.
using Warnings = std::vector<std::string>;

/// What others need to know of an algorithm. Its own file says it, so that nobody else compares
/// names.
struct AlgorithmInfo {
  std::string name;
  std::string example;
  std::string summary;

  Reach reach = Reach::kNeighbours;
  Mean mean = Mean::kKept;
  Consensus consensus = Consensus::kReached;
  Gamma gamma = Gamma::kNone;
  /// Spectrum::gamma_safe() is proved for it.
  bool has_proved_gamma = false;
  Symmetry symmetry = Symmetry::kNotNeeded;
  /// What it keeps of its neighbours is for one graph.
  bool needs_constant_graph = false;
  /// It sends less than whole models although its compressor is the identity.
  bool compresses_by_itself = false;

  Warnings (*judge)(const Combination&) = [](const Combination&) { return Warnings{}; };
  /// Refuses options with which no two runs are alike, so that none can go on from a checkpoint.
  Result<void> (*can_resume)(Options&) = [](Options&) { return Result<void>{}; };
};

}  // namespace gossamer
