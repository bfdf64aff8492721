#pragma once

#include <string_view>

#include "gossamer/base/bytes.hpp"

namespace gossamer::testing {

/// Expects `bytes` to be what tests/golden/<name> holds, bit for bit. With
/// GOSSAMER_REGENERATE_GOLDEN=1 in the environment it writes the file instead, and the test counts
/// as skipped: a run that compared nothing must not look like a success.
void expect_golden(std::string_view name, ByteView bytes);

}  // namespace gossamer::testing
