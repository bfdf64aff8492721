#include "gossamer/swarm/peer_place.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gossamer/experiment/partners.hpp"
#include "gossamer/settings/tls_peers.hpp"

namespace gossamer {

Result<std::optional<PeerPlace>> PeerPlace::find(const RunRequest& request,
                                                 const RunConfig& config) {
  const bool is_named = !request.peers.empty() || request.node || request.insecure;
  if (config.network != "tls") {
    if (is_named)
      return Error{"--peers, --node and --insecure belong to --network tls: give that as well"};
    return std::optional<PeerPlace>();
  }
  if (request.peers.empty() || !request.node) {
    return Error{
        "network tls needs a file that names all peers, and which of them this is: give --peers "
        "FILE --node I, or start all of them with 'gossamer launch'"};
  }
  Result<Peers> read = read_peers(request.peers);
  if (!read) return read.error();
  Peers& peers = read.value();
  if (*request.node >= peers.size()) {
    return Error{fmt::format("--node: {} names the peers 0 to {}, and no {}", request.peers,
                             peers.size() - 1, *request.node)};
  }
  return std::optional(PeerPlace(std::move(peers), *request.node, request.insecure));
}

std::string PeerPlace::folder_in(const std::string& run_folder) const {
  return fmt::format("{}/node-{:05}", run_folder, self_);
}

Result<void> PeerPlace::fit(RunConfig& config) const {
  const Result<AlgorithmInfo> info = find_algorithm(config.algorithm);
  if (!info) return info.error();
  const bool coordinated = info.value().reach == Reach::kCoordinator;
  const auto nodes = static_cast<NodeId>(peers_.size() - (coordinated ? 1 : 0));
  if (nodes == 0) {
    return Error{fmt::format("{} needs a peer for its coordinator beside those that train",
                             config.algorithm)};
  }
  if (config.nodes != 0 && config.nodes != nodes) {
    return Error{
        fmt::format("{} nodes{} are asked for, but the file names {} peers: leave out "
                    "--nodes",
                    config.nodes, coordinated ? " and a coordinator" : "", peers_.size())};
  }
  config.nodes = nodes;
  const auto has_data = [](const Peer& peer) { return !peer.data.empty(); };
  const auto training = std::span(peers_).first(nodes);
  if (std::ranges::none_of(training, has_data)) return {};
  const auto without = std::ranges::find_if_not(training, has_data);
  if (without != training.end()) {
    return Error{
        fmt::format("some peers have data of their own, but node {} has none: give all "
                    "of them a 'data', or none",
                    without->id)};
  }
  config.data = peers_[std::min(self_, nodes - 1)].data;
  config.partition = "own";
  return {};
}

Result<std::unique_ptr<Network>> PeerPlace::open(const Experiment& experiment,
                                                 EventSink* events) const {
  Result<TlsSetup> found =
      tls_setup(peers_, self_, is_plain_ ? Transport::kPlainTcp : Transport::kTls);
  if (!found) return found.error();
  TlsSetup& setup = found.value();
  const std::vector<NodeId> partners = partners_of(self_, experiment);
  const auto others = std::ranges::stable_partition(
      setup.peers, [&](const TlsPeer& peer) { return std::ranges::count(partners, peer.id) > 0; });
  // Where losses are borne, nodes that are no neighbours may have to meet later.
  if (experiment.config.on_peer_loss == "drop") setup.reserves.assign(others.begin(), others.end());
  setup.peers.erase(others.begin(), others.end());
  setup.deadline = experiment.config.peer_deadline;
  setup.start_deadline = experiment.config.patience;
  // The largest is what a node gets that joins: a model, and a copy.
  setup.max_payload = 16 * experiment.layout().size() + (std::uint64_t{64} << 20);
  setup.run = identity_digest(experiment.config);
  setup.events = events;
  Result<std::unique_ptr<TlsNetwork>> network = open_tls(setup);
  if (!network) return network.error();
  return std::unique_ptr<Network>(std::move(network).value());
}

}  // namespace gossamer
