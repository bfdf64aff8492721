#include "apps/processes/peer_place.hpp"

#include <algorithm>

#include "apps/command.hpp"
#include <fmt/format.h>

#include "gossamer/experiment/partners.hpp"
#include "gossamer/settings/tls_peers.hpp"

namespace gossamer::cli {

std::optional<PeerPlace> PeerPlace::find(const RunArguments& arguments, const RunConfig& config) {
  const bool is_named = !arguments.peers.empty() || arguments.node || arguments.insecure;
  if (config.network != "tls") {
    if (is_named)
      throw BadInput("--peers, --node and --insecure belong to --network tls: give that as well");
    return std::nullopt;
  }
  if (arguments.peers.empty() || !arguments.node) {
    throw BadInput(
        "network tls needs a file that names all peers, and which of them this is: give --peers "
        "FILE --node I, or start all of them with 'gossamer launch'");
  }
  Peers peers = value_or_throw(read_peers(arguments.peers));
  if (*arguments.node >= peers.size()) {
    throw BadInput(fmt::format("--node: {} names the peers 0 to {}, and no {}", arguments.peers,
                               peers.size() - 1, *arguments.node));
  }
  return PeerPlace(std::move(peers), *arguments.node, arguments.insecure);
}

std::string PeerPlace::folder_in(const std::string& run_folder) const {
  return fmt::format("{}/node-{:05}", run_folder, self_);
}

void PeerPlace::fit(RunConfig& config) const {
  const auto info = value_or_throw(find_algorithm(config.algorithm));
  const bool coordinated = info.reach == Reach::kCoordinator;
  const auto nodes = static_cast<NodeId>(peers_.size() - (coordinated ? 1 : 0));
  if (nodes == 0) {
    throw BadInput(fmt::format("{} needs a peer for its coordinator beside those that train",
                               config.algorithm));
  }
  if (config.nodes != 0 && config.nodes != nodes) {
    throw BadInput(
        fmt::format("{} nodes{} are asked for, but the file names {} peers: leave out "
                    "--nodes",
                    config.nodes, coordinated ? " and a coordinator" : "", peers_.size()));
  }
  config.nodes = nodes;
  const auto has_data = [](const Peer& peer) { return !peer.data.empty(); };
  const auto training = std::span(peers_).first(nodes);
  if (std::ranges::none_of(training, has_data)) return;
  const auto without = std::ranges::find_if_not(training, has_data);
  if (without != training.end()) {
    throw BadInput(
        fmt::format("some peers have data of their own, but node {} has none: give all "
                    "of them a 'data', or none",
                    without->id));
  }
  config.data = peers_[std::min(self_, nodes - 1)].data;
  config.partition = "own";
}

std::unique_ptr<Network> PeerPlace::open(const Experiment& experiment, EventSink* events) const {
  TlsSetup setup =
      value_or_throw(tls_setup(peers_, self_, is_plain_ ? Transport::kPlainTcp : Transport::kTls));
  const std::vector<NodeId> partners = partners_of(self_, experiment);
  std::erase_if(setup.peers,
                [&](const TlsPeer& peer) { return std::ranges::count(partners, peer.id) == 0; });
  setup.deadline = experiment.config.peer_deadline;
  setup.start_deadline = experiment.config.patience;
  // The largest is what a node gets that joins: a model, and a copy.
  setup.max_payload = 16 * experiment.layout().size() + (std::uint64_t{64} << 20);
  setup.run = identity_digest(experiment.config);
  setup.events = events;
  return value_or_throw(open_tls(setup));
}

}  // namespace gossamer::cli
