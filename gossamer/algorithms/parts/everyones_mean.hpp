#pragma once

#include "gossamer/compress/compressor.hpp"
#include "gossamer/node/node.hpp"

namespace gossamer {

/// x -= the mean of everybody's C(v), from this node's own message and one of every other node,
/// added in the order of their numbers: equal x stay equal to the bit.
void subtract_mean(Node& node, const Compressor& compressor, const Message& own, Vec x);

}  // namespace gossamer
