#include "tests/network/certificates.hpp"

#include <cstdio>
#include <filesystem>
#include <mutex>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <stdexcept>

#include <fmt/format.h>

namespace gossamer::testing {
namespace {

using Key = std::shared_ptr<EVP_PKEY>;
using Certificate = std::shared_ptr<X509>;

void require(bool holds) {
  if (!holds) throw std::runtime_error("OpenSSL cannot make a certificate for this test");
}

Key new_key() {
  Key key(EVP_EC_gen("P-256"), EVP_PKEY_free);
  require(key != nullptr);
  return key;
}

Certificate new_certificate(const std::string& name, const Key& key, const Certificate& issuer,
                            const Key& issuer_key) {
  static long serial = 0;
  Certificate certificate(X509_new(), X509_free);
  X509* const x = certificate.get();
  X509_set_version(x, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(x), ++serial);
  X509_gmtime_adj(X509_getm_notBefore(x), -3600);
  X509_gmtime_adj(X509_getm_notAfter(x), 24 * 3600);
  X509_set_pubkey(x, key.get());
  X509_NAME_add_entry_by_txt(X509_get_subject_name(x), "CN", MBSTRING_UTF8,
                             reinterpret_cast<const unsigned char*>(name.data()),
                             static_cast<int>(name.size()), -1, 0);
  const bool is_authority = issuer == nullptr;
  X509_set_issuer_name(x, X509_get_subject_name(is_authority ? x : issuer.get()));
  X509_EXTENSION* const extension =
      X509V3_EXT_conf_nid(nullptr, nullptr, NID_basic_constraints,
                          is_authority ? "critical,CA:TRUE" : "critical,CA:FALSE");
  X509_add_ext(x, extension, -1);
  X509_EXTENSION_free(extension);
  require(X509_sign(x, issuer_key.get(), EVP_sha256()) > 0);
  return certificate;
}

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

using File = std::unique_ptr<std::FILE, CloseFile>;

}  // namespace

struct TestCluster::Secret {
  TemporaryFolder folder;
  Key key = new_key();
  Certificate certificate = new_certificate("test authority", key, nullptr, key);
  std::mutex mutex;
};

TestCluster::TestCluster() : secret_(std::make_unique<Secret>()) {
  const File file(std::fopen(secret_->folder.path("authority.pem").c_str(), "w"));
  require(PEM_write_X509(file.get(), secret_->certificate.get()) == 1);
}

TestCluster::~TestCluster() = default;

TlsCredentials TestCluster::credentials(NodeId node) const {
  return credentials(fmt::format("gossamer node {}", node));
}

TlsCredentials TestCluster::credentials(const std::string& common_name) const {
  const std::lock_guard lock(secret_->mutex);
  const TlsCredentials files{secret_->folder.path("authority.pem"),
                             secret_->folder.path(common_name + ".pem"),
                             secret_->folder.path(common_name + ".key")};
  if (std::filesystem::exists(files.private_key)) return files;
  const Key key = new_key();
  const Certificate certificate =
      new_certificate(common_name, key, secret_->certificate, secret_->key);
  const File certificate_file(std::fopen(files.certificate.c_str(), "w"));
  require(PEM_write_X509(certificate_file.get(), certificate.get()) == 1);
  const File key_file(std::fopen(files.private_key.c_str(), "w"));
  std::filesystem::permissions(
      files.private_key, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  require(PEM_write_PrivateKey(key_file.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) ==
          1);
  return files;
}

const TestCluster& our_cluster() {
  static const TestCluster kCluster;
  return kCluster;
}

const TestCluster& another_cluster() {
  static const TestCluster kCluster;
  return kCluster;
}

}  // namespace gossamer::testing
