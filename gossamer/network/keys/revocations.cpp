#include "gossamer/network/keys/revocations.hpp"

#include <ctime>
#include <memory>
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <utility>

#include "gossamer/network/keys/openssl_text.hpp"
#include "gossamer/network/keys/serial_text.hpp"

namespace gossamer {
namespace {

struct Free {
  void operator()(X509_CRL* list) const { X509_CRL_free(list); }

  void operator()(BIO* buffer) const { BIO_free(buffer); }

  // Numbers and times alike.
  void operator()(ASN1_STRING* value) const { ASN1_STRING_free(value); }

  void operator()(X509_REVOKED* entry) const { X509_REVOKED_free(entry); }
};

using List = std::unique_ptr<X509_CRL, Free>;
using TextBuffer = std::unique_ptr<BIO, Free>;
using Integer = std::unique_ptr<ASN1_INTEGER, Free>;
using Time = std::unique_ptr<ASN1_TIME, Free>;
using Entry = std::unique_ptr<X509_REVOKED, Free>;

Result<List> parse_list(std::string_view text, X509* authority) {
  const TextBuffer buffer(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
  List list(PEM_read_bio_X509_CRL(buffer.get(), nullptr, nullptr, nullptr));
  if (!list) return openssl_error("holds no list of revoked certificates");
  const bool is_ours =
      X509_NAME_cmp(X509_CRL_get_issuer(list.get()), X509_get_subject_name(authority)) == 0 &&
      X509_CRL_verify(list.get(), X509_get0_pubkey(authority)) == 1;
  ERR_clear_error();
  if (!is_ours) return Error{"is not signed by the authority of this cluster"};
  return list;
}

std::uint64_t number_of(const X509_CRL* list) {
  const Integer number(
      static_cast<ASN1_INTEGER*>(X509_CRL_get_ext_d2i(list, NID_crl_number, nullptr, nullptr)));
  std::uint64_t value = 0;
  if (!number || ASN1_INTEGER_get_uint64(&value, number.get()) != 1) return 0;
  return value;
}

bool set_number(X509_CRL* list, std::uint64_t value) {
  const Integer number(ASN1_INTEGER_new());
  return number && ASN1_INTEGER_set_uint64(number.get(), value) == 1 &&
         X509_CRL_add1_ext_i2d(list, NID_crl_number, number.get(), 0, X509V3_ADD_REPLACE) == 1;
}

bool add_entry(X509_CRL* list, X509* certificate, ASN1_TIME* now) {
  X509_REVOKED* there = nullptr;
  if (X509_CRL_get0_by_cert(list, &there, certificate) == 1) return true;
  Entry entry(X509_REVOKED_new());
  if (!entry ||
      X509_REVOKED_set_serialNumber(entry.get(), X509_get_serialNumber(certificate)) != 1 ||
      X509_REVOKED_set_revocationDate(entry.get(), now) != 1 ||
      X509_CRL_add0_revoked(list, entry.get()) != 1)
    return false;
  (void)entry.release();
  return true;
}

Result<std::string> text_of(X509_CRL* list) {
  const TextBuffer buffer(BIO_new(BIO_s_mem()));
  if (PEM_write_bio_X509_CRL(buffer.get(), list) != 1)
    return openssl_error("the list of revoked certificates cannot be written");
  char* begin = nullptr;
  const long size = BIO_get_mem_data(buffer.get(), &begin);
  return std::string(begin, static_cast<std::size_t>(size));
}

}  // namespace

std::string serial_text(const asn1_string_st* serial) {
  const std::unique_ptr<BIGNUM, decltype(&BN_free)> number(ASN1_INTEGER_to_BN(serial, nullptr),
                                                           BN_free);
  const std::unique_ptr<char, void (*)(char*)> text(number ? BN_bn2hex(number.get()) : nullptr,
                                                    [](char* hex) { OPENSSL_free(hex); });
  return text ? std::string(text.get()) : std::string();
}

Result<std::string> serial_of(std::string_view certificate) {
  const Result<CertificatePointer> parsed = parse_certificate(certificate);
  if (!parsed) return parsed.error();
  return serial_text(X509_get0_serialNumber(parsed.value().get()));
}

Result<Revocations> Revocations::read(std::string_view list, std::string_view authority) {
  const Result<CertificatePointer> issuer = parse_certificate(authority);
  if (!issuer) return issuer.error();
  const Result<List> parsed = parse_list(list, issuer.value().get());
  if (!parsed) return parsed.error();
  Revocations revocations;
  revocations.number_ = number_of(parsed.value().get());
  STACK_OF(X509_REVOKED)* const entries = X509_CRL_get_REVOKED(parsed.value().get());
  for (int i = 0; i < sk_X509_REVOKED_num(entries); ++i) {
    revocations.serials_.insert(
        serial_text(X509_REVOKED_get0_serialNumber(sk_X509_REVOKED_value(entries, i))));
  }
  return revocations;
}

Result<std::string> make_revocations(const Identity& authority, std::string_view earlier,
                                     const std::vector<std::string>& certificates) {
  const Result<CertificatePointer> issuer = parse_certificate(authority.certificate);
  if (!issuer) return issuer.error();
  const Result<KeyPointer> key = parse_key(authority.private_key);
  if (!key) return key.error();
  X509* const issuer_certificate = issuer.value().get();
  List list(X509_CRL_new());
  if (!earlier.empty()) {
    Result<List> parsed = parse_list(earlier, issuer_certificate);
    if (!parsed) return parsed.error();
    list = std::move(parsed).value();
  }
  const std::uint64_t number = earlier.empty() ? 0 : number_of(list.get());
  const Time now(ASN1_TIME_set(nullptr, std::time(nullptr)));
  bool done =
      list && now && X509_CRL_set_version(list.get(), X509_CRL_VERSION_2) == 1 &&
      X509_CRL_set_issuer_name(list.get(), X509_get_subject_name(issuer_certificate)) == 1 &&
      X509_CRL_set1_lastUpdate(list.get(), now.get()) == 1 &&
      // Lists do not end: the next one comes when somebody is revoked.
      X509_CRL_set1_nextUpdate(list.get(), X509_get0_notAfter(issuer_certificate)) == 1 &&
      set_number(list.get(), number + 1);
  for (const std::string& text : certificates) {
    const Result<CertificatePointer> certificate = parse_certificate(text);
    if (!certificate) return certificate.error();
    done = done && add_entry(list.get(), certificate.value().get(), now.get());
  }
  done = done && X509_CRL_sort(list.get()) == 1 &&
         X509_CRL_sign(list.get(), key.value().get(), EVP_sha256()) > 0;
  if (!done) return openssl_error("the list of revoked certificates cannot be made");
  return text_of(list.get());
}

}  // namespace gossamer
