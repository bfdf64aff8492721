#pragma once

#include <array>
#include <cstdint>

#include "gossamer/base/ids.hpp"

namespace gossamer {

/// Philox4x32-10 (Salmon, Moraes, Dror, Shaw, SC 2011): a keyed bijection of 128-bit counters whose
/// outputs pass the usual batteries. No state: block number n of a stream is one call.
using PhiloxBlock = std::array<std::uint32_t, 4>;
[[nodiscard]] PhiloxBlock philox4x32(PhiloxBlock counter, std::uint64_t key);

/// What a random number is for. The values are part of every result's definition: never renumber
/// them.
enum class Purpose : std::uint8_t {
  kInit = 1,      // a model's first weights
  kBatch = 2,     // which samples a node looks at
  kCompress = 3,  // stochastic rounding, random indices
  kData = 4,      // synthetic data sets and partitions
  kTopology = 5,  // random graphs
  kEdge = 6,      // numbers that two neighbours share
  kSchedule = 7,  // who synchronises when
  kTest = 8,      // test and benchmark inputs
  kAugment = 9,   // how a picture is flipped and cropped
};

/// Randomness is a pure function of what it is for: nothing to seed, advance or lock, and the same
/// numbers whoever asks first, on whatever machine.
struct RngKey {
  std::uint64_t seed = 0;
  Purpose purpose = Purpose::kTest;
  NodeId node = 0;
  Round round = 0;
  /// Which part of the model; at most 2^24 of them.
  std::uint32_t block = 0;

  [[nodiscard]] RngKey for_block(std::uint32_t index) const;

  [[nodiscard]] bool operator==(const RngKey&) const = default;

  /// The Philox key of this purpose's own stream: a hash of all fields.
  [[nodiscard]] std::uint64_t stream() const;
};

/// Random numbers of one stream, one after the other: word w of block n is number 4n + w.
/// math/random_words.hpp fills arrays faster, in another order.
class Rng {
 public:
  explicit Rng(std::uint64_t stream) : stream_(stream) {}

  explicit Rng(const RngKey& key) : Rng(key.stream()) {}

  [[nodiscard]] std::uint32_t next_u32();
  [[nodiscard]] std::uint64_t next_u64();

  /// Uniform in [0, bound), without bias. bound > 0.
  [[nodiscard]] std::uint32_t below(std::uint32_t bound);

  /// Uniform in [0, 1), 53 bits.
  [[nodiscard]] double uniform();

  /// Standard normal (Box-Muller in double precision): the same bits on every machine, from two
  /// uniform() each.
  [[nodiscard]] double normal();

 private:
  std::uint64_t stream_;
  std::uint64_t next_block_ = 0;
  PhiloxBlock block_{};
  unsigned used_ = 4;
};

}  // namespace gossamer
