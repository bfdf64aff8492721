#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gossamer/base/ids.hpp"
#include "gossamer/base/result.hpp"

// Where keys lie, in a folder that `gossamer keys` makes:
//
//   authority.pem      whom all nodes trust
//   authority.key      signs nodes; nobody needs it but who adds more of them
//   node-00000.pem     the certificate of node 0, signed by the authority
//   node-00000.key     its private key
//   revoked.pem        whom nobody trusts any more; not there as long as all are trusted
//
// A peer needs authority.pem and its own two files, and revoked.pem if there is one.
namespace gossamer {

/// The files that a node knows the others by, and proves itself with.
struct TlsKeyFiles {
  std::string authority;
  std::string certificate;
  std::string private_key;
  std::string revoked;
};

[[nodiscard]] TlsKeyFiles key_files(const std::string& folder, NodeId node);

[[nodiscard]] std::string authority_key_file(const std::string& folder);

/// Whose file this is, by its name; nothing for other files.
[[nodiscard]] std::optional<NodeId> node_of_file(const std::filesystem::path& file);

/// All files of a folder, sorted.
[[nodiscard]] Result<std::vector<std::filesystem::path>> files_in(const std::string& folder);

[[nodiscard]] Result<std::string> read_text(const std::string& path);

/// Refuses a private key that other users can read or change.
[[nodiscard]] Result<void> check_is_private(const std::string& path);

/// Refuses a certificate of an authority, or a folder of keys, that other users can change: they
/// could put their own keys in place of these. A folder that lets each user change only what is his
/// (mode 1777) is good enough.
[[nodiscard]] Result<void> check_is_ones_own(const std::string& path);

/// The folder that a file lies in.
[[nodiscard]] std::string folder_of(const std::string& file);

}  // namespace gossamer
