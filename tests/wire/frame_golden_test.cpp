#include <cstdint>

#include "tests/support/golden.hpp"
#include <gtest/gtest.h>

#include "gossamer/wire/frame.hpp"

namespace gossamer {
namespace {

// Bytes 0 to 255: enough for XXH3 to leave its short paths.
ByteWriter counting_bytes() {
  ByteWriter writer;
  for (unsigned i = 0; i < 256; ++i)
    writer.write(static_cast<std::uint8_t>(i));
  return writer;
}

TEST(FrameGolden, Version2HasTheseBytes) {
  const ByteWriter payload = counting_bytes();
  ByteWriter frame;
  frame.write_bytes(encode_header({.kind = FrameKind::kMessage,
                                   .sender = 7,
                                   .setup = 0x01020304,
                                   .round = 1000,
                                   .sequence = 42,
                                   .payload = seal_payload(payload.bytes())}));
  frame.write_bytes(payload.bytes());
  testing::expect_golden("frame_v2.bin", frame.bytes());
}

}  // namespace
}  // namespace gossamer
