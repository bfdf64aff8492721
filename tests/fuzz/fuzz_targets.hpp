#pragma once

#include <span>
#include <stdexcept>
#include <string_view>

#include "gossamer/base/bytes.hpp"

namespace gossamer::testing {

// What a hostile peer or a hurried user can hand us. Each takes any bytes and must not crash, hang,
// read past the end or take memory out of proportion to them; what it refuses has a reason, and
// what it accepts keeps the promises that the function states. fuzz_targets.def says what the bytes
// are; scripts/fuzz drives them, and the tests replay what it found.

#define GOSSAMER_FUZZ_TARGET(name, input) void fuzz_##name(ByteView bytes);
#include "tests/fuzz/fuzz_targets.def"
#undef GOSSAMER_FUZZ_TARGET

struct FuzzTarget {
  std::string_view name;
  void (*run)(ByteView input);
};

/// All of them, in the order of the list.
[[nodiscard]] std::span<const FuzzTarget> fuzz_targets();

/// Not an assertion: in the fuzzer an exception that nobody catches is a finding, in the tests it
/// is a failure with a sentence.
inline void require(bool holds, const char* promise) {
  if (!holds) throw std::logic_error(promise);
}

}  // namespace gossamer::testing
