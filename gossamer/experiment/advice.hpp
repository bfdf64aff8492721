#pragma once

#include "gossamer/experiment/experiment.hpp"

namespace gossamer {

/// Combinations that cannot be run at all: replicas on a graph that changes, consensus by an
/// algorithm that averages gradients.
[[nodiscard]] Result<void> refuse_impossible(const Experiment& experiment);

/// Combinations that run, but that theory rules out or that are known to fail.
[[nodiscard]] Warnings warnings_about(const Experiment& experiment);

}  // namespace gossamer
