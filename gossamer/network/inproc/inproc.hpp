#pragma once

#include <functional>

#include "gossamer/network/network.hpp"

namespace gossamer {

/// Runs `node_main` once for every node of a run, each in a thread of its own, and returns when all
/// have ended. Messages are shared memory and time is real. A node that ends, well or badly, is
/// reported to the others as lost; the first exception that a node ends with is thrown here.
void run_inproc(NodeId size, const std::function<void(Network&)>& node_main);

}  // namespace gossamer
