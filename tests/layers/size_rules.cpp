#include "tests/layers/size_rules.hpp"

#include <fmt/format.h>

namespace gossamer::testing {

std::vector<std::string> size_violations(const LinesOfFiles& files) {
  std::vector<std::string> violations;
  std::map<std::string, std::size_t> files_in;
  for (const auto& [path, lines] : files) {
    // Lists in .def files grow with what they list, and nobody reads them as code.
    if (!path.ends_with(".cpp") && !path.ends_with(".hpp")) continue;
    ++files_in[path.substr(0, path.rfind('/'))];
    const std::size_t most = path == kLoopFile ? kMostLinesOfLoop : kMostLines;
    if (lines > most)
      violations.push_back(fmt::format("{}: {} lines; at most {}", path, lines, most));
  }
  for (const auto& [folder, count] : files_in) {
    if (count > kMostFiles)
      violations.push_back(fmt::format("{}: {} files; at most {}", folder, count, kMostFiles));
  }
  return violations;
}

}  // namespace gossamer::testing
