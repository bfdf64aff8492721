#include "gossamer/network/sockets/raw_tls.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>

namespace gossamer {

struct RawTls::State {
  std::shared_ptr<SSL_CTX> context;
  std::shared_ptr<SSL> ssl;
  int descriptor = -1;

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  ~State() {
    if (descriptor >= 0) ::close(descriptor);
  }
};

RawTls::RawTls(std::unique_ptr<State> state) : state_(std::move(state)) {}

RawTls::RawTls(RawTls&&) noexcept = default;
RawTls& RawTls::operator=(RawTls&&) noexcept = default;
RawTls::~RawTls() = default;

void RawTls::send(ByteView bytes) {
  std::size_t count = 0;
  if (SSL_write_ex(state_->ssl.get(), bytes.data(), bytes.size(), &count) != 1) {
    throw std::runtime_error("the yardstick's connection broke while it sent");
  }
}

void RawTls::receive(std::span<std::uint8_t> room) {
  while (!room.empty()) {
    std::size_t count = 0;
    if (SSL_read_ex(state_->ssl.get(), room.data(), room.size(), &count) != 1) {
      throw std::runtime_error("the yardstick's connection broke while it received");
    }
    room = room.subspan(count);
  }
}

namespace {

enum class End { kServer, kClient };

Result<RawTls> make_end(int descriptor, const TlsCredentials& files, End end) {
  auto state = std::make_unique<RawTls::State>();
  state->descriptor = descriptor;
  const int on = 1;
  ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  state->context = {SSL_CTX_new(TLS_method()), SSL_CTX_free};
  SSL_CTX* const context = state->context.get();
  SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  if (SSL_CTX_load_verify_file(context, files.authority.c_str()) != 1 ||
      SSL_CTX_use_certificate_chain_file(context, files.certificate.c_str()) != 1 ||
      SSL_CTX_use_PrivateKey_file(context, files.private_key.c_str(), SSL_FILETYPE_PEM) != 1) {
    return Error{"the yardstick cannot read the key files of " + files.certificate};
  }
  state->ssl = {SSL_new(context), SSL_free};
  SSL_set_fd(state->ssl.get(), descriptor);
  if (end == End::kServer) {
    SSL_set_accept_state(state->ssl.get());
  } else {
    SSL_set_connect_state(state->ssl.get());
  }
  return RawTls(std::move(state));
}

// Two connected descriptors.
Result<std::pair<int, int>> loopback() {
  const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
  const int dialled = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in place{};
  place.sin_family = AF_INET;
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof(place);
  auto* const address = reinterpret_cast<sockaddr*>(&place);
  int accepted = -1;
  if (::bind(listener, address, length) == 0 && ::listen(listener, 1) == 0 &&
      ::getsockname(listener, address, &length) == 0 && ::connect(dialled, address, length) == 0) {
    accepted = ::accept(listener, nullptr, nullptr);
  }
  ::close(listener);
  if (accepted >= 0) return std::pair(accepted, dialled);
  ::close(dialled);
  return Error{"the yardstick cannot connect over loopback"};
}

}  // namespace

Result<std::pair<RawTls, RawTls>> raw_tls_pair(const TlsCredentials& server,
                                               const TlsCredentials& client) {
  const Result<std::pair<int, int>> sockets = loopback();
  if (!sockets) return sockets.error();
  Result<RawTls> accepted = make_end(sockets.value().first, server, End::kServer);
  Result<RawTls> dialled = make_end(sockets.value().second, client, End::kClient);
  if (!accepted) return accepted.error();
  if (!dialled) return dialled.error();
  return std::pair(std::move(accepted).value(), std::move(dialled).value());
}

}  // namespace gossamer
