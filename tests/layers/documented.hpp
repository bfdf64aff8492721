#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gossamer::testing {

/// The declarations of a header's namespaces that have no `///` before them: types, functions,
/// constants. Declarations without an empty line between them share one. A forward declaration and
/// a static_assert need none.
///
/// Goes by the format that clang-format gives all our files: what a namespace holds begins in the
/// first column, and what continues a line does not.
[[nodiscard]] std::vector<std::string> undocumented(std::string_view path, std::string_view text);

}  // namespace gossamer::testing
