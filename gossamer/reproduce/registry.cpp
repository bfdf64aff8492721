#include "gossamer/reproduce/registry.hpp"

#include <string>
#include <vector>

#include <fmt/format.h>

#include "gossamer/base/text/suggest.hpp"

namespace gossamer {

namespace entries {

#define GOSSAMER_ENTRY(symbol, name) std::string_view symbol();
#include "gossamer/reproduce/entries.def"
#undef GOSSAMER_ENTRY

}  // namespace entries

std::span<const StoredEntry> stored_entries() {
  static const std::vector<StoredEntry> all = {
#define GOSSAMER_ENTRY(symbol, name) {name, entries::symbol()},
#include "gossamer/reproduce/entries.def"
#undef GOSSAMER_ENTRY
  };
  return all;
}

Result<Entry> find_entry(std::string_view name, Effort effort) {
  const auto stored = find_named("entry", name, stored_entries(), &StoredEntry::name);
  if (!stored) return stored.error();
  const StoredEntry& entry = *stored.value();
  return parse_entry(entry.name, fmt::format("{}.toml", entry.name), entry.text, effort);
}

}  // namespace gossamer
