#include "gossamer/algorithms/parts/replicas.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "gossamer/algorithms/parts/float_message.hpp"
#include "gossamer/math/kernels/reduce.hpp"
#include "gossamer/wire/digest.hpp"

namespace gossamer {
namespace {

ByteView bytes_of(CVec v) {
  return {reinterpret_cast<const std::uint8_t*>(v.data()),
          static_cast<std::size_t>(v.size()) * sizeof(float)};
}

}  // namespace

void Replicas::reset(Node& node) {
  peers_.clear();
  copies_.clear();
  follow(node);
}

void Replicas::follow(const Node& node) {
  if (std::ranges::equal(peers_, node.neighbours(), {}, {}, &Neighbour::peer)) return;
  std::vector<NodeId> peers;
  std::vector<FloatBuffer> copies;
  for (const Neighbour& neighbour : node.neighbours()) {
    const auto known = std::ranges::find(peers_, neighbour.peer);
    peers.push_back(neighbour.peer);
    if (known == peers_.end()) {
      copies.emplace_back(node.layout().size());
    } else {
      copies.push_back(std::move(copies_[static_cast<std::size_t>(known - peers_.begin())]));
    }
  }
  peers_ = std::move(peers);
  copies_ = std::move(copies);
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

void Replicas::receive(Node& node, const Compressor& compressor, float keep, float a) {
  const std::span<const Received> received = node.gather();
  follow(node);
  // One span for all of them: of small models every look at the clock shows.
  const PhaseScope decode(node.timeline(), Phase::kDecode);
  for (std::size_t k = 0; k < copies_.size(); ++k) {
    if (keep != 1.0f) copies_[k].view() *= keep;
    node.add(compressor, received[k].message, a, copies_[k].view());
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

Vec Replicas::copy_of(NodeId peer) {
  const auto found = std::ranges::find(peers_, peer);
  expects(found != peers_.end(), "replicas are of neighbours");
  return copies_[static_cast<std::size_t>(found - peers_.begin())].view();
}

std::uint64_t ReplicaCopies::own_digest(NodeId) {
  return digest_of(bytes_of(own_));
}

std::uint64_t ReplicaCopies::copy_digest(NodeId peer) {
  return digest_of(bytes_of(replicas_.copy_of(peer)));
}

void ReplicaCopies::write_own(NodeId, ByteWriter& out) {
  out.write_bytes(bytes_of(own_));
}

void ReplicaCopies::read_copy(NodeId peer, ByteReader& in) {
  Vec copy = replicas_.copy_of(peer);
  const ByteView bytes = in.read_bytes(bytes_of(copy).size());
  std::memcpy(copy.data(), bytes.data(), bytes.size());
  if (!all_finite(copy)) throw CorruptMessage("a neighbour's copy has a number that is not finite");
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
