#include "apps/console/event_lines.hpp"

#include <chrono>
#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "gossamer/base/text/printable.hpp"
#include "gossamer/events/sentence.hpp"

namespace gossamer::cli {

void EventLines::take(const Event& event) {
  print(sentence_of(event));
}

void EventLines::print(std::string_view sentence) const {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  fmt::print(out_, "{:%H:%M:%S} {}\n", fmt::localtime(now), printable(sentence));
}

}  // namespace gossamer::cli
