#include "gossamer/network/tls/refusals.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace gossamer::tls {
namespace {

constexpr auto kPause = std::chrono::minutes(1);
constexpr std::size_t kMostAtOnce = 32;

}  // namespace

std::optional<CallerRefused> Refusals::next(const std::string& host, const std::string& address,
                                            const std::string& reason, Clock::time_point now) {
  std::string key = fmt::format("{} {}", host, reason);
  const auto same = std::ranges::find(said_, key, &Said::key);
  if (same != said_.end()) {
    if (now - same->at < kPause) {
      ++same->left_out;
      return std::nullopt;
    }
    same->at = now;
    return CallerRefused{address, reason, std::exchange(same->left_out, 0)};
  }
  if (said_.size() == kMostAtOnce) {
    const auto oldest = std::ranges::min_element(said_, {}, &Said::at);
    if (now - oldest->at < kPause) {
      ++others_left_out_;
      return std::nullopt;
    }
    others_left_out_ += oldest->left_out;
    said_.erase(oldest);
  }
  said_.push_back({std::move(key), now});
  return CallerRefused{address, reason, std::exchange(others_left_out_, 0)};
}

}  // namespace gossamer::tls
