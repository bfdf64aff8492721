#include "gossamer/topology/validate.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "gossamer/topology/mixing_matrix.hpp"

namespace gossamer {
namespace {

constexpr double kSumTolerance = 1e-12;

// The weight that `edges` give to `peer`; edges are sorted.
double weight_of(std::span<const Edge> edges, NodeId peer) {
  const auto found = std::ranges::lower_bound(edges, peer, {}, &Edge::peer);
  return found != edges.end() && found->peer == peer ? found->weight : 0.0;
}

Result<void> check_order(const Topology& topology, NodeId id, std::span<const Edge> edges) {
  for (std::size_t k = 0; k < edges.size(); ++k) {
    const NodeId peer = edges[k].peer;
    if (peer >= topology.size()) {
      return Error{fmt::format("node {} has a neighbour {}, but there are {} nodes", id, peer,
                               topology.size())};
    }
    if (peer == id) return Error{fmt::format("node {} is its own neighbour", id)};
    if (k > 0 && edges[k - 1].peer >= peer) {
      return Error{fmt::format("the neighbours of node {} are not in order at {}", id, peer)};
    }
    // Written so that NaN fails too.
    if (!(edges[k].weight > 0.0)) {
      return Error{fmt::format("the weight between nodes {} and {} is {}, not above 0", id, peer,
                               edges[k].weight)};
    }
  }
  return {};
}

Result<void> check_sum(const char* what, NodeId id, double sum) {
  if (std::abs(sum - 1.0) <= kSumTolerance) return {};
  return Error{fmt::format("{} {} of the weights sums to {:.15g}, not to 1", what, id, sum)};
}

// Each entry of the row stands in the column of its peer, too. That columns hold nothing else
// follows from their sums.
Result<void> check_transposed(const Topology& topology, NodeId id, Round t) {
  for (const Edge& edge : topology.at(id, t).neighbours) {
    if (weight_of(topology.listeners(edge.peer, t), id) != edge.weight) {
      return Error{fmt::format("node {} hears node {}, which does not send to it with that weight",
                               id, edge.peer)};
    }
    const bool is_symmetric = weight_of(topology.at(edge.peer, t).neighbours, id) == edge.weight;
    if (topology.is_symmetric() && !is_symmetric) {
      return Error{fmt::format("the weights between nodes {} and {} differ", id, edge.peer)};
    }
  }
  return {};
}

Result<void> check_node(const Topology& topology, NodeId id, Round t) {
  const Neighborhood row = topology.at(id, t);
  const std::span<const Edge> column = topology.listeners(id, t);
  if (Result<void> sorted = check_order(topology, id, row.neighbours); !sorted) return sorted;
  if (Result<void> sorted = check_order(topology, id, column); !sorted) return sorted;
  if (!(row.self_weight >= 0.0)) {
    return Error{fmt::format("the self weight of node {} is {}, below 0", id, row.self_weight)};
  }
  const double row_sum = sum_of_weights(row.neighbours) + row.self_weight;
  if (Result<void> stochastic = check_sum("row", id, row_sum); !stochastic) return stochastic;
  const double column_sum = sum_of_weights(column) + row.self_weight;
  return check_sum("column", id, column_sum);
}

// A constant symmetric stochastic W of a connected graph has lambda2 < 1 always, and lambda_n > -1
// unless models swap sides for ever: every self weight is 0 and the graph is bipartite (Perron and
// Frobenius). So whether rho > 0 is a question of counting, not of rounding.
bool swaps_sides_for_ever(const Topology& topology) {
  std::vector<std::int8_t> sides(topology.size(), 0);
  std::vector<NodeId> queue = {0};
  sides[0] = 1;
  for (std::size_t next = 0; next < queue.size(); ++next) {
    const NodeId id = queue[next];
    const Neighborhood row = topology.at(id, 0);
    if (row.self_weight > kSumTolerance) return false;  // less is rounding, not a share
    for (const Edge& edge : row.neighbours) {
      if (sides[edge.peer] == sides[id]) return false;
      if (sides[edge.peer] != 0) continue;
      sides[edge.peer] = static_cast<std::int8_t>(-sides[id]);
      queue.push_back(edge.peer);
    }
  }
  return true;
}

}  // namespace

std::optional<NodeId> find_unreachable(const Topology& topology) {
  // Whom node 0 hears, whom those hear, and so on. With columns that sum to 1 as rows do, what
  // flows into a set of nodes flows out of it, so the way back exists as well.
  std::vector<bool> reached(topology.size(), false);
  std::vector<NodeId> queue = {0};
  reached[0] = true;
  for (std::size_t next = 0; next < queue.size(); ++next) {
    for (Round t = 0; t < topology.period(); ++t) {
      for (const Edge& edge : topology.at(queue[next], t).neighbours) {
        if (reached[edge.peer]) continue;
        reached[edge.peer] = true;
        queue.push_back(edge.peer);
      }
    }
  }
  const auto missing = std::find(reached.begin(), reached.end(), false);
  if (missing == reached.end()) return std::nullopt;
  return static_cast<NodeId>(missing - reached.begin());
}

Result<void> validate(const Topology& topology) {
  if (topology.size() == 0) return Error{"a topology has one node at least"};
  for (Round t = 0; t < topology.period(); ++t) {
    for (NodeId id = 0; id < topology.size(); ++id) {
      if (Result<void> node = check_node(topology, id, t); !node) return node;
    }
    for (NodeId id = 0; id < topology.size(); ++id) {
      if (Result<void> column = check_transposed(topology, id, t); !column) return column;
    }
  }
  if (const std::optional<NodeId> node = find_unreachable(topology)) {
    return Error{
        fmt::format("the graph is not connected: node {} cannot be reached from node 0", *node)};
  }
  const bool is_constant = topology.is_symmetric() && !topology.is_time_varying();
  if (is_constant && topology.size() > 1 && swaps_sides_for_ever(topology)) {
    return Error{
        "with these weights models swap places for ever and never agree (spectral gap 0): "
        "let a node keep a share of its own, so that its weights sum to less than 1"};
  }
  return {};
}

}  // namespace gossamer
