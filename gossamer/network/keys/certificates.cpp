#include "gossamer/network/keys/certificates.hpp"

#include <array>
#include <ctime>
#include <initializer_list>
#include <memory>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <utility>

#include <fmt/format.h>

#include "gossamer/network/keys/certificate_name.hpp"
#include "gossamer/network/keys/openssl_text.hpp"

namespace gossamer {
namespace {

template <auto kFree>
struct FreeWith {
  template <typename T>
  void operator()(T* object) const {
    kFree(object);
  }
};

using Key = KeyPointer;
using Certificate = CertificatePointer;
using Extension = std::unique_ptr<X509_EXTENSION, FreeWith<X509_EXTENSION_free>>;
using TextBuffer = std::unique_ptr<BIO, FreeWith<BIO_free>>;
using Number = std::unique_ptr<BIGNUM, FreeWith<BN_free>>;

std::string text_in(const TextBuffer& buffer) {
  char* begin = nullptr;
  const long size = BIO_get_mem_data(buffer.get(), &begin);
  return {begin, static_cast<std::size_t>(size)};
}

Result<Identity> to_texts(const Certificate& certificate, const Key& key) {
  const TextBuffer certificate_text(BIO_new(BIO_s_mem()));
  const TextBuffer key_text(BIO_new(BIO_s_mem()));
  if (PEM_write_bio_X509(certificate_text.get(), certificate.get()) != 1 ||
      PEM_write_bio_PKCS8PrivateKey(key_text.get(), key.get(), nullptr, nullptr, 0, nullptr,
                                    nullptr) != 1)
    return openssl_error("a key cannot be written");
  return Identity{text_in(certificate_text), text_in(key_text)};
}

std::string random_name() {
  std::array<unsigned char, 8> bytes{};
  std::string name;
  if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1) return name;
  for (const unsigned char byte : bytes)
    name += fmt::format("{:02x}", byte);
  return name;
}

// Positive, and of as many bits as RFC 5280 lets one have: two of an authority never meet.
bool set_random_serial(X509* certificate) {
  const Number number(BN_new());
  return number && BN_rand(number.get(), 159, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY) == 1 &&
         BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(certificate)) != nullptr;
}

bool set_dates(X509* certificate, int valid_days) {
  std::time_t now = std::time(nullptr);
  return X509_time_adj_ex(X509_getm_notBefore(certificate), -1, 0, &now) != nullptr &&
         X509_time_adj_ex(X509_getm_notAfter(certificate), valid_days, 0, &now) != nullptr;
}

bool add_name(X509* certificate, const std::string& name) {
  const auto* const bytes = reinterpret_cast<const unsigned char*>(name.data());
  return X509_NAME_add_entry_by_NID(X509_get_subject_name(certificate), NID_commonName,
                                    MBSTRING_UTF8, bytes, static_cast<int>(name.size()), -1,
                                    0) == 1;
}

using ExtensionText = std::pair<int, const char*>;

bool add_extensions(X509* certificate, X509* issuer, std::initializer_list<ExtensionText> texts) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  for (const auto& [kind, text] : texts) {
    const Extension extension(X509V3_EXT_nconf_nid(nullptr, &context, kind, text));
    if (!extension || X509_add_ext(certificate, extension.get(), -1) != 1) return false;
  }
  return true;
}

// A certificate of this key, with all but an issuer, extensions and a signature.
Certificate certificate_for(const Key& key, const std::string& name, int valid_days) {
  Certificate certificate(X509_new());
  const bool done = certificate && X509_set_version(certificate.get(), X509_VERSION_3) == 1 &&
                    set_random_serial(certificate.get()) &&
                    set_dates(certificate.get(), valid_days) && add_name(certificate.get(), name) &&
                    X509_set_pubkey(certificate.get(), key.get()) == 1;
  return done ? std::move(certificate) : nullptr;
}

bool sign(X509* certificate, const X509* issuer, EVP_PKEY* issuer_key) {
  return X509_set_issuer_name(certificate, X509_get_subject_name(issuer)) == 1 &&
         X509_sign(certificate, issuer_key, EVP_sha256()) > 0;
}

