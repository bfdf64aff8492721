#pragma once

#include <memory>
#include <optional>
#include <string>

#include "gossamer/events/sink.hpp"
#include "gossamer/experiment/experiment.hpp"
#include "gossamer/network/network.hpp"
#include "gossamer/settings/peers.hpp"
#include "gossamer/swarm/run_request.hpp"

namespace gossamer {

/// The place of this process among TLS peers, if it has one.
class PeerPlace {
 public:
  /// Nothing unless the config names the network tls.
  [[nodiscard]] static Result<std::optional<PeerPlace>> find(const RunRequest& request,
                                                             const RunConfig& config);

  [[nodiscard]] NodeId self() const { return self_; }

  /// Its own folder within that of the run: several peers may share a disk.
  [[nodiscard]] std::string folder_in(const std::string& run_folder) const;

  /// Puts a config on the peers that there are, with the data of this one. Refuses a config that
  /// wants something else.
  [[nodiscard]] Result<void> fit(RunConfig& config) const;

  /// Opens this peer's port, and calls those that it talks to. What happens to links is told to
  /// `events`.
  [[nodiscard]] Result<std::unique_ptr<Network>> open(const Experiment& experiment,
                                                      EventSink* events) const;

 private:
  PeerPlace(Peers peers, NodeId self, bool is_plain)
      : peers_(std::move(peers)), self_(self), is_plain_(is_plain) {}

  Peers peers_;
  NodeId self_;
  bool is_plain_;
};

}  // namespace gossamer
