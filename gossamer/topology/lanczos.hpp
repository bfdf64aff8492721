#pragma once

#include <optional>

#include "gossamer/topology/spectrum.hpp"

namespace gossamer {

/// The extremes of a constant symmetric W without ever forming it: Lanczos' method on I - W over
/// the vectors of mean zero. O(n) memory; one pass over the edges per step, and of the order of
/// sqrt(1 / spectral gap) steps.
///
/// Relative error below 1e-8, or 1e-14 absolute where that is more. Nothing if that would take more
/// than `most_work` visits of an edge or a node. Two nodes or more.
[[nodiscard]] std::optional<Spectrum> lanczos_spectrum(const Topology& topology, double most_work);

}  // namespace gossamer
