#pragma once

#include <memory>

#include "gossamer/algorithms/registry.hpp"
#include "gossamer/base/text/options.hpp"

namespace gossamer {

// For every line of registry.def: about_<function> describes the algorithm; make_<function> asks
// `options` for all it understands, and the registry refuses what is left.
#define GOSSAMER_ALGORITHM(function)                                                            \
  [[nodiscard]] AlgorithmInfo about_##function();                                               \
  [[nodiscard]] Result<std::unique_ptr<Algorithm>> make_##function(const AlgorithmSetup& setup, \
                                                                   Options& options);
#include "gossamer/algorithms/registry.def"
#undef GOSSAMER_ALGORITHM

}  // namespace gossamer
