#include "gossamer/events/event_file.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include "gossamer/events/event_json.hpp"

namespace gossamer {
namespace {

std::string cannot_write(const std::string& path) {
  return fmt::format("cannot write '{}'", path);
}

// As a process leaves a file that was killed while it wrote.
bool ends_within_a_line(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  file.seekg(-1, std::ios::end);
  return file && file.get() != '\n';
}

}  // namespace

Result<std::unique_ptr<EventFile>> EventFile::open(const std::string& path, EventKinds kinds) {
  const bool is_cut = ends_within_a_line(path);
  std::ofstream file(path, std::ios::app);
  if (is_cut) file << '\n';
  if (!file) return Error{cannot_write(path)};
  return std::make_unique<EventFile>(path, std::move(file), kinds);
}

void EventFile::take(const Event& event) {
  file_ << to_json(event) << '\n';
}

void EventFile::flush() {
  if (!file_.flush()) throw std::runtime_error(cannot_write(path_));
}

}  // namespace gossamer
