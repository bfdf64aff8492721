#pragma once

#include <memory>
#include <string_view>

#include "gossamer/base/result.hpp"

// OpenSSL's, which only .cpp files see.
struct x509_st;
struct evp_pkey_st;

// OpenSSL's objects out of texts (PEM). For the .cpp files of this folder.
namespace gossamer {

struct FreeOpenSsl {
  void operator()(x509_st* certificate) const;
  void operator()(evp_pkey_st* key) const;
};

using CertificatePointer = std::unique_ptr<x509_st, FreeOpenSsl>;
using KeyPointer = std::unique_ptr<evp_pkey_st, FreeOpenSsl>;

/// OpenSSL keeps its reasons in a queue of the thread, which must not reach the next caller.
[[nodiscard]] Error openssl_error(std::string_view what);

/// The first certificate in a text; an error is half a sentence: "holds no certificate".
[[nodiscard]] Result<CertificatePointer> parse_certificate(std::string_view text);

[[nodiscard]] Result<KeyPointer> parse_key(std::string_view text);

}  // namespace gossamer
