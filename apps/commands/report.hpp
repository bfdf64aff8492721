#pragma once

#include <string>
#include <vector>

namespace gossamer::cli {

/// Writes the page that compares the runs in these folders. Throws BadInput if one of them holds no
/// run, or if the page cannot be written.
void write_report(const std::vector<std::string>& folders, const std::string& path);

}  // namespace gossamer::cli
