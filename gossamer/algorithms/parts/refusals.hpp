#pragma once

#include "gossamer/algorithms/registry.hpp"

namespace gossamer {

// What several algorithms do not have; each says so in one sentence, before the first round.

/// One ordering, so that none can be chosen but it.
[[nodiscard]] Result<void> expect_ordering(std::string_view name, const AlgorithmSetup& setup,
                                           Ordering only);

/// A meeting in every round; `instead` says what is made for local steps.
[[nodiscard]] Result<void> expect_no_local_steps(std::string_view name, const AlgorithmSetup& setup,
                                                 std::string_view instead);

/// Whole models; `instead` says what is made for compression.
[[nodiscard]] Result<void> expect_identity(std::string_view name, const AlgorithmSetup& setup,
                                           std::string_view instead);

/// One sum over all neighbours instead of a copy of each; `instead` says how to have copies, and
/// the sentence what they cost.
[[nodiscard]] Error cannot_forget_neighbours(std::string_view name, std::string_view instead,
                                             std::size_t model_size);

/// The first refusal, if there is one.
template <typename... Checks>
[[nodiscard]] Result<void> first_refusal(Result<void> first, Checks... rest) {
  if constexpr (sizeof...(rest) > 0) {
    if (first) return first_refusal(std::move(rest)...);
  }
  return first;
}

}  // namespace gossamer
