#pragma once

#include "gossamer/node/node.hpp"

namespace gossamer {

/// Numbers as they are, four bytes each.
[[nodiscard]] Message message_of(Node& node, CVec values);

/// The numbers of a message that holds exactly as many as `values`; throws CorruptMessage for
/// another length, and for numbers that are not finite.
void read_floats(Node& node, const Message& message, Vec values);

}  // namespace gossamer
