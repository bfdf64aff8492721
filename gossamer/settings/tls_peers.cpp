#include "gossamer/settings/tls_peers.hpp"

#include <fmt/format.h>

#include "gossamer/network/keys/key_folder.hpp"

namespace gossamer {

Result<TlsSetup> tls_setup(const Peers& peers, NodeId self, Transport transport) {
  if (self >= peers.size())
    return Error{
        fmt::format("there is no node {}: the peers file has 0 to {}", self, peers.size() - 1)};
  const Peer& own = peers[self];
  TlsSetup setup;
  setup.self = self;
  setup.size = static_cast<NodeId>(peers.size());
  setup.listen_host = own.listen.host;
  setup.listen_port = fmt::format("{}", own.listen.port);
  for (const Peer& peer : peers) {
    if (peer.id != self)
      setup.peers.push_back({peer.id, peer.address.host, fmt::format("{}", peer.address.port)});
  }
  if (transport == Transport::kPlainTcp) return setup;
  if (own.keys.empty())
    return Error{fmt::format(
        "peer {} has no keys: name their folder with `keys` in the peers file, or ask for plain "
        "TCP with --insecure",
        self)};
  const TlsKeyFiles files = key_files(own.keys, self);
  setup.credentials =
      TlsCredentials{files.authority, files.certificate, files.private_key, files.revoked};
  return setup;
}

}  // namespace gossamer
