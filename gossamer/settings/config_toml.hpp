#pragma once

#include "gossamer/settings/config.hpp"
#include "gossamer/settings/toml_table.hpp"

namespace gossamer {

/// Sets all that a table of a TOML file says, as read_config() does for a whole file.
[[nodiscard]] Result<void> read_settings(RunConfig& config, const toml::table& table);

}  // namespace gossamer
