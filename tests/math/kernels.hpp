#pragma once

#include <cstddef>
#include <vector>

#include "tests/support/vectors.hpp"
#include <gtest/gtest.h>

#include "gossamer/math/instruction_sets.hpp"

namespace gossamer::testing {

/// Runs a check once on every instruction set that this machine has.
template <typename Check>
void on_every_instruction_set(const Check& check) {
  for (const InstructionSet& set : instruction_sets()) {
    SCOPED_TRACE(set.name);
    const ForcedInstructionSet forced(set);
    check();
  }
}

/// Around every boundary that a kernel has.
inline constexpr std::size_t kLengths[] = {0,  1,  2,  3,  7,  8,   9,   15,   16,   17,   31,
                                           32, 33, 63, 64, 65, 127, 255, 1023, 2047, 2049, 4097};

/// Starts that are aligned for floats only.
inline constexpr std::size_t kOffsets[] = {0, 1, 3};

/// A part of a vector that starts at an odd place, for kernels that must not assume alignment.
inline CVec shifted(const std::vector<float>& x, std::size_t offset) {
  return CVec(x.data() + offset, static_cast<Eigen::Index>(x.size() - offset));
}

}  // namespace gossamer::testing
