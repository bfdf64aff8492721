#pragma once

#include <span>
#include <string>
#include <string_view>

#include "gossamer/reproduce/reproduction.hpp"

namespace gossamer {

/// What stands before and after the results in a Markdown document.
inline constexpr std::string_view kResultsBegin =
    "<!-- results: made by gossamer reproduce --all --quick --update-table README.md -->";
inline constexpr std::string_view kResultsEnd = "<!-- end of results -->";

/// An entry's claims in Markdown: a line with its name, a table, and why some of them differ.
[[nodiscard]] std::string results_section(const Reproduction& reproduction);

/// What happens to the sections of entries that were not run.
enum class OtherSections { kKeep, kDrop };

/// The document with the sections of these entries between its markers: each in its old place, new
/// ones at the end; or, if others are dropped, in the order given. Refuses a document without
/// markers.
[[nodiscard]] Result<std::string> with_results(std::string_view document,
                                               std::span<const Reproduction> reproductions,
                                               OtherSections others);

}  // namespace gossamer
