#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gossamer::testing {

/// Holds one source file to what makes headers compile alone, and twice: a header begins with
/// `#pragma once`; a source that has a header of its own name includes it before anything else, so
/// that compiling the source compiles that header alone. Headers without a source are compiled by
/// the target gossamer_header_check. `path` is relative to the repository's root.
/// Each sentence names the file and the rule; none means that the file is in order.
[[nodiscard]] std::vector<std::string> header_violations(std::string_view path,
                                                         std::string_view text, bool has_header);

}  // namespace gossamer::testing
