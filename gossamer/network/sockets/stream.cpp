#include "gossamer/network/sockets/stream.hpp"

#include <cerrno>
#include <sys/socket.h>

namespace gossamer::tls {
namespace {

bool would_block(int error) {
  return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

class PlainStream final : public Stream {
 public:
  explicit PlainStream(int descriptor) : descriptor_(descriptor) {}

  [[nodiscard]] Progress handshake() override { return Progress::kDone; }

  [[nodiscard]] Transfer read_some(std::span<std::uint8_t> room) override {
    const long count = receive_from(descriptor_, room.data(), room.size());
    if (count > 0) return {Progress::kDone, static_cast<std::size_t>(count)};
    if (count < 0 && would_block(errno)) return {Progress::kNeedsReadable};
    return {fail(Progress::kEnded,
                 count == 0 ? "its connection was closed" : "its connection was cut")};
  }

  [[nodiscard]] Transfer write_some(ByteView bytes) override {
    const long count = send_to(descriptor_, bytes.data(), bytes.size());
    if (count >= 0) return {Progress::kDone, static_cast<std::size_t>(count)};
    if (would_block(errno)) return {Progress::kNeedsWritable};
    return {fail(Progress::kEnded, "its connection was cut")};
  }

  [[nodiscard]] std::optional<std::string> certified_name() const override { return std::nullopt; }

 private:
  int descriptor_;
};

}  // namespace

long Stream::receive_from(int descriptor, void* room, std::size_t size) {
  const ssize_t count = ::recv(descriptor, room, size, 0);
  if (count > 0) bytes_received_ += static_cast<std::uint64_t>(count);
  return count;
}

long Stream::send_to(int descriptor, const void* bytes, std::size_t size) {
  // A connection that was cut is an answer, not a signal that ends the process.
  const ssize_t count = ::send(descriptor, bytes, size, MSG_NOSIGNAL);
  if (count > 0) bytes_sent_ += static_cast<std::uint64_t>(count);
  return count;
}

std::unique_ptr<Stream> plain_stream(int descriptor) {
  return std::make_unique<PlainStream>(descriptor);
}

}  // namespace gossamer::tls
