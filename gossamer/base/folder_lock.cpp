#include "gossamer/base/folder_lock.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "gossamer/base/text/printable.hpp"

namespace gossamer {
namespace {

// What the file says, for people: the lock itself is the kernel's.
std::string owner_in(int descriptor) {
  std::array<char, 128> text{};
  const ssize_t size = ::pread(descriptor, text.data(), text.size(), 0);
  const std::string_view all(text.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
  const std::string_view line = all.substr(0, all.find('\n'));
  return line.empty() ? "another process" : printable(line);
}

void write_owner(int descriptor) {
  std::array<char, 65> host{};
  (void)::gethostname(host.data(), host.size() - 1);
  const std::string line = fmt::format("process {} on {}\n", ::getpid(), host.data());
  // Where there is no room for it, the lock holds all the same.
  if (::ftruncate(descriptor, 0) == 0) (void)!::pwrite(descriptor, line.data(), line.size(), 0);
}

}  // namespace

Result<FolderLock> FolderLock::take(const std::string& folder) {
  const std::string path = folder + "/lock";
  FolderLock lock(::open(path.c_str(),
                         O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0644));

  struct stat status {};

  if (lock.descriptor_ < 0 || ::fstat(lock.descriptor_, &status) != 0)
    return Error{fmt::format("cannot write '{}': {}", path, std::strerror(errno))};
  if (!S_ISREG(status.st_mode))
    return Error{fmt::format("'{}' is no regular file: remove it", path)};
  if (::flock(lock.descriptor_, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) {
      return Error{
          fmt::format("'{}' is in use by a run that has not ended ({}): wait for its end, or name "
                      "another folder",
                      folder, owner_in(lock.descriptor_))};
    }
    // A file system without locks.
    return lock;
  }
  write_owner(lock.descriptor_);
  return lock;
}

FolderLock::FolderLock(FolderLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace gossamer
