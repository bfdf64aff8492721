#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/base/result.hpp"

// zlib's, which only .cpp files see.
struct gzFile_s;

namespace gossamer {

/// A file that is read from its beginning, unpacked if it is gzipped. Every error names it.
class PackedFile {
 public:
  [[nodiscard]] static Result<PackedFile> open(const std::string& path);

  /// The next bytes: so many, or fewer at the end of the file. Unpacks little more than these: a
  /// gzipped file may have a thousand times the bytes that it takes.
  [[nodiscard]] Result<std::vector<std::uint8_t>> read(std::size_t most);

 private:
  struct Close {
    void operator()(gzFile_s* file) const;
  };

  PackedFile(std::string path, gzFile_s* file) : path_(std::move(path)), file_(file) {}

  std::string path_;
  std::unique_ptr<gzFile_s, Close> file_;
};

/// All bytes of a file.
[[nodiscard]] Result<std::vector<std::uint8_t>> read_packed_file(const std::string& path);

/// The path itself, or with `.gz` behind it if only that file is there.
[[nodiscard]] std::string packed_path(const std::string& path);

}  // namespace gossamer
