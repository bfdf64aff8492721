#pragma once

#include "gossamer/algorithms/algorithm_info.hpp"

namespace gossamer {

// What several algorithms say against a combination; nothing where it is in order.

/// Of plain gossip, which is stable up to gamma = 2 / (1 - lambda_n).
[[nodiscard]] Warnings warn_of_large_gamma(const Combination& combination);

/// Of whole models, compressed without anything that takes the error back.
[[nodiscard]] Warnings warn_of_forgotten_error(const Combination& combination);

/// Of the option `no-memory`.
[[nodiscard]] Warnings warn_of_missing_memory(const Combination& combination);

/// |C(x) - x|^2 / |x|^2 for one normal x. What an operator promises is a worst case, and may be far
/// from this.
[[nodiscard]] double measured_noise(const Compressor& compressor, std::uint64_t seed);

}  // namespace gossamer
