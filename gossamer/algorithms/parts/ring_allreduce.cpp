#include "gossamer/algorithms/parts/ring_allreduce.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gossamer/compress/registry.hpp"

namespace gossamer {
namespace {

// "qsgd:8,unscaled" of "layerwise,dense1d:qsgd:8,unscaled".
std::string_view without_layers(std::string_view spec) {
  return spec.starts_with("layerwise") ? spec.substr(spec.find(':') + 1) : spec;
}

std::unique_ptr<const Compressor> operator_of_size(const Compressor& whole, std::size_t size) {
  const std::string spec = whole.spec();
  auto made = make_compressor(without_layers(spec), Layout::flat(size));
  expects(made.ok(), "a quantiser works on any number of elements");
  return std::move(made).value();
}

bool chooses_entries(std::string_view spec) {
  const std::string_view name = spec.substr(0, spec.find_first_of(":+"));
  return std::ranges::any_of(compressors(), [&](const CompressorInfo& info) {
    return info.is_selector && info.name == name;
  });
}

}  // namespace

/// The vector cut into n shares, and this node's place in the ring. Share c begins its way at node
/// c + 1, is summed node by node, and is complete at node c, which sends the mean around.
class RingMean::Ring {
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

  void send(const Message& message) { node_.send(next_, message); }

  [[nodiscard]] Message receive() { return node_.receive_from(previous_).message; }

 private:
  Node& node_;
  Vec v_;
  NodeId n_;
  NodeId next_;
  NodeId previous_;
};

void RingMean::operator()(Node& node, Vec v) {
  const NodeId n = node.size();
  if (n == 1) return;
  if (!for_short_) make_operators(n);
  // Gradients are shared in the midst of computing.
  const PhaseScope mix(node.timeline(), Phase::kMix);
  Ring ring(node, v);
  for (NodeId step = 1; step < n; ++step) {
    const Vec sent = ring.share(step);
    ring.send(node.compress(operator_for(sent), sent));
    const Vec sum = ring.share(step + 1);
    node.add(operator_for(sum), ring.receive(), 1.0f, sum);
  }
  Vec own = ring.share(0);
  own *= 1.0f / static_cast<float>(n);
  Message mean = node.compress(operator_for(own), own);
  for (NodeId step = 0;; ++step) {
    Vec share = ring.share(step);
    share.setZero();
    node.add(operator_for(share), mean, 1.0f, share);
    if (step + 1 == n) break;
    ring.send(mean);
    mean = ring.receive();
  }
}

void RingMean::make_operators(NodeId nodes) {
  const std::size_t least = whole_->size() / nodes;
  for_short_ = operator_of_size(*whole_, least);
  for_long_ = operator_of_size(*whole_, least + 1);
}

const Compressor& RingMean::operator_for(CVec share) const {
  return static_cast<std::size_t>(share.size()) == for_short_->size() ? *for_short_ : *for_long_;
}

Result<void> expect_sums_survive(std::string_view algorithm, const Compressor& compressor) {
  const std::string spec = compressor.spec();
  if (compressor.quality().unbiased && !chooses_entries(without_layers(spec))) return {};
  return Error{
      fmt::format("{} compresses sums anew on their way, which only an unbiased quantiser "
                  "survives, as minmax:8 "
                  "or qsgd:8,unscaled, not '{}'; ef-sgd takes any compressor",
                  algorithm, spec)};
}

}  // namespace gossamer
