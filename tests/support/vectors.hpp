#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gossamer/base/rng.hpp"
#include "gossamer/math/vec.hpp"

namespace gossamer::testing {

inline CVec view(const std::vector<float>& x) {
  return CVec(x.data(), static_cast<Eigen::Index>(x.size()));
}

inline Vec view(std::vector<float>& x) {
  return Vec(x.data(), static_cast<Eigen::Index>(x.size()));
}

inline std::vector<float> normal_vector(std::size_t size, std::uint64_t seed) {
  Rng rng(RngKey{.seed = seed, .purpose = Purpose::kTest});
  std::vector<float> x(size);
  for (float& value : x)
    value = static_cast<float>(rng.normal());
  return x;
}

/// Student's t with two degrees of freedom: a few elements carry most of the energy, as in
/// gradients.
inline std::vector<float> heavy_vector(std::size_t size, std::uint64_t seed) {
  Rng rng(RngKey{.seed = seed, .purpose = Purpose::kTest, .node = 1});
  std::vector<float> x(size);
  for (float& value : x) {
    const double normal = rng.normal();
    // A chi-square variable of two degrees of freedom is exponential.
    value = static_cast<float>(normal / std::sqrt(-std::log(1.0 - rng.uniform())));
  }
  return x;
}

/// One element alone.
inline std::vector<float> spike_vector(std::size_t size, std::uint64_t seed) {
  std::vector<float> x(size, 0.0f);
  if (size > 0) x[Rng(RngKey{.seed = seed}).below(static_cast<std::uint32_t>(size))] = -3.0f;
  return x;
}

}  // namespace gossamer::testing
