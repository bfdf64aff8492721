#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "gossamer/base/ids.hpp"
#include "gossamer/base/result.hpp"

namespace gossamer {

struct NodeKeyFacts {
  NodeId node = 0;
  std::string fingerprint;
  std::chrono::sys_seconds valid_until;
  bool is_revoked = false;
};

/// What a folder of keys holds.
struct KeyFolderFacts {
  std::string cluster;  // the name in the authority's certificate
  std::chrono::sys_seconds valid_until;
  bool can_add = false;  // the authority's private key is here
  std::vector<NodeKeyFacts> nodes;
  /// How many certificates are revoked, of these nodes and of all that were.
  std::size_t revoked = 0;
  /// What will not work, or will not for long, one sentence each.
  std::vector<std::string> warnings;
};

/// Reads a whole folder, or what a peer has of it. Fails only where there is no authority.
[[nodiscard]] Result<KeyFolderFacts> inspect_keys(const std::string& folder,
                                                  std::chrono::sys_seconds now);

}  // namespace gossamer
