#include "apps/console/event_lines.hpp"

#include <chrono>
#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "gossamer/base/text/printable.hpp"
#include "gossamer/events/sentence.hpp"

namespace gossamer::cli {

std::string timed_line(std::string_view sentence) {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{:%H:%M:%S} {}\n", fmt::localtime(now), printable(sentence));
}

void EventLines::take(const Event& event) {
  print(sentence_of(event));
}

void EventLines::print(std::string_view sentence) const {
  fmt::print(out_, "{}", timed_line(sentence));
}

}  // namespace gossamer::cli
