#include "gossamer/compress/compressor.hpp"

#include <fmt/format.h>

#include "gossamer/base/contract.hpp"
#include "gossamer/base/result.hpp"

namespace gossamer {

void Compressor::encode(CVec v, const RngKey& key, Scratch& scratch, ByteWriter& out) const {
  expects(static_cast<std::size_t>(v.size()) == size_,
          "encode() of a vector of the operator's size");
  const std::size_t begin = out.size();
  append(v, key, scratch, out);
  expects(out.size() - begin == encoded_size(key), "encode() appends encoded_size() bytes");
}

void Compressor::add(ByteView message, float a, Scratch& scratch, Vec y) const {
  expects(static_cast<std::size_t>(y.size()) == size_, "add() to a vector of the operator's size");
  const std::size_t expected = message_size(message);
  if (message.size() != expected) {
    throw CorruptMessage(fmt::format("a message of {} for {} elements has {} bytes, not {}", spec(),
                                     size_, expected, message.size()));
  }
  check(message, scratch);
  add_checked(message, a, scratch, y);
}

}  // namespace gossamer
