#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gossamer/hunt/hunt.hpp"

namespace gossamer {

/// What is hunted.
struct Method {
  std::string algorithm;
  std::string compressor;

  bool operator==(const Method&) const = default;
};

/// Every registered algorithm that can lose neighbours, with a compressor that loses something if
/// it has a use for one.
[[nodiscard]] const std::vector<Method>& methods_that_lose();

/// A hunt whose every choice is a function of the seed: how many nodes on which graph, who is
/// killed, cut off or slow, when, and who starts again with what in hand. More than half of all
/// nodes are always there and together, but for halves and for stops of all; in the middle of the
/// run everything is mended, and the rest is quiet, so that everybody who may get in has the time
/// to.
[[nodiscard]] Hunt random_hunt(std::uint64_t seed, const Method& method,
                               std::span<const Family> families);

}  // namespace gossamer
