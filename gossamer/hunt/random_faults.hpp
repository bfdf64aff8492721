#pragma once

#include <cstdint>

#include "gossamer/hunt/hunted_run.hpp"

namespace gossamer {

/// A hunt whose every choice is a function of the seed: how many nodes on which graph, who is
/// killed and started again, when, and with what in hand. More than half of all nodes are always
/// there, and most of the second half is quiet, so that everybody who may get in has the time
/// to.
[[nodiscard]] Hunt random_hunt(std::uint64_t seed, const std::string& algorithm,
                               const std::string& compressor);

}  // namespace gossamer
