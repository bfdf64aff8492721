#include "gossamer/network/keys/key_inspection.hpp"

#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "gossamer/network/keys/certificate_name.hpp"
#include "gossamer/network/keys/certificates.hpp"
#include "gossamer/network/keys/key_folder.hpp"
#include "gossamer/network/keys/revocations.hpp"

namespace gossamer {
namespace {

namespace fs = std::filesystem;

/// Goes through the files of a folder and gathers facts and warnings.
class Inspection {
 public:
  Inspection(std::string authority, std::chrono::sys_seconds now)
      : authority_(std::move(authority)), now_(now) {}

  void look_at_authority(const std::string& path, const CertificateFacts& certificate) {
    facts_.cluster = certificate.name;
    facts_.valid_until = certificate.valid_until;
    look_at_dates(path, certificate);
  }

  void look_at_private_key(const std::string& path) {
    if (const Result<void> checked = check_is_private(path); !checked)
      facts_.warnings.push_back(checked.error().message);
  }

  void look_at_changeable(const std::string& path) {
    if (const Result<void> checked = check_is_ones_own(path); !checked)
      facts_.warnings.push_back(checked.error().message);
  }

  void look_at_node(NodeId node, const TlsKeyFiles& files) {
    const Result<std::string> text = read_text(files.certificate);
    if (!text) return facts_.warnings.push_back(text.error().message);
    const auto certificate = read_certificate(text.value());
    if (!certificate) return warn(files.certificate, certificate.error().message);
    look_at_dates(files.certificate, certificate.value());
    if (const std::string& name = certificate.value().name; name != certificate_name(node))
      warn(files.certificate, fmt::format("is of '{}', not of node {}", name, node));
    if (const auto is_ours = is_signed_by(text.value(), authority_); !is_ours || !is_ours.value())
      warn(files.certificate, "is not signed by the authority of this folder");
    look_for_key(text.value(), files.private_key);
    const Result<std::string> serial = serial_of(text.value());
    const bool is_revoked = serial && revoked_.has(serial.value());
    facts_.nodes.push_back(
        {node, certificate.value().fingerprint, certificate.value().valid_until, is_revoked});
  }

  void look_at_revocations(const std::string& path) {
    const Result<std::string> text = read_text(path);
    if (!text) return facts_.warnings.push_back(text.error().message);
    Result<Revocations> read = Revocations::read(text.value(), authority_);
    if (!read) return warn(path, read.error().message);
    revoked_ = std::move(read).value();
    facts_.revoked = revoked_.size();
  }

  void set_can_add() { facts_.can_add = true; }

  [[nodiscard]] KeyFolderFacts facts() && { return std::move(facts_); }

 private:
  void warn(const std::string& path, std::string_view what) {
    facts_.warnings.push_back(fmt::format("'{}' {}", path, what));
  }

  void look_at_dates(const std::string& path, const CertificateFacts& certificate) {
    constexpr std::chrono::days kSoon(30);
    const auto left = certificate.valid_until - now_;
    if (certificate.valid_from > now_)
      warn(path, "is not valid yet: is this machine's clock right?");
    if (left <= left.zero()) return warn(path, "is no longer valid");
    if (left < kSoon)
      warn(path, fmt::format("is valid for only {} more days",
                             std::chrono::floor<std::chrono::days>(left).count()));
  }

  // A peer that has only its own key may hold the certificates of others.
  void look_for_key(const std::string& certificate, const std::string& path) {
    std::error_code error;
    if (!fs::exists(path, error)) return;
    const Result<std::string> key = read_text(path);
    if (!key) return facts_.warnings.push_back(key.error().message);
    const Result<bool> whole = is_whole({certificate, key.value()});
    if (!whole) return warn(path, whole.error().message);
    if (!whole.value()) warn(path, "is not the key of the certificate beside it");
  }

  std::string authority_;
  std::chrono::sys_seconds now_;
  Revocations revoked_;
  KeyFolderFacts facts_;
};

}  // namespace

Result<KeyFolderFacts> inspect_keys(const std::string& folder, std::chrono::sys_seconds now) {
  const std::string authority_path = key_files(folder, 0).authority;
  const Result<std::string> authority = read_text(authority_path);
  if (!authority) return authority.error();
  const auto certificate = read_certificate(authority.value());
  if (!certificate)
    return Error{fmt::format("'{}' {}", authority_path, certificate.error().message)};
  const Result<std::vector<fs::path>> files = files_in(folder);
  if (!files) return files.error();

  Inspection inspection(authority.value(), now);
  inspection.look_at_authority(authority_path, certificate.value());
  inspection.look_at_changeable(folder);
  inspection.look_at_changeable(authority_path);
  const std::string revoked = key_files(folder, 0).revoked;
  std::error_code ignored;
  if (fs::exists(revoked, ignored)) inspection.look_at_revocations(revoked);
  for (const fs::path& file : files.value()) {
    const bool is_key = file.extension() == ".key";
    if (is_key) inspection.look_at_private_key(file.string());
    if (file == authority_key_file(folder)) inspection.set_can_add();
    if (const auto node = node_of_file(file); node && file.extension() == ".pem")
      inspection.look_at_node(*node, key_files(folder, *node));
  }
  return std::move(inspection).facts();
}

}  // namespace gossamer
