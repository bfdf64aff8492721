#pragma once

namespace gossamer::testing {

/// How often this program has called operator new.
[[nodiscard]] long allocations_so_far();

}  // namespace gossamer::testing
