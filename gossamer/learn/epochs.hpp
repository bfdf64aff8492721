#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gossamer/base/rng.hpp"

namespace gossamer {

/// In which order a node looks at its samples: epoch after epoch, each in a new random order, so
/// that every sample is seen equally often. What round t draws is a function of the key alone,
/// whichever rounds were asked for before: a resumed run goes on in the middle of an epoch.
class Epochs {
 public:
  /// The samples must outlive it.
  Epochs(std::span<const std::uint32_t> samples, std::size_t batch);

  /// Sample number `i` of the batch of round key.round, i < batch.
  [[nodiscard]] std::uint32_t draw(const RngKey& key, std::size_t i);

 private:
  void shuffle(const RngKey& key, std::uint64_t epoch);

  std::span<const std::uint32_t> samples_;
  std::uint64_t batch_;
  std::vector<std::uint32_t> order_;  // of the epoch that shuffled_for_ names
  RngKey shuffled_for_;
  bool is_shuffled_ = false;
};

}  // namespace gossamer
