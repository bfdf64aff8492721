#include "gossamer/network/keys/openssl_text.hpp"

#include <array>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <fmt/format.h>

namespace gossamer {
namespace {

using TextBuffer = std::unique_ptr<BIO, decltype(&BIO_free)>;

TextBuffer buffer_of(std::string_view text) {
  return {BIO_new_mem_buf(text.data(), static_cast<int>(text.size())), BIO_free};
}

}  // namespace

void FreeOpenSsl::operator()(x509_st* certificate) const {
  X509_free(certificate);
}

void FreeOpenSsl::operator()(evp_pkey_st* key) const {
  EVP_PKEY_free(key);
}

Error openssl_error(std::string_view what) {
  std::array<char, 256> reason{};
  ERR_error_string_n(ERR_peek_last_error(), reason.data(), reason.size());
  ERR_clear_error();
  return Error{fmt::format("{}: {}", what, reason.data())};
}

Result<CertificatePointer> parse_certificate(std::string_view text) {
  CertificatePointer certificate(
      PEM_read_bio_X509(buffer_of(text).get(), nullptr, nullptr, nullptr));
  if (!certificate) return openssl_error("holds no certificate");
  return certificate;
}

Result<KeyPointer> parse_key(std::string_view text) {
  // Without this, OpenSSL would ask the terminal for the password of a key that has one.
  const auto no_password = [](char*, int, int, void*) { return -1; };
  KeyPointer key(PEM_read_bio_PrivateKey(buffer_of(text).get(), nullptr, no_password, nullptr));
  if (!key) return openssl_error("holds no private key without a password");
  return key;
}

}  // namespace gossamer
