#include "apps/processes/descriptor.hpp"

#include <cerrno>
#include <unistd.h>

namespace gossamer::cli {

void Descriptor::close() {
  if (number_ >= 0) ::close(std::exchange(number_, -1));
}

int write_all(int to, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(to, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return written < 0 ? errno : EIO;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

}  // namespace gossamer::cli
