#include "gossamer/compress/compressor.hpp"

#include <fmt/format.h>

#include "gossamer/base/contract.hpp"
#include "gossamer/base/result.hpp"

namespace gossamer {

void Compressor::encode(CVec v, const RngKey& key, Scratch& scratch, ByteWriter& out) const {
  expects(fits(v), "encode() of a vector of the operator's size");
  const std::size_t begin = out.size();
  append(v, key, scratch, out);
  expects(out.size() - begin == encoded_size(key), "encode() appends encoded_size() bytes");
}

void Compressor::encode_difference(CVec v, CVec w, const RngKey& key, Scratch& scratch,
                                   ByteWriter& out) const {
  expects(fits(v) && fits(w), "encode_difference() of vectors of the operator's size");
  const std::size_t begin = out.size();
  append_difference(v, w, key, scratch, out);
  expects(out.size() - begin == encoded_size(key), "encode() appends encoded_size() bytes");
}

void Compressor::append_difference(CVec v, CVec w, const RngKey& key, Scratch& scratch,
                                   ByteWriter& out) const {
  Scratch::Frame frame(scratch);
  Vec difference(frame.take<float>(size_).data(), v.size());
  difference = v - w;
  append(difference, key, scratch, out);
}

void Compressor::add(ByteView message, float a, Scratch& scratch, Vec y) const {
  expects(fits(y), "add() to a vector of the operator's size");
  const std::size_t expected = message_size(message);
  if (message.size() != expected) {
    throw CorruptMessage(fmt::format("a message of {} for {} elements has {} bytes, not {}", spec(),
                                     size_, expected, message.size()));
  }
  check(message, scratch);
  add_checked(message, a, scratch, y);
}

}  // namespace gossamer
