#pragma once

#include <span>
#include <string>

#include "gossamer/reproduce/reproduction.hpp"

namespace gossamer {

/// What became of an entry, as one HTML file with everything inside: claims, what was done, curves,
/// runs and their settings. It loads nothing and works offline. Text from outside is shown as text,
/// whatever it holds.
[[nodiscard]] Result<std::string> entry_html(const Reproduction& reproduction);

/// The claims of several entries, with links to their pages, which lie beside it as NAME.html.
[[nodiscard]] std::string overview_html(std::span<const Reproduction> reproductions);

/// The claims of an entry, how they stand, and how its runs ended, as a JSON object.
[[nodiscard]] std::string reproduction_json(const Reproduction& reproduction);

}  // namespace gossamer
