#pragma once

#include <cstdint>
#include <span>

namespace gossamer {

/// Words per tile of the bulk order below.
inline constexpr std::size_t kRandomTile = 32;

/// Fills `out` with random words of a Philox stream, from word `first` on, which starts a tile. The
/// same blocks as Rng's, in an order that suits vectors: word j is word (j / 8) mod 4 of block 8 (j
/// / 32) + j mod 8.
void fill_random_words(std::uint64_t stream, std::uint64_t first, std::span<std::uint32_t> out);

}  // namespace gossamer
