#pragma once

#include "gossamer/network/network.hpp"
#include "gossamer/train/run.hpp"

namespace gossamer {

/// What of a run is seen in a process that has one of its nodes.
enum class Seen {
  /// By the process of node 0 all nodes, who send it their models after watched rounds, beside the
  /// algorithm's traffic; by the others nothing. The processes end together, and with one outcome.
  kAllByFirst,
  /// By each process its own node: nothing is sent.
  kSelf,
};

/// Runs the node `network.self()` of an experiment, in this process; the other endpoints run in
/// others, with the same experiment and options. What `options` reports goes to who sees it. The
/// checkpoints of kAllByFirst lie in a folder that all processes share.
[[nodiscard]] RunOutcome run_process(const Experiment& experiment, Network& network,
                                     const RunOptions& options, Seen seen);

}  // namespace gossamer
