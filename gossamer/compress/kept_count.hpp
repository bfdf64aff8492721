#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "gossamer/base/text/options.hpp"
#include "gossamer/compress/factories.hpp"

namespace gossamer {

/// How many entries a selector keeps: a fraction (`topk:0.01`) of at least one entry, or a number
/// (`topk:k=50`).
struct KeptCount {
  std::size_t kept = 0;
  /// The option as the user gave it.
  std::string text;
};

/// Mistakes are left in `options`.
[[nodiscard]] KeptCount read_kept_count(Options& options, Target target);

}  // namespace gossamer
