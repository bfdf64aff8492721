// libFuzzer's way in; GOSSAMER_FUZZ_TARGET is one of the functions of fuzz_targets.hpp.

#include "tests/fuzz/fuzz_targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gossamer::testing::GOSSAMER_FUZZ_TARGET({data, size});
  return 0;
}
