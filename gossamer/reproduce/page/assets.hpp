#pragma once

#include <string_view>

namespace gossamer::reproduction_page {

// The files that pages about entries are made of beside those of a report, as they were when the
// library was built.
[[nodiscard]] std::string_view entry_html();
[[nodiscard]] std::string_view runs_html();
[[nodiscard]] std::string_view claims_css();
[[nodiscard]] std::string_view claims_js();
[[nodiscard]] std::string_view map_css();
[[nodiscard]] std::string_view map_js();
[[nodiscard]] std::string_view entry_js();
[[nodiscard]] std::string_view overview_js();

}  // namespace gossamer::reproduction_page
