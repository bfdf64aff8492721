#include "gossamer/hunt/world/disk.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "gossamer/base/contract.hpp"

namespace gossamer {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, none))
    entries.push_back(entry.path());
  std::ranges::sort(entries);
  return entries;
}

}  // namespace

Disk::Disk() {
  // In memory where there is such a folder: checkpoints are flushed to real disks.
  const fs::path memory = "/dev/shm";
  const fs::path parent = fs::exists(memory) ? memory : fs::temp_directory_path();
  std::string pattern = (parent / "gossamer-hunt-XXXXXX").string();
  expects(::mkdtemp(pattern.data()) != nullptr, "a folder for checkpoints");
  path_ = pattern;
}

Disk::~Disk() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string Disk::of(NodeId node) const {
  return fmt::format("{}/{}", path_, node);
}

void Disk::tear_newest(NodeId node) const {
  const std::vector<fs::path> rounds = entries_of(of(node));
  if (rounds.empty()) return;
  for (const fs::path& file : entries_of(rounds.back())) {
    std::error_code ignored;
    fs::resize_file(file, fs::file_size(file, ignored) / 2, ignored);
    fs::rename(file, file.string() + ".part", ignored);
  }
}

}  // namespace gossamer
