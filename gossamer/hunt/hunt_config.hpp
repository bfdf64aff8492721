#pragma once

#include "gossamer/hunt/hunt.hpp"
#include "gossamer/settings/config.hpp"

namespace gossamer {

/// How a run of this hunt is configured, whatever goes wrong in it.
[[nodiscard]] RunConfig config_of(const Hunt& hunt);

/// And with settings that those who run do not have.
[[nodiscard]] RunConfig other_config_of(const Hunt& hunt);

}  // namespace gossamer
