#include "gossamer/settings/peers.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "gossamer/base/text/parse_number.hpp"
#include "gossamer/settings/toml_table.hpp"

namespace gossamer {
namespace {

bool is_host_name(std::string_view host) {
  return !host.starts_with('-') && std::ranges::all_of(host, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_';
  });
}

// Which of them are addresses, the system knows when it connects; a zone follows '%'.
bool is_ipv6_number(std::string_view host) {
  return std::ranges::count(host, ':') >= 2 && std::ranges::all_of(host, [](unsigned char c) {
           return std::isalnum(c) != 0 || c == ':' || c == '.' || c == '%';
         });
}

Result<std::uint16_t> parse_port(std::string_view text) {
  const auto port = parse_number<std::uint32_t>(text);
  if (!port || *port < 1 || *port > 65535)
    return Error{fmt::format("a port is a number from 1 to 65535, not '{}'", text)};
  return static_cast<std::uint16_t>(*port);
}

// A host may be left out where every address of this machine is meant: ":7700".
Result<HostPort> parse_listen(std::string_view text) {
  if (!text.starts_with(':')) return parse_host_port(text);
  const Result<std::uint16_t> port = parse_port(text.substr(1));
  if (!port) return port.error();
  return HostPort{"", port.value()};
}

Result<HostPort> parse_address(std::string_view text) {
  const Result<HostPort> place = parse_host_port(text);
  constexpr std::array<std::string_view, 3> kAnywhere = {"0.0.0.0", "::", "0"};
  if (place && std::ranges::count(kAnywhere, place.value().host) > 0)
    return Error{fmt::format(
        "'{}' stands for every address of a machine, and reaches none: it belongs in listen",
        text)};
  return place;
}

// Names of hosts are the same in capitals.
std::string comparable(const HostPort& place) {
  std::string text = format_host_port(place);
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// Reads the peers of one file, each of which must fit those before it.
class PeersReader {
 public:
  PeersReader(std::filesystem::path folder, std::size_t count)
      : folder_(std::move(folder)), peers_(count) {}

  [[nodiscard]] std::string folder_of_keys(const std::optional<std::string>& given) const {
    return given ? (folder_ / *given).lexically_normal().string() : "";
  }

  Result<void> read(const toml::table& table, const std::string& shared_keys) {
    TomlTable reader(table, "peer");
    Peer peer;
    peer.id = reader.id("id");
    const auto address = reader.quantity<HostPort>("address", parse_address);
    reader.require(address.has_value(), "address");
    const auto listen = reader.quantity<HostPort>("listen", parse_listen);
    peer.data = reader.text("data").value_or("");
    const auto keys = reader.text("keys");
    peer.keys = keys ? folder_of_keys(keys) : shared_keys;
    peer.address = address.value_or(HostPort{});
    peer.listen = listen.value_or(HostPort{"", peer.address.port});
    peer.ssh = reader.text("ssh").value_or(peer.address.host);
    peer.program = reader.text("program").value_or("gossamer");
    if (const Result<void> read = reader.finish(); !read) return read;
    return place(table, std::move(peer));
  }

  [[nodiscard]] Peers peers() && { return std::move(peers_); }

 private:
  // As many peers as places, and none twice: in the end every place is taken.
  Result<void> place(const toml::table& table, Peer peer) {
    if (peer.id >= peers_.size())
      return toml_error(table, "peer.id",
                        fmt::format("is {}, but the ids of {} peers are 0 to {}, each once",
                                    peer.id, peers_.size(), peers_.size() - 1));
    const auto line = static_cast<std::size_t>(table.source().begin.line);
    if (const auto [earlier, is_new] = line_of_id_.emplace(peer.id, line); !is_new)
      return toml_error(
          table, "peer.id",
          fmt::format("is {}, as that of the peer of line {}", peer.id, earlier->second));
    if (const auto [earlier, is_new] = line_of_address_.emplace(comparable(peer.address), line);
        !is_new)
      return toml_error(table, "peer.address",
                        fmt::format("is {}, as that of the peer of line {}",
                                    format_host_port(peer.address), earlier->second));
    peers_[peer.id] = std::move(peer);
    return {};
  }

  std::filesystem::path folder_;
  Peers peers_;
  std::map<NodeId, std::size_t> line_of_id_;
  std::map<std::string, std::size_t> line_of_address_;
};

}  // namespace

Result<HostPort> parse_host_port(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  const std::string_view before = text.substr(0, std::min(colon, text.size()));
  const bool has_brackets = before.size() > 2 && before.front() == '[' && before.back() == ']';
  const std::string_view host = has_brackets ? before.substr(1, before.size() - 2) : before;
  if (!has_brackets && is_ipv6_number(text))
    return Error{
        fmt::format("an IPv6 address stands in brackets before its port, as [2001:db8::7]:7700, "
                    "not '{}'",
                    text)};
  if (colon == std::string_view::npos || host.empty() ||
      !(has_brackets ? is_ipv6_number(host) : is_host_name(host)))
    return Error{fmt::format("must be host:port, as site-a.example.org:7700, not '{}'", text)};
  const Result<std::uint16_t> port = parse_port(text.substr(colon + 1));
  if (!port) return port.error();
  return HostPort{std::string(host), port.value()};
}

std::string format_host_port(const HostPort& place) {
  const bool is_ipv6 = place.host.find(':') != std::string::npos;
  return is_ipv6 ? fmt::format("[{}]:{}", place.host, place.port)
                 : fmt::format("{}:{}", place.host, place.port);
}

Result<Peers> read_peers(const std::string& path) {
  Peers peers;
  const Result<void> read = read_toml(path, [&](const toml::table& file) -> Result<void> {
    TomlTable top(file, "");
    const std::vector<const toml::table*> entries = top.tables("peer");
    PeersReader reader(std::filesystem::path(path).parent_path(), entries.size());
    const std::string keys = reader.folder_of_keys(top.text("keys"));
    if (const Result<void> done = top.finish(); !done) return done;
    if (entries.empty()) return Error{"names no peers: each is a table that begins with [[peer]]"};
    for (const toml::table* const entry : entries) {
      if (const Result<void> done = reader.read(*entry, keys); !done) return done;
    }
    peers = std::move(reader).peers();
    return {};
  });
  if (!read) return read.error();
  return peers;
}

}  // namespace gossamer
