#pragma once

#include <cstdint>

namespace gossamer {

/// A node's place in the topology: 0 to size - 1.
using NodeId = std::uint32_t;

/// How many training rounds were completed before this one.
using Round = std::uint64_t;

}  // namespace gossamer