std::string fingerprint_of(const X509* certificate) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  if (X509_digest(certificate, EVP_sha256(), digest.data(), &size) != 1) return "";
  std::string text;
  for (unsigned int i = 0; i < size; ++i)
    text += fmt::format("{}{:02X}", i == 0 ? "" : ":", digest[i]);
  return text;
}

std::chrono::sys_seconds to_time(const ASN1_TIME* time) {
  std::tm parts{};
  if (ASN1_TIME_to_tm(time, &parts) != 1) return {};
  return std::chrono::sys_seconds(std::chrono::seconds(::timegm(&parts)));
}

}  // namespace

Result<Identity> make_authority(int valid_days) {
  const Key key(EVP_EC_gen("P-256"));
  const std::string id = random_name();
  if (!key || id.empty()) return openssl_error("the authority's key cannot be made");
  const Certificate certificate =
      certificate_for(key, fmt::format("gossamer cluster {}", id), valid_days);
  if (!certificate ||
      !add_extensions(certificate.get(), certificate.get(),
                      {{NID_basic_constraints, "critical,CA:TRUE,pathlen:0"},
                       {NID_key_usage, "critical,keyCertSign,cRLSign"},
                       {NID_subject_key_identifier, "hash"}}) ||
      !sign(certificate.get(), certificate.get(), key.get()))
    return openssl_error("the authority's certificate cannot be made");
  return to_texts(certificate, key);
}

Result<Identity> make_node_identity(const Identity& authority, NodeId node, int valid_days) {
  const Result<Certificate> issuer = parse_certificate(authority.certificate);
  if (!issuer) return issuer.error();
  const Result<Key> issuer_key = parse_key(authority.private_key);
  if (!issuer_key) return issuer_key.error();
  X509* const issuer_certificate = issuer.value().get();

  const Key key(EVP_EC_gen("P-256"));
  if (!key) return openssl_error("a node's key cannot be made");
  const Certificate certificate = certificate_for(key, certificate_name(node), valid_days);
  if (!certificate) return openssl_error("a node's certificate cannot be made");
  const ASN1_TIME* const last = X509_get0_notAfter(issuer_certificate);
  if (ASN1_TIME_compare(X509_get0_notAfter(certificate.get()), last) > 0 &&
      X509_set1_notAfter(certificate.get(), last) != 1)
    return openssl_error("a node's certificate cannot be made");
  if (!add_extensions(certificate.get(), issuer_certificate,
                      {{NID_basic_constraints, "critical,CA:FALSE"},
                       {NID_key_usage, "critical,digitalSignature"},
                       {NID_ext_key_usage, "serverAuth,clientAuth"},
                       {NID_subject_key_identifier, "hash"},
                       {NID_authority_key_identifier, "keyid:always"}}) ||
      !sign(certificate.get(), issuer_certificate, issuer_key.value().get()))
    return openssl_error("a node's certificate cannot be signed");
  return to_texts(certificate, key);
}

Result<CertificateFacts> read_certificate(std::string_view certificate) {
  const Result<Certificate> parsed = parse_certificate(certificate);
  if (!parsed) return parsed.error();
  const X509* const x509 = parsed.value().get();
  return CertificateFacts{common_name(x509), fingerprint_of(x509),
                          to_time(X509_get0_notBefore(x509)), to_time(X509_get0_notAfter(x509))};
}

Result<bool> is_signed_by(std::string_view certificate, std::string_view authority) {
  const Result<Certificate> signed_one = parse_certificate(certificate);
  if (!signed_one) return signed_one.error();
  const Result<Certificate> issuer = parse_certificate(authority);
  if (!issuer) return issuer.error();
  EVP_PKEY* const issuer_key = X509_get0_pubkey(issuer.value().get());
  const bool holds =
      issuer_key != nullptr &&
      X509_check_issued(issuer.value().get(), signed_one.value().get()) == X509_V_OK &&
      X509_verify(signed_one.value().get(), issuer_key) == 1;
  ERR_clear_error();
  return holds;
}

Result<bool> is_whole(const Identity& identity) {
  const Result<Certificate> certificate = parse_certificate(identity.certificate);
  if (!certificate) return certificate.error();
  const Result<Key> key = parse_key(identity.private_key);
  if (!key) return key.error();
  const bool holds = X509_check_private_key(certificate.value().get(), key.value().get()) == 1;
  ERR_clear_error();
  return holds;
}

}  // namespace gossamer
