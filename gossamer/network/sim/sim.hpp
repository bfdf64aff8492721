#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/base/result.hpp"
#include "gossamer/network/network.hpp"

namespace gossamer {

/// Another cable for one pair of nodes, in both directions. What is not given is as for all others.
struct SimLink {
  NodeId a = 0;
  NodeId b = 0;
  std::optional<double> bandwidth;  // bytes per second; the nodes' own connections limit it too
  std::optional<Duration> latency;
};

/// Nothing passes between two nodes in this time. What was on its way starts again when it ends, so
/// nothing is lost; without an end the two never hear of each other again.
struct LinkOutage {
  NodeId a = 0;
  NodeId b = 0;
  Time begin{};
  std::optional<Time> end;
};

/// A machine stops, for good, with every node on it and all that is on its way from and to it.
struct NodeFailure {
  NodeId node = 0;
  Time at{};
};

/// The processors that nodes compute on.
struct SimProcessors {
  /// Cores that all machines share, as containers and network namespaces of one computer do; 0:
  /// each machine has enough of its own.
  unsigned shared_cores = 0;

  /// What a message costs the processor at each of its ends, while it is under way: copies, packets
  /// and encryption, for the frame and for each of its bytes. A platform file knows nothing of it.
  Duration per_message{};
  double seconds_per_byte = 0;
};

/// What is simulated. Everything has a default, so that a bare SimSetup is a usable LAN.
/// docs/simulation.md says what this models, and what it does not.
struct SimSetup {
  /// Bytes per second of each machine's connection, each way, shared by all that passes through it.
  double bandwidth = 125e6;

  /// Machines whose connection differs from `bandwidth`.
  std::vector<std::pair<NodeId, double>> machine_bandwidth;

  /// From any machine to any other, one way.
  Duration latency = std::chrono::microseconds(100);

  std::vector<SimLink> links;
  std::vector<LinkOutage> outages;
  std::vector<NodeFailure> failures;

  /// A SimGrid platform instead of bandwidths, latency and links. Its hosts, in the order of the
  /// file and the outer zone before the inner ones, are the machines.
  std::string platform_file;

  SimProcessors processors;

  /// How many machines there are; 0: one for each node. Node i is on machine i, or on machine 0 if
  /// there is none of that number: a coordinator beside worker 0.
  NodeId hosts = 0;

  /// Who may talk to whom, both ways; empty: everybody with everybody, which is slow to set up for
  /// thousands of nodes. A node is told only of the loss of peers that it may talk to.
  std::vector<std::pair<NodeId, NodeId>> pairs;
};

/// Runs `node_main` once for every node of a run, on a virtual clock that begins at 0, and returns
/// when all have ended. All nodes run in this thread, one at a time: whatever they compute takes no
/// time but what they spend(). A node that ends, well or badly, is reported to the others as lost;
/// the first exception that a node ends with is thrown here.
///
/// A setup that cannot be simulated is refused before anything runs. One simulation at a time and
/// per process: SimGrid has one engine.
///
/// Virtual time can come to an end: when every node waits without a deadline and nothing is on its
/// way, their receive() returns as if the deadline had come. A node that then waits without end
/// again gets an exception.
[[nodiscard]] Result<void> run_sim(NodeId size, const SimSetup& setup,
                                   const std::function<void(Network&)>& node_main);

}  // namespace gossamer
