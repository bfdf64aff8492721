#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "gossamer/math/scratch.hpp"

namespace gossamer {

/// A uniformly random subset of {0 ... size - 1} with indices.size() members, in ascending order. A
/// function of its arguments alone, with the same members on every machine: a receiver draws the
/// sender's subset again from 8 bytes. Takes time and scratch O(k). size < 2^32.
void draw_subset(std::uint64_t stream, std::size_t size, Scratch& scratch,
                 std::span<std::uint32_t> indices);

}  // namespace gossamer
