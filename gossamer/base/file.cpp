#include "gossamer/base/file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

#include <fmt/format.h>

namespace gossamer {
namespace {

/// A file descriptor, closed when it goes.
class File {
 public:
  File(const std::string& path, int flags) : descriptor_(::open(path.c_str(), flags, 0644)) {}

  File(const File&) = delete;
  File& operator=(const File&) = delete;

  ~File() {
    if (is_open()) ::close(descriptor_);
  }

  [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }

  [[nodiscard]] bool write_all(ByteView bytes) const {
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return false;
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return true;
  }

  [[nodiscard]] bool read_all(std::vector<std::uint8_t>& bytes) const {
    constexpr std::size_t kChunk = std::size_t{1} << 16;
    for (;;) {
      const std::size_t before = bytes.size();
      bytes.resize(before + kChunk);
      const ssize_t count = ::read(descriptor_, bytes.data() + before, kChunk);
      bytes.resize(before + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return count == 0;
    }
  }

  [[nodiscard]] bool sync() const { return ::fsync(descriptor_) == 0; }

 private:
  int descriptor_;
};

Error cannot(std::string_view what, const std::string& path) {
  return Error{fmt::format("cannot {} '{}': {}", what, path, std::strerror(errno))};
}

}  // namespace

Result<void> write_file(const std::string& path, ByteView bytes) {
  const std::string temporary = path + ".part";
  const auto give_up = [&](Error error) {
    ::unlink(temporary.c_str());
    return error;
  };
  {
    const File file(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC);
    if (!file.is_open()) return cannot("write", path);
    if (!file.write_all(bytes) || !file.sync()) return give_up(cannot("write", path));
  }
  if (::rename(temporary.c_str(), path.c_str()) != 0) return give_up(cannot("replace", path));
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const File directory(folder.empty() ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (!directory.is_open() || !directory.sync()) return cannot("write to the folder of", path);
  return {};
}

Result<std::vector<std::uint8_t>> read_file(const std::string& path) {
  const File file(path, O_RDONLY | O_CLOEXEC);
  std::vector<std::uint8_t> bytes;
  if (!file.is_open() || !file.read_all(bytes)) return cannot("read", path);
  return bytes;
}

}  // namespace gossamer
