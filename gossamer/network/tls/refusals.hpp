#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/events/event.hpp"
#include "gossamer/network/sockets/event_loop.hpp"

namespace gossamer::tls {

/// Why nobody talks to a node whose certificate is on the list.
inline constexpr std::string_view kRevokedReason = "its certificate was revoked";

/// What is told of strangers, so little that nobody can fill a disk with it: equal refusals at most
/// once in a while, and a limited number of different ones.
class Refusals {
 public:
  /// What to tell, or nothing. `host` and `reason` decide what is equal; a caller's port is another
  /// one each time.
  [[nodiscard]] std::optional<CallerRefused> next(const std::string& host,
                                                  const std::string& address,
                                                  const std::string& reason, Clock::time_point now);

 private:
  struct Said {
    std::string key;
    Clock::time_point at;
    std::uint64_t left_out = 0;
  };

  std::vector<Said> said_;
  std::uint64_t others_left_out_ = 0;
};

}  // namespace gossamer::tls
