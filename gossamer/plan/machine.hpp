#pragma once

#include "gossamer/base/result.hpp"
#include "gossamer/base/time.hpp"
#include "gossamer/learn/task.hpp"
#include "gossamer/network/sim/sim.hpp"
#include "gossamer/node/optimizer.hpp"

namespace gossamer {

/// Processor time of one step on this machine: the gradient of a batch, and the local optimizer.
/// So many nodes compute at once, as they will: those that share cores also share caches, which can
/// make half of a difference.
[[nodiscard]] Duration measure_gradient(const Task& task, NodeId at_once,
                                        const OptimizerSetup& optimizer);

/// What a message between two peers costs the processor of each, by TLS over loopback, while so
/// many talk at once: `per_message` and `seconds_per_byte`. Fails where there is no loopback, or no
/// folder for keys that live as long as this.
[[nodiscard]] Result<SimProcessors> measure_messages(NodeId at_once);

}  // namespace gossamer
