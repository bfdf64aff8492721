#include "apps/console/event_stream.hpp"

#include <cstdio>

#include <fmt/format.h>

#include "gossamer/events/event_json.hpp"

namespace gossamer::cli {
namespace {

constexpr std::chrono::milliseconds kBetweenRounds{100};

}  // namespace

void EventStream::take(const Event& event) {
  if (event.kind() == EventKind::kRoundDone) {
    const Clock::time_point now = Clock::now();
    if (now - last_round_ < kBetweenRounds) return;
    last_round_ = now;
  }
  fmt::print("{}\n", to_json(event));
}

void EventStream::flush() {
  std::fflush(stdout);
}

}  // namespace gossamer::cli
