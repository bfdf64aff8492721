#pragma once

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "tests/support/temporary_folder.hpp"

#include "gossamer/base/bytes.hpp"

namespace gossamer::testing {

/// Files for readers that take a path. One folder for all inputs of a process: a fuzzer has
/// thousands of them a second.
class InputFolder {
 public:
  [[nodiscard]] const std::string& path() const { return folder_.path(); }

  /// The path of a file with these bytes, in place of the one that had this name before.
  [[nodiscard]] std::string file(std::string_view name, ByteView bytes) const {
    std::string path = folder_.path(name);
    std::ofstream stream(path, std::ios::binary | std::ios::trunc);
    stream.write(reinterpret_cast<const char*>(bytes.data()),
                 static_cast<std::streamsize>(bytes.size()));
    if (!stream.flush()) throw std::runtime_error("cannot write a file for a fuzz target");
    return path;
  }

 private:
  TemporaryFolder folder_;
};

}  // namespace gossamer::testing
