#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "gossamer/base/bytes.hpp"

namespace gossamer::tls {

/// Follows the records in a stream of TLS bytes, to know how much has come of one that is not whole
/// yet: OpenSSL gives nothing of it away, and does not say how much it keeps.
class RecordMeter {
 public:
  void came(ByteView bytes) {
    while (!bytes.empty()) {
      if (begun_ < kHeader) {
        // Type and version, then the length of what follows, its high byte first.
        if (begun_ >= kHeader - 2) length_ = length_ % 256 * 256 + bytes.front();
        ++begun_;
        bytes = bytes.subspan(1);
      } else {
        const std::size_t count = std::min(kHeader + length_ - begun_, bytes.size());
        begun_ += count;
        bytes = bytes.subspan(count);
      }
      if (begun_ >= kHeader && begun_ == kHeader + length_) begun_ = 0;
    }
  }

  /// Bytes that have come of the record that is not whole; 0 between records.
  [[nodiscard]] std::size_t begun() const { return begun_; }

  /// Bytes that are still to come before it is known how long it is, or before it is whole.
  [[nodiscard]] std::size_t missing() const {
    return (begun_ < kHeader ? kHeader : kHeader + length_) - begun_;
  }

 private:
  static constexpr std::size_t kHeader = 5;

  std::size_t begun_ = 0;
  std::size_t length_ = 0;
};

}  // namespace gossamer::tls
