#include "gossamer/algorithms/ring_allreduce.hpp"

#include "gossamer/algorithms/float_message.hpp"

namespace gossamer {
namespace {

/// The vector cut into n shares, and this node's place in the ring. Share c begins its way at node
/// c + 1, is summed node by node, and is complete at node c, which sends the mean around.
class Ring {
 public:
  Ring(Node& node, Vec v)
      : node_(node),
        v_(v),
        n_(node.size()),
        next_((node.id() + 1) % n_),
        previous_((node.id() + n_ - 1) % n_) {}

  [[nodiscard]] Vec share(NodeId steps_back) {
    const std::size_t size = static_cast<std::size_t>(v_.size());
    const std::size_t c = (node_.id() + 2 * n_ - steps_back) % n_;
    const std::size_t begin = size * c / n_;
    const std::size_t end = size * (c + 1) / n_;
    return {v_.data() + begin, static_cast<Eigen::Index>(end - begin)};
  }

  void send(CVec values) { node_.send(next_, message_of(node_, values)); }

  [[nodiscard]] Message receive() { return node_.receive_from(previous_).message; }

 private:
  Node& node_;
  Vec v_;
  NodeId n_;
  NodeId next_;
  NodeId previous_;
};

}  // namespace

void ring_mean(Node& node, Vec v) {
  const NodeId n = node.size();
  if (n == 1) return;
  // Gradients are shared in the midst of computing.
  const PhaseScope mix(node.timeline(), Phase::kMix);
  Ring ring(node, v);
  Scratch::Frame frame(node.scratch());
  const auto room = frame.take<float>(static_cast<std::size_t>(v.size()) / n + 1);
  for (NodeId step = 1; step < n; ++step) {
    ring.send(ring.share(step));
    Vec sum = ring.share(step + 1);
    const Vec received(room.data(), sum.size());
    read_floats(node, ring.receive(), received);
    sum += received;
  }
  ring.share(0) *= 1.0f / static_cast<float>(n);
  for (NodeId step = 0; step + 1 < n; ++step) {
    ring.send(ring.share(step));
    read_floats(node, ring.receive(), ring.share(step + 1));
  }
}

}  // namespace gossamer
