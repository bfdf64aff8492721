#include "gossamer/base/rng.hpp"

#include <cmath>

#include "gossamer/base/contract.hpp"
#include "gossamer/base/portable_math.hpp"

namespace gossamer {
namespace {

struct Product {
  std::uint32_t high;
  std::uint32_t low;
};

Product multiply(std::uint32_t a, std::uint32_t b) {
  const std::uint64_t product = std::uint64_t{a} * b;
  return {static_cast<std::uint32_t>(product >> 32), static_cast<std::uint32_t>(product)};
}

std::uint32_t low_word(std::uint64_t value) {
  return static_cast<std::uint32_t>(value);
}

std::uint32_t high_word(std::uint64_t value) {
  return static_cast<std::uint32_t>(value >> 32);
}

}  // namespace

PhiloxBlock philox4x32(PhiloxBlock counter, std::uint64_t key) {
  std::uint32_t k0 = low_word(key);
  std::uint32_t k1 = high_word(key);
  for (int round = 0; round < 10; ++round) {
    const Product p0 = multiply(0xD2511F53u, counter[0]);
    const Product p1 = multiply(0xCD9E8D57u, counter[2]);
    counter = {p1.high ^ counter[1] ^ k0, p1.low, p0.high ^ counter[3] ^ k1, p0.low};
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  return counter;
}

RngKey RngKey::for_block(std::uint32_t index) const {
  RngKey key = *this;
  key.block = index;
  return key;
}

std::uint64_t RngKey::stream() const {
  expects(block < (1u << 24), "a model has at most 2^24 blocks");
  const std::uint32_t what = (static_cast<std::uint32_t>(purpose) << 24) | block;
  const PhiloxBlock hash = philox4x32({node, low_word(round), high_word(round), what}, seed);
  return std::uint64_t{hash[1]} << 32 | hash[0];
}

std::uint32_t Rng::next_u32() {
  if (used_ == 4) {
    block_ = philox4x32({low_word(next_block_), high_word(next_block_), 0, 0}, stream_);
    ++next_block_;
    used_ = 0;
  }
  return block_[used_++];
}

std::uint64_t Rng::next_u64() {
  const std::uint64_t low = next_u32();
  return std::uint64_t{next_u32()} << 32 | low;
}

std::uint32_t Rng::below(std::uint32_t bound) {
  expects(bound > 0, "Rng::below() needs a positive bound");
  // The high word of random * bound is uniform once the few values that would favour some outcomes
  // are drawn again.
  const std::uint32_t unfair = (0u - bound) % bound;
  for (;;) {
    const Product scaled = multiply(next_u32(), bound);
    if (scaled.low >= unfair) return scaled.high;
  }
}

double Rng::uniform() {
  return static_cast<double>(next_u64() >> 11) * 0x1.0p-53;
}

double Rng::normal() {
  const double radius = std::sqrt(-2.0 * portable_log(1.0 - uniform()));
  return radius * portable_cosine_of_turns(uniform());
}

}  // namespace gossamer
