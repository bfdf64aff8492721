#include "gossamer/learn/images/packed_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <limits>
#include <system_error>
#include <utility>
#include <zlib.h>

#include <fmt/format.h>

#include "gossamer/base/file.hpp"

namespace gossamer {

void PackedFile::Close::operator()(gzFile_s* file) const {
  gzclose(file);
}

Result<PackedFile> PackedFile::open(const std::string& path) {
  if (const Result<void> regular = check_is_regular(path); !regular) return regular.error();
  PackedFile file(path, gzopen(path.c_str(), "rb"));
  if (!file.file_) return Error{fmt::format("cannot read '{}': {}", path, std::strerror(errno))};
  // The library's own 8 KiB at a time cost a tenth of unpacking a large file.
  gzbuffer(file.file_.get(), 1u << 18);
  return file;
}

Result<std::vector<std::uint8_t>> PackedFile::read(std::size_t most) {
  std::vector<std::uint8_t> bytes;
  constexpr std::size_t kChunk = std::size_t{1} << 20;
  while (bytes.size() < most) {
    const std::size_t before = bytes.size();
    const std::size_t wanted = std::min(kChunk, most - before);
    bytes.resize(before + wanted);
    const int count = gzread(file_.get(), bytes.data() + before, static_cast<unsigned int>(wanted));
    if (count < 0) {
      int code = 0;
      return Error{fmt::format("cannot unpack '{}': {}", path_, gzerror(file_.get(), &code))};
    }
    bytes.resize(before + static_cast<std::size_t>(count));
    if (count == 0) break;
  }
  // A gzip file that ends too early gives what it has, and complains when it is closed.
  int code = Z_OK;
  (void)gzerror(file_.get(), &code);
  if (code == Z_BUF_ERROR) return Error{fmt::format("'{}' ends too early", path_)};
  return bytes;
}

Result<std::vector<std::uint8_t>> read_packed_file(const std::string& path) {
  Result<PackedFile> file = PackedFile::open(path);
  if (!file) return file.error();
  return file.value().read(std::numeric_limits<std::size_t>::max());
}

std::string packed_path(const std::string& path) {
  const std::string packed = path + ".gz";
  std::error_code ignored;
  const bool is_packed =
      !std::filesystem::exists(path, ignored) && std::filesystem::exists(packed, ignored);
  return is_packed ? packed : path;
}

}  // namespace gossamer
