#pragma once

#include <set>
#include <string>
#include <vector>

namespace gossamer::testing {

/// What gossamer/gossamer.hpp and gossamer/torch.hpp include, in their order: the headers that
/// docs/stability.md makes promises about.
[[nodiscard]] std::vector<std::string> public_headers();

/// All that a header includes, and what these include: our own files and foreign ones. Itself too.
[[nodiscard]] std::set<std::string> reached_from(const std::string& header);

}  // namespace gossamer::testing
