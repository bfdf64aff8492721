#include "gossamer/algorithms/parts/refusals.hpp"

#include <fmt/format.h>

namespace gossamer {

Result<void> expect_ordering(std::string_view name, const AlgorithmSetup& setup, Ordering only) {
  if (setup.ordering.value_or(only) == only) return {};
  return Error{fmt::format("{} has one ordering, {}", name,
                           only == Ordering::kAdaptThenCombine
                               ? "atc: the gradient step first"
                               : "cwa: gossip while the gradient is computed")};
}

Result<void> expect_no_local_steps(std::string_view name, const AlgorithmSetup& setup,
                                   std::string_view instead) {
  if (setup.local_steps == 1) return {};
  return Error{fmt::format("{} meets in every round, and has no local steps; {}", name, instead)};
}

Result<void> expect_identity(std::string_view name, const AlgorithmSetup& setup,
                             std::string_view instead) {
  if (setup.compressor->spec() == "identity") return {};
  return Error{fmt::format("{} sends everything: its compressor is 'identity', not '{}'; {}", name,
                           setup.compressor->spec(), instead)};
}

Error cannot_forget_neighbours(std::string_view name, std::string_view instead,
                               std::size_t model_size) {
  return Error{
      fmt::format("{} keeps one sum over all neighbours and cannot take one of them out; "
                  "{}, to keep a copy of each, {:.3g} MB per neighbour",
                  name, instead, 4e-6 * static_cast<double>(model_size))};
}

}  // namespace gossamer
