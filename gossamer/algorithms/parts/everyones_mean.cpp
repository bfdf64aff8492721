#include "gossamer/algorithms/parts/everyones_mean.hpp"

namespace gossamer {

void subtract_mean(Node& node, const Compressor& compressor, const Message& own, Vec x) {
  const float share = -1.0f / static_cast<float>(node.size());
  const std::span<const Received> received = node.gather_all();
  for (const Received& r : received.first(node.id()))
    node.add(compressor, r.message, share, x);
  node.add(compressor, own, share, x);
  for (const Received& r : received.subspan(node.id()))
    node.add(compressor, r.message, share, x);
}

}  // namespace gossamer
