#pragma once

#include "gossamer/algorithms/registry.hpp"

namespace gossamer {

/// The refusal that DCD and ECD share: both mix copies of the model of the last round with the
/// gradient at it, and have no step gamma.
[[nodiscard]] Result<void> expect_plain_setup(std::string_view name, const AlgorithmSetup& setup);

}  // namespace gossamer
