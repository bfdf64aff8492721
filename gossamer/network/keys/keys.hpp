#pragma once

#include <string>
#include <vector>

#include "gossamer/base/ids.hpp"
#include "gossamer/base/result.hpp"

// Makes the folders that key_folder.hpp describes. Private keys have mode 0600 from their first
// byte on, the folder 0700.
namespace gossamer {

struct NewKeys {
  NodeId nodes = 1;
  int valid_days = 3650;
};

/// Makes a folder with the keys of a new cluster. What is there already is never overwritten: the
/// folder must not exist, or be empty. After a failure nothing of it is left.
[[nodiscard]] Result<void> make_keys(const std::string& folder, const NewKeys& wanted);

/// Adds keys of more nodes, signed by the folder's authority, and returns the first new id. After a
/// failure the folder is as it was.
[[nodiscard]] Result<NodeId> add_keys(const std::string& folder, const NewKeys& wanted);

/// Revokes the certificates that the folder has of these nodes: makes the list of the authority, or
/// adds to it. Peers that have the list refuse them.
[[nodiscard]] Result<void> revoke_keys(const std::string& folder, const std::vector<NodeId>& nodes);

/// Replaces a node's key and certificate by new ones, and revokes the old ones.
[[nodiscard]] Result<void> renew_keys(const std::string& folder, NodeId node, int valid_days);

}  // namespace gossamer
