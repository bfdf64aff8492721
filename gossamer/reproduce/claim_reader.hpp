#pragma once

#include <span>
#include <string>
#include <string_view>

#include "gossamer/reproduce/entry.hpp"
#include "gossamer/settings/toml_table.hpp"

// How an entry's file says what is claimed. For entry.cpp.
namespace gossamer {

/// Reads a [[claim]] about the runs of an entry, of which some may be named. Mistakes are for the
/// table's finish().
[[nodiscard]] Claim read_claim(TomlTable& table, const Entry& entry,
                               std::span<const std::string> names);

/// Refuses to measure seconds that are not virtual.
void refuse_real_seconds(TomlTable& table, std::string_view key, std::string_view figure,
                         std::span<const PlannedRun> runs);

void refuse_unknown_metric(TomlTable& table, std::string_view key, std::string_view metric,
                           Command command);

void refuse_unknown_run(TomlTable& table, std::string_view key, std::string_view run,
                        std::span<const std::string> names);

}  // namespace gossamer
