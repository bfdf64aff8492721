#pragma once

#include <memory>
#include <span>
#include <utility>

#include "gossamer/base/bytes.hpp"
#include "gossamer/base/result.hpp"
#include "gossamer/network/tls/tls.hpp"

namespace gossamer {

/// The yardstick of `gossamer bench links`: one end of a TLS 1.3 connection on a blocking socket,
/// OpenSSL as it comes, without frames, receipts or threads. Throws std::runtime_error when the
/// connection breaks.
class RawTls {
 public:
  struct State;

  explicit RawTls(std::unique_ptr<State> state);
  RawTls(RawTls&&) noexcept;
  RawTls& operator=(RawTls&&) noexcept;
  ~RawTls();

  void send(ByteView bytes);
  void receive(std::span<std::uint8_t> room);

 private:
  std::unique_ptr<State> state_;
};

/// Both ends of a connection over loopback. They shake hands when they are first used, each on a
/// thread of its own.
[[nodiscard]] Result<std::pair<RawTls, RawTls>> raw_tls_pair(const TlsCredentials& server,
                                                             const TlsCredentials& client);

}  // namespace gossamer
