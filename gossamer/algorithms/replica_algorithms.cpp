#include "gossamer/algorithms/replica_algorithms.hpp"

#include <fmt/format.h>

namespace gossamer {

Result<void> expect_plain_setup(std::string_view name, const AlgorithmSetup& setup) {
  if (setup.ordering == Ordering::kAdaptThenCombine) {
    return Error{fmt::format("{} has one ordering: gossip while the gradient is computed", name)};
  }
  if (setup.gamma != 1.0f) {
    return Error{fmt::format("{} has no step gamma; {} was given", name, setup.gamma)};
  }
  return {};
}

}  // namespace gossamer
