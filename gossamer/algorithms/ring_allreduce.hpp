#pragma once

#include <cstddef>

#include "gossamer/node/node.hpp"

namespace gossamer {

/// v becomes the mean of everybody's v, the same bits on all nodes. Each node talks to the next one
/// by number and hears the previous one, whatever the graph: n - 1 steps of sums, n - 1 of copies,
/// each of a share of about 1/n of the vector, so that every node sends 2 (n - 1) / n of it, the
/// least that is possible.
void ring_mean(Node& node, Vec v);

}  // namespace gossamer
