#include "gossamer/base/file.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

namespace gossamer {
namespace {

/// A file descriptor, closed when it goes.
class File {
 public:
  File(const std::string& path, int flags) : descriptor_(::open(path.c_str(), flags, 0644)) {}

  /// Makes a new file beside another one, and says under which name. Never takes a file or a link
  /// that is there: somebody else may have put it there, and it might lead anywhere.
  static File make_beside(const std::string& path, std::string& name) {
    static std::atomic<std::uint64_t> calls = 0;
    constexpr int kMostTries = 100'000;
    for (int tries = 1;; ++tries) {
      // What a process of this number has left that was killed costs a try.
      name = fmt::format("{}.part-{}-{}", path, ::getpid(), calls++);
      const int made =
          ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
      if (made >= 0 || errno != EEXIST || tries == kMostTries) return File(made);
    }
  }

  File(const File&) = delete;
  File& operator=(const File&) = delete;

  ~File() {
    if (is_open()) ::close(descriptor_);
  }

  [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }

  [[nodiscard]] mode_t mode() const {
    struct stat status {};

    return ::fstat(descriptor_, &status) == 0 ? status.st_mode : 0;
  }

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
  explicit File(int descriptor) : descriptor_(descriptor) {}

  int descriptor_;
};

Error cannot(std::string_view what, const std::string& path) {
  return Error{fmt::format("cannot {} '{}': {}", what, path, std::strerror(errno))};
}

std::string_view kind_of(mode_t mode) {
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

Result<void> refuse_irregular(const std::string& path, mode_t mode) {
  if (S_ISREG(mode)) return {};
  if (S_ISDIR(mode)) return Error{fmt::format("cannot read '{}': {}", path, std::strerror(EISDIR))};
  return Error{fmt::format("'{}' is {}, and no regular file", path, kind_of(mode))};
}

}  // namespace

Result<void> write_file(const std::string& path, ByteView bytes) {
  std::string temporary;
  const auto give_up = [&](Error error) {
    ::unlink(temporary.c_str());
    return error;
  };
  {
    const File file = File::make_beside(path, temporary);
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
  // Without O_NONBLOCK, opening a pipe would wait for whoever writes into it.
  const File file(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (!file.is_open()) return cannot("read", path);
  if (const Result<void> regular = refuse_irregular(path, file.mode()); !regular)
    return regular.error();
  std::vector<std::uint8_t> bytes;
  if (!file.read_all(bytes)) return cannot("read", path);
  return bytes;
}

Result<void> check_is_regular(const std::string& path) {
  struct stat status {};

  if (::stat(path.c_str(), &status) != 0) return {};
  return refuse_irregular(path, status.st_mode);
}

}  // namespace gossamer
