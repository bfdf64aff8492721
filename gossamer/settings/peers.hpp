#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/base/ids.hpp"
#include "gossamer/base/result.hpp"

namespace gossamer {

/// A host by name or number, and a port. An IPv6 number has no brackets here.
struct HostPort {
  std::string host;
  std::uint16_t port = 0;

  bool operator==(const HostPort&) const = default;
};

/// `site-a.example.org:7700`, `10.0.0.7:7700` or `[2001:db8::7]:7700`.
[[nodiscard]] Result<HostPort> parse_host_port(std::string_view text);

/// As parse_host_port() takes it.
[[nodiscard]] std::string format_host_port(const HostPort& place);

/// One [[peer]] of a peers file.
struct Peer {
  NodeId id = 0;
  HostPort address;     // how the others reach it
  HostPort listen;      // where it waits for them; without a host: at every address that it has
  std::string data;     // what it trains on, as --data names it; empty: what all have
  std::string keys;     // folder of its keys; empty: it has none
  std::string ssh;      // where `gossamer launch` starts it
  std::string program;  // what it is started with there
};

/// All peers of a cluster, in the order of their ids: 0 to n - 1.
using Peers = std::vector<Peer>;

/// Reads a peers file; docs/tutorials/02-many-machines.md shows one. Folders of keys are relative
/// to the file.
[[nodiscard]] Result<Peers> read_peers(const std::string& path);

}  // namespace gossamer
