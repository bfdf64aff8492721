#include "gossamer/train/own_node.hpp"

#include <utility>

#include "gossamer/experiment/partners.hpp"
#include "gossamer/member/aside_filter.hpp"
#include "gossamer/train/process_asides.hpp"

namespace gossamer {
namespace {

/// Stops are heard before the node hears anything.
std::optional<Arrival> take_stops(Arrival arrival, StopLine* stop) {
  const bool is_stop =
      arrival.kind == Arrival::Kind::kAside && kind_of(arrival.message) == ProcessAside::kStop;
  if (!is_stop) return arrival;
  if (stop != nullptr) stop->hear(decode_stop(arrival.message));
  return std::nullopt;
}

}  // namespace

void pass_on_stops(StopLine& stop, const Experiment& experiment, Network& network) {
  stop.tell_others(most_rounds_apart(experiment),
                   [&network, to = partners_of(network.self(), experiment)](Round line) {
                     for (const NodeId partner : to)
                       network.send_aside(partner, line, encode_stop(line));
                   });
}

void run_own_node(const Experiment& experiment, Network& network, const RunOptions& options,
                  const MemberSetup::AmongProcesses& process, const Loop& loop) {
  // Where the run goes on without a node, one that is stopped leaves alone.
  if (options.stop != nullptr && process.on_peer_loss == OnPeerLoss::kStop)
    pass_on_stops(*options.stop, experiment, network);
  AsideFilter filter(network,
                     [&](Arrival arrival) { return take_stops(std::move(arrival), options.stop); });
  run_member(experiment, filter, options, process, loop);
}

}  // namespace gossamer
