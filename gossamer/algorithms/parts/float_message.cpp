#include "gossamer/algorithms/parts/float_message.hpp"

#include <cstring>

#include "gossamer/base/result.hpp"
#include "gossamer/math/kernels/reduce.hpp"

namespace gossamer {

Message message_of(Node& node, CVec values) {
  const PhaseScope encode(node.timeline(), Phase::kEncode);
  if (!all_finite(values)) throw NonFiniteValue("a model that is about to be sent is not finite");
  return node.write([&](ByteWriter& out) {
    const std::size_t bytes = static_cast<std::size_t>(values.size()) * sizeof(float);
    std::memcpy(out.extend(bytes).data(), values.data(), bytes);
  });
}

void read_floats(Node& node, const Message& message, Vec values) {
  const PhaseScope decode(node.timeline(), Phase::kDecode);
  const std::size_t bytes = static_cast<std::size_t>(values.size()) * sizeof(float);
  if (message.payload().size() != bytes)
    throw CorruptMessage("a message of numbers has another length than expected");
  std::memcpy(values.data(), message.payload().data(), bytes);
  if (!all_finite(values)) throw CorruptMessage("a message of numbers has one that is not finite");
}

}  // namespace gossamer
