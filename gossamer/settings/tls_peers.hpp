#pragma once

#include "gossamer/base/result.hpp"
#include "gossamer/network/tls/tls.hpp"
#include "gossamer/settings/peers.hpp"

namespace gossamer {

/// What travels between peers: encrypted, or as it is.
enum class Transport {
  kTls,
  kPlainTcp,  // everybody is who he says he is: only if the user asked for it
};

/// How one of the peers opens its network to all others. A run that talks to its neighbours alone
/// then leaves the others out.
[[nodiscard]] Result<TlsSetup> tls_setup(const Peers& peers, NodeId self, Transport transport);

}  // namespace gossamer
