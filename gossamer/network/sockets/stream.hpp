#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "gossamer/base/bytes.hpp"
#include "gossamer/base/ids.hpp"
#include "gossamer/network/sockets/credentials.hpp"

namespace gossamer::tls {

/// How far a step on a socket that never blocks has come.
enum class Progress {
  kDone,
  kNeedsReadable,  // again when the socket is readable
  kNeedsWritable,
  kEnded,   // by the other end
  kFailed,  // Stream::failure() says why
};

struct Transfer {
  Progress progress = Progress::kDone;
  std::size_t bytes = 0;
};

enum class Side { kDialled, kAccepted };

/// Bytes to and from a peer, encrypted or plain. Borrows the socket.
class Stream {
 public:
  Stream() = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  virtual ~Stream() = default;

  /// Comes first, until it is done.
  [[nodiscard]] virtual Progress handshake() = 0;

  [[nodiscard]] virtual Transfer read_some(std::span<std::uint8_t> room) = 0;

  /// After kNeedsWritable the next call begins with the same bytes.
  [[nodiscard]] virtual Transfer write_some(ByteView bytes) = 0;

  /// After kNeedsReadable: the fewest bytes that the socket has to get before read_some() can have
  /// given so many more.
  [[nodiscard]] virtual std::size_t awaited_for(std::size_t bytes) const { return bytes; }

  /// Whom the certificate of the other end names; nothing if it showed none.
  [[nodiscard]] virtual std::optional<std::string> certified_name() const = 0;

  /// The serial number of that certificate; empty if it showed none.
  [[nodiscard]] virtual std::string certified_serial() const { return {}; }

  /// Half a sentence, "its connection was closed", after kEnded or kFailed.
  [[nodiscard]] const std::string& failure() const { return failure_; }

  /// Somebody above found fault with what came.
  void refuse(std::string reason) { failure_ = std::move(reason); }

  [[nodiscard]] std::uint64_t bytes_sent() const { return bytes_sent_; }

  [[nodiscard]] std::uint64_t bytes_received() const { return bytes_received_; }

 protected:
  Progress fail(Progress progress, std::string reason) {
    failure_ = std::move(reason);
    return progress;
  }

  // On the socket itself.
  [[nodiscard]] long receive_from(int descriptor, void* room, std::size_t size);
  [[nodiscard]] long send_to(int descriptor, const void* bytes, std::size_t size);

 private:
  std::string failure_;
  std::uint64_t bytes_sent_ = 0;
  std::uint64_t bytes_received_ = 0;
};

[[nodiscard]] std::unique_ptr<Stream> plain_stream(int descriptor);

/// The credentials outlive the stream.
[[nodiscard]] std::unique_ptr<Stream> tls_stream(int descriptor, Side side,
                                                 const Credentials& credentials);

}  // namespace gossamer::tls
