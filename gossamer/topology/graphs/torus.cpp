#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "gossamer/topology/factory.hpp"
#include "gossamer/topology/graph.hpp"
#include "gossamer/topology/graphs/cycle.hpp"
#include "gossamer/topology/weights.hpp"

namespace gossamer {
namespace {

struct Sides {
  NodeId rows;
  NodeId columns;

  [[nodiscard]] NodeId nodes() const { return rows * columns; }

  [[nodiscard]] std::string spec() const { return fmt::format("torus:{}x{}", rows, columns); }
};

std::optional<NodeId> parse_side(std::string_view text) {
  NodeId side = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), side);
  if (failure != std::errc{} || end != text.data() + text.size() || side == 0) return std::nullopt;
  return side;
}

Result<Sides> parse_sides(std::string_view text) {
  const std::size_t cross = text.find('x');
  if (cross != std::string_view::npos) {
    const std::optional<NodeId> rows = parse_side(text.substr(0, cross));
    const std::optional<NodeId> columns = parse_side(text.substr(cross + 1));
    if (rows && columns && std::uint64_t{*rows} * *columns <= kMostNodes)
      return Sides{*rows, *columns};
  }
  return Error{
      fmt::format("torus: sides are written like 4x8, with at most {} nodes in all, not '{}'",
                  kMostNodes, text)};
}

// A prime number of nodes leaves 1 x n, which is a ring.
Sides most_square(NodeId nodes) {
  NodeId rows = 1;
  for (NodeId side = 1; std::uint64_t{side} * side <= nodes; ++side) {
    if (nodes % side == 0) rows = side;
  }
  return {rows, nodes / rows};
}

Result<Sides> requested_sides(TopologyRequest& request) {
  const std::optional<std::string> text = request.options.positional_text();
  if (!text) {
    const Result<NodeId> nodes = requested_nodes(request);
    if (!nodes) return nodes.error();
    return most_square(nodes.value());
  }
  if (const Result<void> options = request.options.finish(); !options) return options.error();
  Result<Sides> sides = parse_sides(*text);
  if (!sides) return sides;
  const Result<void> agreed = expect_nodes(request, sides.value().spec(), sides.value().nodes());
  if (!agreed) return agreed.error();
  return sides;
}

Graph torus_graph(const Sides& sides) {
  std::vector<NodePair> pairs;
  for (NodeId row = 0; row < sides.rows; ++row) {
    for (NodeId column = 0; column < sides.columns; ++column) {
      const NodeId id = row * sides.columns + column;
      const NodeId right = row * sides.columns + (column + 1) % sides.columns;
      const NodeId below = ((row + 1) % sides.rows) * sides.columns + column;
      if (right != id) pairs.push_back(pair_of(id, right));
      if (below != id) pairs.push_back(pair_of(id, below));
    }
  }
  return make_graph(sides.nodes(), std::move(pairs));
}

// The Laplacian of a product of two cycles has all sums of an eigenvalue of one and one of the
// other.
Mixing torus_mixing(const Sides& sides) {
  if (sides.nodes() == 1) return mixing_of_one();
  const Cycle rows{sides.rows};
  const Cycle columns{sides.columns};
  const double weight = 1.0 / (1.0 + rows.degree() + columns.degree());
  const double slowest = std::min(rows.slowest(), columns.slowest());
  return mixing_from({weight * slowest, weight * (rows.fastest() + columns.fastest())});
}

}  // namespace

Result<std::unique_ptr<Topology>> make_torus(TopologyRequest& request) {
  const Result<Sides> requested = requested_sides(request);
  if (!requested) return requested.error();
  const Sides& sides = requested.value();
  return make_constant(sides.spec(), metropolis_weights(torus_graph(sides)), torus_mixing(sides));
}

}  // namespace gossamer
