#include "gossamer/network/keys/certificate_name.hpp"

#include <openssl/x509.h>

#include <fmt/format.h>

#include "gossamer/base/text/parse_number.hpp"

namespace gossamer {
namespace {

constexpr std::string_view kPrefix = "gossamer node ";

}  // namespace

std::string certificate_name(NodeId node) {
  return fmt::format("{}{}", kPrefix, node);
}

std::optional<NodeId> node_of(const std::string& certificate_name) {
  if (!certificate_name.starts_with(kPrefix)) return std::nullopt;
  const auto node = parse_number<NodeId>(certificate_name.substr(kPrefix.size()));
  // Numbers can be written in more than one way.
  if (!node || certificate_name != gossamer::certificate_name(*node)) return std::nullopt;
  return node;
}

std::string common_name(const x509_st* certificate) {
  const X509_NAME* const subject = X509_get_subject_name(certificate);
  const int at = X509_NAME_get_index_by_NID(subject, NID_commonName, -1);
  if (at < 0) return {};
  const ASN1_STRING* const text = X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, at));
  unsigned char* utf8 = nullptr;
  const int length = ASN1_STRING_to_UTF8(&utf8, text);
  if (length < 0) return {};
  std::string name(reinterpret_cast<const char*>(utf8), static_cast<std::size_t>(length));
  OPENSSL_free(utf8);
  return name;
}

}  // namespace gossamer
