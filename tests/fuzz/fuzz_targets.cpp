#include "tests/fuzz/fuzz_targets.hpp"

#include <array>

namespace gossamer::testing {

std::span<const FuzzTarget> fuzz_targets() {
  static constexpr auto kTargets = std::to_array<FuzzTarget>({
#define GOSSAMER_FUZZ_TARGET(name, input) {#name, &fuzz_##name},
#include "tests/fuzz/fuzz_targets.def"
#undef GOSSAMER_FUZZ_TARGET
  });
  return kTargets;
}

}  // namespace gossamer::testing
