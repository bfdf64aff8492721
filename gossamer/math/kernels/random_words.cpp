#include "gossamer/math/kernels/random_words.hpp"

#include <algorithm>

#include "gossamer/base/contract.hpp"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gossamer/math/kernels/random_words.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();

namespace gossamer::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<std::uint32_t, 8>;
using WideTag = hn::Repartition<std::uint64_t, Tag>;
using Words = hn::Vec<Tag>;

// One vector holds the same word of several blocks.
struct Blocks {
  Words w0;
  Words w1;
  Words w2;
  Words w3;
};

struct Products {
  Words high;
  Words low;
};

HWY_INLINE Products Multiply(Words a, Words b) {
  const Tag d;
  const WideTag wide;
  const auto even = hn::MulEven(a, b);
  const auto odd = hn::MulEven(hn::BitCast(d, hn::ShiftRight<32>(hn::BitCast(wide, a))), b);
  return {hn::OddEven(hn::BitCast(d, odd), hn::BitCast(d, hn::ShiftRight<32>(even))),
          hn::OddEven(hn::BitCast(d, hn::ShiftLeft<32>(odd)), hn::BitCast(d, even))};
}

HWY_INLINE Blocks PhiloxRound(const Blocks& c, Words k0, Words k1) {
  const Tag d;
  const Products p0 = Multiply(c.w0, hn::Set(d, 0xD2511F53u));
  const Products p1 = Multiply(c.w2, hn::Set(d, 0xCD9E8D57u));
  return {hn::Xor(hn::Xor(p1.high, c.w1), k0), p1.low, hn::Xor(hn::Xor(p0.high, c.w3), k1), p0.low};
}

HWY_INLINE Blocks Counters(std::uint64_t first_block) {
  const Tag d;
  // A tile's 8 blocks never straddle 2^32: the first is a multiple of 8.
  return {hn::Add(hn::Set(d, static_cast<std::uint32_t>(first_block)), hn::Iota(d, 0)),
          hn::Set(d, static_cast<std::uint32_t>(first_block >> 32)), hn::Zero(d), hn::Zero(d)};
}

HWY_INLINE void Write(const Blocks& blocks, std::uint32_t* out) {
  const Tag d;
  hn::StoreU(blocks.w0, d, out);
  hn::StoreU(blocks.w1, d, out + 8);
  hn::StoreU(blocks.w2, d, out + 16);
  hn::StoreU(blocks.w3, d, out + 24);
}

void FillTiles(std::uint64_t stream, std::uint64_t first_tile, std::size_t tiles,
               std::uint32_t* out) {
  const Tag d;
  const std::size_t n = hn::Lanes(d);
  const auto k0 = static_cast<std::uint32_t>(stream);
  const auto k1 = static_cast<std::uint32_t>(stream >> 32);
  // Two tiles side by side: one round waits for its own products, two rounds fill each other's
  // gaps.
  for (std::size_t tile = 0; tile < tiles; tile += 2) {
    const std::size_t other = std::min(tile + 1, tiles - 1);
    for (std::size_t lane = 0; lane < 8; lane += n) {
      Blocks a = Counters((first_tile + tile) * 8 + lane);
      Blocks b = Counters((first_tile + other) * 8 + lane);
      Words key0 = hn::Set(d, k0);
      Words key1 = hn::Set(d, k1);
      for (int round = 0; round < 10; ++round) {
        a = PhiloxRound(a, key0, key1);
        b = PhiloxRound(b, key0, key1);
        key0 = hn::Add(key0, hn::Set(d, 0x9E3779B9u));
        key1 = hn::Add(key1, hn::Set(d, 0xBB67AE85u));
      }
      Write(a, out + tile * 32 + lane);
      Write(b, out + other * 32 + lane);
    }
  }
}

}  // namespace gossamer::HWY_NAMESPACE

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace gossamer {

HWY_EXPORT(FillTiles);

void fill_random_words(std::uint64_t stream, std::uint64_t first, std::span<std::uint32_t> out) {
  expects(first % kRandomTile == 0, "bulk random words start at a tile");
  const std::uint64_t first_tile = first / kRandomTile;
  const std::size_t whole = out.size() / kRandomTile;
  if (whole > 0) HWY_DYNAMIC_DISPATCH(FillTiles)(stream, first_tile, whole, out.data());
  const std::span<std::uint32_t> rest = out.subspan(whole * kRandomTile);
  if (rest.empty()) return;
  std::uint32_t last[kRandomTile];
  HWY_DYNAMIC_DISPATCH(FillTiles)(stream, first_tile + whole, 1, last);
  std::copy_n(last, rest.size(), rest.begin());
}

}  // namespace gossamer

#endif  // HWY_ONCE
