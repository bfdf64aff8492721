#include "gossamer/network/sockets/credentials.hpp"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <sys/stat.h>

#include <fmt/format.h>

#include "gossamer/base/file.hpp"
#include "gossamer/network/keys/certificate_name.hpp"
#include "gossamer/network/keys/key_folder.hpp"
#include "gossamer/network/keys/serial_text.hpp"

namespace gossamer::tls {
namespace {

// Bytes that OpenSSL takes from a socket at once: several records per system call.
constexpr std::size_t kReadAhead = 128ul * 1024;

std::string last_error() {
  const char* const text = ERR_reason_error_string(ERR_peek_last_error());
  return text != nullptr ? text : "unknown reason";
}

Result<void> check_is_there(const std::string& what, const std::string& path) {
  struct stat facts {};

  if (::stat(path.c_str(), &facts) == 0) return check_is_regular(path);
  return Error{fmt::format("{} {} cannot be read; 'gossamer keys init' makes keys", what, path)};
}

}  // namespace

Result<Credentials> Credentials::load(const TlsCredentials& files, NodeId self) {
  for (const Result<void>& checked :
       {check_is_there("the authority's certificate", files.authority),
        check_is_there("this node's certificate", files.certificate),
        check_is_there("this node's private key", files.private_key),
        check_is_private(files.private_key), check_is_ones_own(files.authority),
        check_is_ones_own(folder_of(files.authority)),
        check_is_ones_own(folder_of(files.private_key))}) {
    if (!checked) return checked.error();
  }
  ERR_clear_error();
  const std::shared_ptr<SSL_CTX> context(SSL_CTX_new(TLS_method()), SSL_CTX_free);
  if (!context) return Error{fmt::format("OpenSSL cannot start: {}", last_error())};
  SSL_CTX* const ctx = context.get();
  SSL_CTX_set_min_proto_version(ctx, TLS1_3_VERSION);
  SSL_CTX_set_max_proto_version(ctx, TLS1_3_VERSION);
  SSL_CTX_set_verify(ctx, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  SSL_CTX_set_session_cache_mode(ctx, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_num_tickets(ctx, 0);
  // Frames say where a conversation ends: a connection that just closes is nothing special.
  SSL_CTX_set_options(ctx, SSL_OP_IGNORE_UNEXPECTED_EOF);
  SSL_CTX_set_mode(ctx, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_set_read_ahead(ctx, 1);
  SSL_CTX_set_default_read_buffer_len(ctx, kReadAhead);

  if (SSL_CTX_load_verify_file(ctx, files.authority.c_str()) != 1) {
    return Error{
        fmt::format("{} is no certificate of an authority: {}", files.authority, last_error())};
  }
  if (SSL_CTX_use_certificate_chain_file(ctx, files.certificate.c_str()) != 1) {
    return Error{fmt::format("{} is no certificate: {}", files.certificate, last_error())};
  }
  if (SSL_CTX_use_PrivateKey_file(ctx, files.private_key.c_str(), SSL_FILETYPE_PEM) != 1) {
    return Error{fmt::format("{} is not the private key of the certificate {}: {}",
                             files.private_key, files.certificate, last_error())};
  }
  const std::string name = common_name(SSL_CTX_get0_certificate(ctx));
  if (node_of(name) != self) {
    return Error{
        fmt::format("the certificate {} is made out to '{}', and this is node {}; use the "
                    "files of node {}",
                    files.certificate, name, self, self)};
  }
  Result<std::string> authority = read_text(files.authority);
  if (!authority) return authority.error();
  RevocationFile revocations(files.revoked, std::move(authority).value());
  if (const Result<bool> read = revocations.look(); !read) return read.error();
  if (revocations.list().has(serial_text(X509_get0_serialNumber(SSL_CTX_get0_certificate(ctx))))) {
    return Error{fmt::format(
        "the certificate {} was revoked; 'gossamer keys renew' makes new keys for node {}",
        files.certificate, self)};
  }
  return Credentials(context, std::move(revocations));
}

}  // namespace gossamer::tls
