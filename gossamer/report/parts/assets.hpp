#pragma once

#include <string_view>

namespace gossamer::report {

// The files that a report page is made of, as they were when the library was built.
[[nodiscard]] std::string_view frame_html();  // of every page, with {{names}} for what goes in
[[nodiscard]] std::string_view overview_html();
[[nodiscard]] std::string_view curves_html();
[[nodiscard]] std::string_view details_html();
[[nodiscard]] std::string_view page_css();
[[nodiscard]] std::string_view numbers_js();
[[nodiscard]] std::string_view elements_js();
[[nodiscard]] std::string_view curves_js();
[[nodiscard]] std::string_view runs_js();
[[nodiscard]] std::string_view page_js();
[[nodiscard]] std::string_view chart_js();  // Chart.js, minified

}  // namespace gossamer::report
