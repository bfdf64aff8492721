#include "gossamer/learn/images/packed_file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>
#include <zlib.h>

#include <fmt/format.h>

namespace gossamer {
namespace {

struct CloseFile {
  void operator()(gzFile file) const { gzclose(file); }
};

using PackedFile = std::unique_ptr<gzFile_s, CloseFile>;

}  // namespace

Result<std::vector<std::uint8_t>> read_packed_file(const std::string& path) {
  const PackedFile file(gzopen(path.c_str(), "rb"));
  if (!file) return Error{fmt::format("cannot read '{}': {}", path, std::strerror(errno))};
  // The library's own 8 KiB at a time cost a tenth of unpacking a large file.
  gzbuffer(file.get(), 1u << 18);
  std::vector<std::uint8_t> bytes;
  constexpr std::size_t kChunk = std::size_t{1} << 20;
  for (;;) {
    const std::size_t before = bytes.size();
    bytes.resize(before + kChunk);
    const int count = gzread(file.get(), bytes.data() + before, kChunk);
    if (count < 0) {
      int code = 0;
      return Error{fmt::format("cannot unpack '{}': {}", path, gzerror(file.get(), &code))};
    }
    bytes.resize(before + static_cast<std::size_t>(count));
    if (count == 0) break;
  }
  // A gzip file that ends too early gives what it has, and complains when it is closed.
  int code = Z_OK;
  (void)gzerror(file.get(), &code);
  if (code == Z_BUF_ERROR) return Error{fmt::format("'{}' ends too early", path)};
  return bytes;
}

std::string packed_path(const std::string& path) {
  const std::string packed = path + ".gz";
  std::error_code ignored;
  const bool is_packed =
      !std::filesystem::exists(path, ignored) && std::filesystem::exists(packed, ignored);
  return is_packed ? packed : path;
}

}  // namespace gossamer
