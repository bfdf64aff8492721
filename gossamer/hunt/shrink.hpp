#pragma once

#include <cstdint>
#include <functional>

#include "gossamer/hunt/hunt.hpp"

namespace gossamer {

/// Whether a smaller hunt still shows what the first one did.
using StillFails = std::function<bool(const Hunt&)>;

/// The smallest hunt that is found in so many tries: without faults that do not matter, on a ring,
/// with fewer nodes and rounds, at round times. `hunt` itself if nothing can be left out.
[[nodiscard]] Hunt shrink(const Hunt& hunt, const StillFails& still_fails,
                          std::uint64_t most_tries);

/// Whether running it breaks this rule.
[[nodiscard]] bool breaks(const Hunt& hunt, const std::string& rule);

}  // namespace gossamer
