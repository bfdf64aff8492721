#pragma once

#include <optional>
#include <string>

#include "gossamer/base/ids.hpp"

// OpenSSL's, which only .cpp files see.
struct x509_st;

namespace gossamer {

/// The name in a node's certificate, which pins it to the node's id: "gossamer node 3".
[[nodiscard]] std::string certificate_name(NodeId node);

/// The node whose certificate_name() this is: nothing for "gossamer node 03".
[[nodiscard]] std::optional<NodeId> node_of(const std::string& certificate_name);

/// The subject's common name, as UTF-8; empty if there is none.
[[nodiscard]] std::string common_name(const x509_st* certificate);

}  // namespace gossamer
