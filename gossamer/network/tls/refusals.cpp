#include "gossamer/network/tls/refusals.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace gossamer::tls {
namespace {

constexpr auto kPause = std::chrono::minutes(1);
constexpr std::size_t kMostAtOnce = 32;

std::string with_count(std::string line, std::uint64_t left_out) {
  return left_out == 0 ? line
                       : fmt::format("{} ({} more since the last such line)", line, left_out);
}

}  // namespace

std::optional<std::string> Refusals::line(const std::string& host, const std::string& address,
                                          const std::string& reason, Clock::time_point now) {
  std::string text = fmt::format("refused {}: {}", address, reason);
  std::string key = fmt::format("{} {}", host, reason);
  const auto same = std::ranges::find(said_, key, &Said::key);
  if (same != said_.end()) {
    if (now - same->at < kPause) {
      ++same->left_out;
      return std::nullopt;
    }
    same->at = now;
    return with_count(std::move(text), std::exchange(same->left_out, 0));
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
  return with_count(std::move(text), std::exchange(others_left_out_, 0));
}

}  // namespace gossamer::tls
