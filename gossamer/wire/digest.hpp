#pragma once

#include <cstdint>

#include "gossamer/base/bytes.hpp"

namespace gossamer {

/// XXH3, 64 bits: for integrity and identity, not against forgery.
[[nodiscard]] std::uint64_t digest_of(ByteView bytes);

}  // namespace gossamer
