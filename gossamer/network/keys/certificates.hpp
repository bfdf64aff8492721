#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "gossamer/base/ids.hpp"
#include "gossamer/base/result.hpp"

// Certificates as texts (PEM): what keys.hpp puts into files. Elliptic curve P-256, SHA-256.
namespace gossamer {

/// A certificate and the key that proves it.
struct Identity {
  std::string certificate;
  std::string private_key;
};

/// A new cluster authority, signed by itself: it may sign nodes, and no other authorities. Its name
/// is random, so that no two clusters have the same. Certificates are valid from one day ago:
/// clocks of machines differ.
[[nodiscard]] Result<Identity> make_authority(int valid_days);

/// A new key for a node, signed by the authority; valid for no longer than the authority is.
[[nodiscard]] Result<Identity> make_node_identity(const Identity& authority, NodeId node,
                                                  int valid_days);

struct CertificateFacts {
  std::string name;
  std::string fingerprint;  // SHA-256, as 3F:0A:...
  std::chrono::sys_seconds valid_from;
  std::chrono::sys_seconds valid_until;
};

/// The first certificate in a text.
[[nodiscard]] Result<CertificateFacts> read_certificate(std::string_view certificate);

/// Whether the authority signed the certificate. Says nothing of dates.
[[nodiscard]] Result<bool> is_signed_by(std::string_view certificate, std::string_view authority);

/// Whether the identity's key is the one that its certificate names.
[[nodiscard]] Result<bool> is_whole(const Identity& identity);

}  // namespace gossamer
