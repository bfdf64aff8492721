#include "tests/layers/sources.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

namespace gossamer::testing {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = GOSSAMER_SOURCE_DIR;

}  // namespace

std::vector<std::string> source_paths() {
  std::vector<std::string> paths;
  for (const char* const folder : {"gossamer", "apps"}) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kRoot / folder)) {
      const std::string extension = entry.path().extension();
      if (extension == ".hpp" || extension == ".cpp" || extension == ".def") {
        paths.push_back(entry.path().lexically_relative(kRoot).generic_string());
      }
    }
  }
  return paths;
}

std::set<std::string> repository_paths() {
  std::set<std::string> paths;
  for (fs::recursive_directory_iterator entry(kRoot), end; entry != end; ++entry) {
    const std::string name = entry->path().filename();
    const bool is_made = entry.depth() == 0 && (name == "build" || name == ".git");
    if (is_made && entry->is_directory()) entry.disable_recursion_pending();
    paths.insert(entry->path().lexically_relative(kRoot).generic_string());
  }
  return paths;
}

bool source_exists(const std::string& path) {
  return fs::exists(kRoot / path);
}

std::string source_text(const std::string& path) {
  std::ifstream file(kRoot / path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace gossamer::testing
