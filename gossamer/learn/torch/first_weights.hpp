#pragma once

#include <mutex>

#include <torch/torch.h>

#include "gossamer/base/rng.hpp"

namespace gossamer {

/// Torch draws the first weights of a module from a generator that the whole process shares:
/// whoever makes one holds this.
[[nodiscard]] inline std::unique_lock<std::mutex> lock_first_weights() {
  static std::mutex drawing;
  return std::unique_lock(drawing);
}

/// Makes a module whose first weights nobody will look at.
template <typename Make>
[[nodiscard]] auto make_alone(const Make& make) {
  const std::unique_lock lock = lock_first_weights();
  return make();
}

/// Makes a module whose first weights are a function of the key; or calls one that draws random
/// numbers itself.
template <typename Make>
[[nodiscard]] auto make_from_key(const RngKey& key, const Make& make) {
  const std::unique_lock lock = lock_first_weights();
  torch::manual_seed(key.stream());
  return make();
}

}  // namespace gossamer
