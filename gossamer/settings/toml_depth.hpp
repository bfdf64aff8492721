#pragma once

#include <string_view>

#include "gossamer/base/result.hpp"

namespace gossamer {

/// Refuses a text of TOML whose keys have more parts, or whose lists and tables are nested deeper,
/// than any settings have: parsing and freeing them takes room on the stack for each level. Says
/// nothing of other mistakes.
[[nodiscard]] Result<void> refuse_deep_toml(std::string_view text);

}  // namespace gossamer
