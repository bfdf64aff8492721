#pragma once

#include <string>

#include "gossamer/events/measurement.hpp"

namespace gossamer {

/// The figures of a measurement as the JSON object that users read: `round`, `objective`, ... A
/// number that is not finite is null.
[[nodiscard]] std::string to_json(const Measurement& measurement);

}  // namespace gossamer
