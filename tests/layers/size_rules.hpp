#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace gossamer::testing {

/// Lines of each source file, by its path from the repository's root.
using LinesOfFiles = std::map<std::string, std::size_t>;

/// Sources can be read file by file, and folders at a glance: a file has at most kMostLines lines,
/// a folder at most kMostFiles files of its own (.cpp and .hpp), and the loop of a training run is
/// shorter still. Each sentence names what is too large; none means that all are in order.
[[nodiscard]] std::vector<std::string> size_violations(const LinesOfFiles& files);

inline constexpr std::size_t kMostLines = 350;
inline constexpr std::size_t kMostFiles = 25;

/// The file that shows what a run does: whoever comes new reads it first.
inline constexpr const char* kLoopFile = "gossamer/train/node_run.cpp";
inline constexpr std::size_t kMostLinesOfLoop = 199;

}  // namespace gossamer::testing
