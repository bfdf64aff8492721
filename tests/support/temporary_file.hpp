#pragma once

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>

namespace gossamer::testing {

/// A file of its own for each object, gone with it.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view text) {
    path_ = (std::filesystem::temp_directory_path() / "gossamer-test-XXXXXX").string();
    const int descriptor = ::mkstemp(path_.data());
    if (descriptor < 0) throw std::runtime_error("cannot make a temporary file");
    ::close(descriptor);
    std::ofstream(path_, std::ios::binary) << text;
  }

  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace gossamer::testing
