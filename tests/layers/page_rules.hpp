#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/layers/layer_rules.hpp"

namespace gossamer::testing {

/// Paths that a page of Markdown mentions and that are not there. Looked at are the targets of
/// links, from the page's folder, and words: those that begin with a folder of the root
/// (`tests/wire`), and files that begin with a layer (`wire/frame.hpp`). A pattern
/// (`node/membership.*`) or a placeholder
/// (`compress/NAME.cpp`) needs a path that begins like it. `page` and `known` are relative to the
/// repository's root. Each sentence names the page, the line and the path.
[[nodiscard]] std::vector<std::string> missing_paths(std::string_view page, std::string_view text,
                                                     const std::set<std::string>& known);

/// What is wrong with the picture in ARCHITECTURE.md: a layer that it does not show, one that it
/// shows and that is not there, one that does not stand above all that it sees.
[[nodiscard]] std::vector<std::string> picture_violations(std::string_view text,
                                                          const std::vector<Layer>& layers);

}  // namespace gossamer::testing
