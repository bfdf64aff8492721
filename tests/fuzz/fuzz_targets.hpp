#pragma once

#include "gossamer/base/bytes.hpp"

namespace gossamer::testing {

// What a hostile peer or a hurried user can hand us. Each takes any bytes and must not crash, read
// past the end or allocate more than the operator's own size; scripts/fuzz drives them, and the
// tests replay what it found.

/// Byte 0 chooses an operator, bytes 1 and 2 a vector length, byte 3 whether the rest is cut or
/// padded to the length of a message; the rest is the message.
void fuzz_decoders(ByteView input);

/// A frame, or the beginning of one.
void fuzz_frame(ByteView input);

/// Byte 0 says into what pieces the rest is cut, which is a stream of frames from a connection.
void fuzz_stream(ByteView input);

/// A spec string of a compressor.
void fuzz_specs(ByteView input);

}  // namespace gossamer::testing
