#pragma once

#include <string>
#include <vector>

#include "gossamer/reproduce/entry.hpp"
#include "gossamer/settings/toml_table.hpp"

// How an entry's file says that its runs are a grid. For entry.cpp.
namespace gossamer {

/// Reads [grid], if there is one, and multiplies the entry's runs by it. `names` are those of all
/// runs, also of those that are no part of this effort, and are multiplied as well.
[[nodiscard]] Result<void> read_grid(TomlTable& file, Entry& entry,
                                     std::vector<std::string>& names);

}  // namespace gossamer
