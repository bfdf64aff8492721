#include <algorithm>
#include <cerrno>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <fmt/format.h>

#include "gossamer/network/keys/certificate_name.hpp"
#include "gossamer/network/keys/serial_text.hpp"
#include "gossamer/network/sockets/record_meter.hpp"
#include "gossamer/network/sockets/stream.hpp"

namespace gossamer::tls {
namespace {

struct FreeSsl {
  void operator()(SSL* ssl) const { SSL_free(ssl); }
};

struct FreeCertificate {
  void operator()(X509* certificate) const { X509_free(certificate); }
};

class TlsStream final : public Stream {
 public:
  TlsStream(int descriptor, Side side, const Credentials& credentials)
      : descriptor_(descriptor), ssl_(SSL_new(credentials.context())) {
    BIO* const socket = BIO_new(socket_method());
    BIO_set_data(socket, this);
    BIO_set_init(socket, 1);
    SSL_set_bio(ssl_.get(), socket, socket);
    if (side == Side::kDialled) {
      SSL_set_connect_state(ssl_.get());
    } else {
      SSL_set_accept_state(ssl_.get());
    }
  }

  [[nodiscard]] Progress handshake() override {
    ERR_clear_error();
    const int result = SSL_do_handshake(ssl_.get());
    return result == 1 ? Progress::kDone : progress_after(result);
  }

  [[nodiscard]] Transfer read_some(std::span<std::uint8_t> room) override {
    std::size_t count = 0;
    ERR_clear_error();
    const int result = SSL_read_ex(ssl_.get(), room.data(), room.size(), &count);
    if (result == 1) return {Progress::kDone, count};
    return {progress_after(result)};
  }

  // What has come of a record is given only when the record is whole.
  [[nodiscard]] std::size_t awaited_for(std::size_t bytes) const override {
    return std::max(records_.missing(), bytes - std::min(bytes, records_.begun()));
  }

  [[nodiscard]] Transfer write_some(ByteView bytes) override {
    std::size_t count = 0;
    ERR_clear_error();
    const int result = SSL_write_ex(ssl_.get(), bytes.data(), bytes.size(), &count);
    if (result == 1) return {Progress::kDone, count};
    return {progress_after(result)};
  }

  [[nodiscard]] std::optional<std::string> certified_name() const override {
    const std::unique_ptr<X509, FreeCertificate> certificate(SSL_get1_peer_certificate(ssl_.get()));
    if (!certificate) return std::nullopt;
    return common_name(certificate.get());
  }

  [[nodiscard]] std::string certified_serial() const override {
    const X509* const certificate = SSL_get0_peer_certificate(ssl_.get());
    return certificate == nullptr ? "" : serial_text(X509_get0_serialNumber(certificate));
  }

 private:
  // OpenSSL's own socket BIO lets a connection that was cut raise a signal.
  static BIO_METHOD* socket_method() {
    static BIO_METHOD* const shared = [] {
      BIO_METHOD* const method = BIO_meth_new(BIO_TYPE_SOURCE_SINK, "gossamer socket");
      BIO_meth_set_read(method, bio_read);
      BIO_meth_set_write(method, bio_write);
      BIO_meth_set_ctrl(method, bio_control);
      return method;
    }();
    return shared;
  }

  static bool is_temporary(int error) {
    return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
  }

  static int bio_read(BIO* bio, char* room, int size) {
    auto* const self = static_cast<TlsStream*>(BIO_get_data(bio));
    BIO_clear_retry_flags(bio);
    const long count = self->receive_from(self->descriptor_, room, static_cast<std::size_t>(size));
    if (count < 0 && is_temporary(errno)) BIO_set_retry_read(bio);
    if (count > 0) {
      self->records_.came(
          {reinterpret_cast<const std::uint8_t*>(room), static_cast<std::size_t>(count)});
    }
    if (count == 0) self->is_at_end_ = true;
    return static_cast<int>(count);
  }

  static int bio_write(BIO* bio, const char* bytes, int size) {
    auto* const self = static_cast<TlsStream*>(BIO_get_data(bio));
    BIO_clear_retry_flags(bio);
    const long count = self->send_to(self->descriptor_, bytes, static_cast<std::size_t>(size));
    if (count < 0 && is_temporary(errno)) BIO_set_retry_write(bio);
    return static_cast<int>(count);
  }

  static long bio_control(BIO* bio, int command, long, void*) {
    if (command == BIO_CTRL_EOF) return static_cast<TlsStream*>(BIO_get_data(bio))->is_at_end_;
    return command == BIO_CTRL_FLUSH ? 1 : 0;
  }

  [[nodiscard]] Progress progress_after(int result) {
    switch (SSL_get_error(ssl_.get(), result)) {
      case SSL_ERROR_WANT_READ:
        return Progress::kNeedsReadable;
      case SSL_ERROR_WANT_WRITE:
        return Progress::kNeedsWritable;
      case SSL_ERROR_ZERO_RETURN:
        return fail(Progress::kEnded, "its connection was closed");
      case SSL_ERROR_SYSCALL:
        return fail(Progress::kEnded, "its connection was cut");
      default:
        return fail(Progress::kFailed, reason());
    }
  }

  [[nodiscard]] std::string reason() const {
    const unsigned long error = ERR_peek_last_error();
    const int code = ERR_GET_REASON(error);
    if (code == SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE) return "it showed no certificate";
    if (code == SSL_R_CERTIFICATE_VERIFY_FAILED) {
      return fmt::format("its certificate was not accepted: {}",
                         X509_verify_cert_error_string(SSL_get_verify_result(ssl_.get())));
    }
    const char* const text = ERR_reason_error_string(error);
    const char* const known = text != nullptr ? text : "unknown reason";
    if (code > SSL_AD_REASON_OFFSET) return fmt::format("it refused this node: {}", known);
    return fmt::format("it does not speak TLS 1.3 as this cluster does: {}", known);
  }

  int descriptor_;
  bool is_at_end_ = false;
  RecordMeter records_;
  std::unique_ptr<SSL, FreeSsl> ssl_;
};

}  // namespace

std::unique_ptr<Stream> tls_stream(int descriptor, Side side, const Credentials& credentials) {
  return std::make_unique<TlsStream>(descriptor, side, credentials);
}

}  // namespace gossamer::tls
