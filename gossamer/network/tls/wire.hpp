#pragma once

#include <memory>

#include "gossamer/network/sockets/event_loop.hpp"
#include "gossamer/network/tls/connection.hpp"

namespace gossamer::tls {

class Wire;

/// Who looks after a wire: the door until it is known who is at its other end, then a peer's link.
class WireKeeper {
 public:
  WireKeeper() = default;
  WireKeeper(const WireKeeper&) = delete;
  WireKeeper& operator=(const WireKeeper&) = delete;
  virtual ~WireKeeper() = default;

  // May destroy the wire.
  virtual void readable(Wire& wire) = 0;
  virtual void writable(Wire& wire) = 0;
};

/// A socket and the frames on it.
class Wire {
 public:
  Wire(std::unique_ptr<Socket> connected, std::unique_ptr<Stream> stream, NodeId self)
      : socket(std::move(connected)), connection(std::move(stream), self) {
    socket->on_ready([this] { keeper->readable(*this); },
                     [this] {
                       is_blocked = false;
                       keeper->writable(*this);
                     });
  }

  /// Writes what there is. Anything but kDone and the two waits, for which the wire waits by
  /// itself, means that the connection is over.
  [[nodiscard]] Progress send(Link* link) {
    if (is_blocked) return Progress::kNeedsWritable;
    const Progress progress = connection.send(link);
    if (progress == Progress::kNeedsWritable) {
      is_blocked = true;
      socket->wait_writable();
    } else if (progress == Progress::kNeedsReadable) {
      socket->wait_readable();
    }
    return progress;
  }

  std::unique_ptr<Socket> socket;
  Connection connection;
  WireKeeper* keeper = nullptr;
  /// The session that our hello on this wire named.
  std::uint64_t announced_session = 0;
  /// The number that the caller gave this call.
  std::uint64_t call = 0;
  /// Whether the socket took less than there was.
  bool is_blocked = false;
};

}  // namespace gossamer::tls
