#include "gossamer/wire/digest.hpp"

#include <xxhash.h>

namespace gossamer {

std::uint64_t digest_of(ByteView bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

}  // namespace gossamer
