#pragma once

#include <set>
#include <string>
#include <vector>

namespace gossamer::testing {

/// The paths of all sources under gossamer/ and apps/, relative to the repository's root. Tests and
/// benchmarks are exempt: they compare with other libraries, and print.
[[nodiscard]] std::vector<std::string> source_paths();

/// All files and folders of the repository, but for what a build makes.
[[nodiscard]] std::set<std::string> repository_paths();

[[nodiscard]] bool source_exists(const std::string& path);

[[nodiscard]] std::string source_text(const std::string& path);

}  // namespace gossamer::testing
