#pragma once

#include <cstdint>

#include "gossamer/base/rng.hpp"

namespace gossamer {

/// What synthetic data are drawn for: each has a stream of its own under one seed. The values are
/// part of every result's definition: never renumber them.
enum class DataStream : std::uint32_t {
  kLogisticSet = 1,
  kLeastSquaresSet = 2,
  kPartition = 3,
  kQuadratic = 4,
};

[[nodiscard]] inline RngKey data_key(std::uint64_t seed, DataStream stream, NodeId node = 0) {
  return {.seed = seed,
          .purpose = Purpose::kData,
          .node = node,
          .round = 0,
          .block = static_cast<std::uint32_t>(stream)};
}

}  // namespace gossamer
