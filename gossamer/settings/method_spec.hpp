#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gossamer/base/ids.hpp"
#include "gossamer/base/result.hpp"

namespace gossamer {

/// How to train, as users write it: `allreduce`, `choco/sign`, `choco/topk:0.01@0.04`,
/// `qsparse/topk:0.01+qsgd:4*8`. The compressor stands behind a slash, the steps between two
/// meetings behind a star, gamma behind an @.
struct MethodSpec {
  std::string algorithm = "choco";
  std::string compressor = "identity";
  std::string gamma = {};  // empty: the algorithm's own
  Round local_steps = 1;

  /// As it was written, but for spaces.
  [[nodiscard]] std::string text() const;

  bool operator==(const MethodSpec&) const = default;
};

/// One or several, separated by commas. Unknown algorithms are refused.
[[nodiscard]] Result<std::vector<MethodSpec>> parse_methods(std::string_view text);

}  // namespace gossamer
