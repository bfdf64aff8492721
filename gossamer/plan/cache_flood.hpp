#pragma once

#include <cstddef>

#include "gossamer/math/vec.hpp"

namespace gossamer {

/// A round passes over several vectors as long as the model: those of the network, of the
/// optimizer, of the algorithm. What is measured by itself must find the caches as they left them.
inline constexpr std::size_t kFloodedModels = 4;

class CacheFlood {
 public:
  explicit CacheFlood(std::size_t floats) : water_(floats) {}

  /// Reads and writes all of it.
  void pass() { water_.view() += 1.0f; }

 private:
  FloatBuffer water_;
};

}  // namespace gossamer
