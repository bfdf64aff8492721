// The static exponential graph: Ying, Yuan, Chen, Hu, Pan, Yin, "Exponential graph is provably
// efficient for decentralized deep training", NeurIPS 2021.
#include <algorithm>
#include <complex>
#include <utility>
#include <vector>

#include "gossamer/topology/factory.hpp"
#include "gossamer/topology/graphs/circulant.hpp"
#include "gossamer/topology/mixing_matrix.hpp"

namespace gossamer {
namespace {

enum class Direction { kHears, kIsHeard };

// Row i holds i + 1, i + 2, i + 4, ...; its transpose i - 1, i - 2, i - 4, ...
MixingMatrix exponential_matrix(NodeId nodes, Direction direction) {
  const unsigned p = exponential_hops(nodes);
  const double weight = 1.0 / (1.0 + p);
  std::vector<Edge> edges;
  edges.reserve(std::size_t{nodes} * p);
  for (NodeId id = 0; id < nodes; ++id) {
    for (unsigned j = 0; j < p; ++j) {
      const NodeId hop = NodeId{1} << j;
      const NodeId ahead = direction == Direction::kHears ? hop : nodes - hop;
      edges.push_back({(id + ahead) % nodes, weight});
    }
    std::sort(edges.end() - p, edges.end(),
              [](const Edge& a, const Edge& b) { return a.peer < b.peer; });
  }
  const std::vector<NodeId> degrees(nodes, p);
  return MixingMatrix(degrees, std::move(edges));
}

class Exponential final : public Topology {
 public:
  explicit Exponential(NodeId nodes)
      : rows_(exponential_matrix(nodes, Direction::kHears)),
        columns_(exponential_matrix(nodes, Direction::kIsHeard)) {}

  [[nodiscard]] NodeId size() const override { return rows_.size(); }

  [[nodiscard]] Neighborhood at(NodeId id, Round) const override { return rows_.row(id); }

  [[nodiscard]] std::span<const Edge> listeners(NodeId id, Round) const override {
    return columns_.row(id).neighbours;
  }

  [[nodiscard]] Round period() const override { return 1; }

  // Up to three nodes it is the complete graph.
  [[nodiscard]] bool is_symmetric() const override { return size() <= 3; }

  [[nodiscard]] const std::string& spec() const override { return spec_; }

  // W is circulant: lambda_k = (1 + sum_j e^(2 pi i k 2^j / n)) / (p + 1). Circulant matrices are
  // normal, so |lambda2| is also what a round multiplies the worst disagreement by.
  [[nodiscard]] std::optional<Mixing> closed_form() const override {
    const NodeId n = size();
    if (n == 1) return mixing_of_one();
    if (is_symmetric()) return mixing_from({1.0, 1.0});
    const unsigned p = exponential_hops(n);
    double largest = 0.0;
    for (NodeId k = 1; k <= n / 2; ++k) {  // lambda_{n - k} is the conjugate of lambda_k
      std::complex<double> sum = 1.0;
      for (unsigned j = 0; j < p; ++j)
        sum += std::polar(1.0, turn(k, std::uint64_t{1} << j, n));
      largest = std::max(largest, std::abs(sum));
    }
    return Mixing{1.0 - largest / (1.0 + p), std::nullopt};
  }

 private:
  std::string spec_ = "exponential";
  MixingMatrix rows_;
  MixingMatrix columns_;
};

}  // namespace

Result<std::unique_ptr<Topology>> make_exponential(TopologyRequest& request) {
  const Result<NodeId> nodes = requested_nodes(request);
  if (!nodes) return nodes.error();
  return std::unique_ptr<Topology>(std::make_unique<Exponential>(nodes.value()));
}

}  // namespace gossamer
