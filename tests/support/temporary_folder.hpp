#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>

namespace gossamer::testing {

/// An empty folder of its own for each object, gone with it and with all in it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    path_ = (std::filesystem::temp_directory_path() / "gossamer-test-XXXXXX").string();
    if (::mkdtemp(path_.data()) == nullptr)
      throw std::runtime_error("cannot make a temporary folder");
  }

  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] const std::string& path() const { return path_; }

  [[nodiscard]] std::string path(std::string_view inside) const {
    return path_ + "/" + std::string(inside);
  }

 private:
  std::string path_;
};

}  // namespace gossamer::testing
