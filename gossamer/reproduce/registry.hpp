#pragma once

#include <span>
#include <string_view>

#include "gossamer/reproduce/entry.hpp"

namespace gossamer {

/// An entry that is built into the program, as it was written.
struct StoredEntry {
  std::string_view name;
  std::string_view text;
};

/// In the order in which they are run.
[[nodiscard]] std::span<const StoredEntry> stored_entries();

/// The entry of this name. An unknown name is an error that suggests the nearest one.
[[nodiscard]] Result<Entry> find_entry(std::string_view name, Effort effort);

}  // namespace gossamer
