#include "gossamer/algorithms/replicas.hpp"

#include <fmt/format.h>

#include "gossamer/algorithms/float_message.hpp"

namespace gossamer {

void Replicas::reset(Node& node) {
  peers_.clear();
  copies_.clear();
  for (const Neighbour& neighbour : node.neighbours()) {
    peers_.push_back(neighbour.peer);
    copies_.emplace_back(node.layout().size());
  }
}

void Replicas::reset(Node& node, AlgorithmSetup::Start start) {
  reset(node);
  if (start == AlgorithmSetup::Start::kEqualModels) {
    for (FloatBuffer& copy : copies_)
      copy.view() = node.x();
    return;
  }
  node.broadcast(message_of(node, node.x()));
  const std::span<const Received> received = node.gather();
  for (std::size_t k = 0; k < copies_.size(); ++k)
    read_floats(node, received[k].message, copies_[k].view());
}

void Replicas::receive(Node& node, const Compressor& compressor) {
  const std::span<const Received> received = node.gather();
  // One span for all of them: of small models every look at the clock shows.
  const PhaseScope decode(node.timeline(), Phase::kDecode);
  for (std::size_t k = 0; k < copies_.size(); ++k) {
    expects(received[k].from == peers_[k], "replicas need neighbours that do not change");
    node.add(compressor, received[k].message, 1.0f, copies_[k].view());
  }
}

void Replicas::mix(const Node& node, CVec own, float gamma, CVec base, CVec u, Vec out) {
  weighted_.clear();
  for (std::size_t k = 0; k < copies_.size(); ++k)
    weighted_.push_back({node.neighbours()[k].weight, copies_[k].data()});
  mix_differences(weighted_, own, gamma, base, u, out);
}

void Replicas::visit_state(StateVisitor& visitor) {
  for (std::size_t k = 0; k < copies_.size(); ++k)
    visitor.visit(fmt::format("replica_{}", peers_[k]), copies_[k].view());
}

void mix_first_models(Node& node, AlgorithmSetup::Start start, Vec s) {
  if (start == AlgorithmSetup::Start::kEqualModels) {
    s = node.x();
    return;
  }
  node.broadcast(message_of(node, node.x()));
  s = node.self_weight() * node.x();
  FloatBuffer x_j(node.layout().size());
  for (const Received& r : node.gather()) {
    read_floats(node, r.message, x_j.view());
    s += r.weight * x_j.view();
  }
}

}  // namespace gossamer
