// The one-peer exponential graph: Assran, Loizou, Ballas, Rabbat, "Stochastic gradient push", ICML
// 2019; Ying, Yuan, Chen, Hu, Pan, Yin, NeurIPS 2021, prove the exact average.
#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "gossamer/base/contract.hpp"
#include "gossamer/topology/factory.hpp"
#include "gossamer/topology/graphs/circulant.hpp"

namespace gossamer {
namespace {

class OnePeerExponential final : public Topology {
 public:
  explicit OnePeerExponential(NodeId nodes) : hops_(exponential_hops(nodes)) {
    edges_.reserve(nodes);
    for (NodeId peer = 0; peer < nodes; ++peer)
      edges_.push_back({peer, 0.5});
  }

  [[nodiscard]] NodeId size() const override { return static_cast<NodeId>(edges_.size()); }

  [[nodiscard]] Neighborhood at(NodeId id, Round t) const override {
    expects(id < size(), "a node's id is below the topology's size");
    if (hops_ == 0) return {1.0, {}};
    return {0.5, edge_to((id + hop(t)) % size())};
  }

  [[nodiscard]] std::span<const Edge> listeners(NodeId id, Round t) const override {
    expects(id < size(), "a node's id is below the topology's size");
    if (hops_ == 0) return {};
    return edge_to((id + size() - hop(t)) % size());
  }

  [[nodiscard]] Round period() const override { return std::max(hops_, 1u); }

  [[nodiscard]] bool is_symmetric() const override { return size() <= 2; }

  [[nodiscard]] const std::string& spec() const override { return spec_; }

  // The product of one period is circulant; its eigenvalues have the magnitudes
  // prod_j |cos(pi k 2^j / n)| = |sin(pi k 2^p / n)| / (2^p |sin(pi k / n)|), all 0 if n = 2^p.
  [[nodiscard]] std::optional<Mixing> closed_form() const override {
    const NodeId n = size();
    if (n == 1) return mixing_of_one();
    if (n == 2) return mixing_from({1.0, 1.0});
    if (std::has_single_bit(n)) return Mixing{1.0, std::nullopt};
    const std::uint64_t power = std::uint64_t{1} << hops_;
    double largest = 0.0;
    for (NodeId k = 1; k <= n / 2; ++k) {
      const double above = std::abs(std::sin(turn(k, power, n) / 2));
      const double below = static_cast<double>(power) * std::sin(turn(k, 1, n) / 2);
      largest = std::max(largest, above / below);
    }
    return Mixing{1.0 - largest, std::nullopt};
  }

 private:
  [[nodiscard]] NodeId hop(Round t) const { return NodeId{1} << (t % hops_); }

  // All rounds of all nodes share one edge per peer: every weight is the same.
  [[nodiscard]] std::span<const Edge> edge_to(NodeId peer) const {
    return std::span(edges_).subspan(peer, 1);
  }

  std::string spec_ = "one-peer-exponential";
  unsigned hops_;
  std::vector<Edge> edges_;
};

}  // namespace

Result<std::unique_ptr<Topology>> make_one_peer_exponential(TopologyRequest& request) {
  const Result<NodeId> nodes = requested_nodes(request);
  if (!nodes) return nodes.error();
  return std::unique_ptr<Topology>(std::make_unique<OnePeerExponential>(nodes.value()));
}

}  // namespace gossamer
