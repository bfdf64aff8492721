#pragma once

#include <algorithm>

#include "gossamer/base/time.hpp"

namespace gossamer::tls {

/// How long a link takes to answer, smoothed in the manner of TCP (RFC 6298). A heartbeat waits
/// behind what was sent before it, so the time of large frames is in it.
class RoundTrip {
 public:
  void measured(Duration sample) {
    if (smoothed_ == Duration{}) {
      smoothed_ = std::max(sample, Duration{1});
      variation_ = sample / 2;
      return;
    }
    const Duration error = sample - smoothed_;
    variation_ += (std::max(error, -error) - variation_) / 4;
    smoothed_ += error / 8;
  }

  /// Zero until something was measured.
  [[nodiscard]] Duration smoothed() const { return smoothed_; }

  /// What an answer hardly ever takes longer than.
  [[nodiscard]] Duration longest() const { return smoothed_ + 4 * variation_; }

 private:
  Duration smoothed_{};
  Duration variation_{};
};

}  // namespace gossamer::tls
