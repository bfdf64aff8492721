#include "apps/launch/line_log.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>

#include <fmt/format.h>

namespace gossamer::cli {
namespace {

constexpr mode_t kReadableByAll = 0666;  // as far as the umask allows

std::string cannot_write(const std::string& path, int error) {
  return fmt::format("cannot write the log '{}': {}", path, std::strerror(error));
}

}  // namespace

Result<LineLog> LineLog::open(const std::string& path) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, kReadableByAll));
  if (file.get() < 0) return Error{cannot_write(path, errno)};
  return LineLog(path, std::move(file));
}

void LineLog::write(std::string_view lines) {
  const int error = write_all(file_.get(), lines);
  if (error != 0 && error_.empty()) error_ = cannot_write(path_, error);
}

}  // namespace gossamer::cli
