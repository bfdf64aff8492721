#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/temporary_file.hpp"
#include <fmt/format.h>

#include "gossamer/topology/registry.hpp"

namespace gossamer::testing {

/// The topology, or an exception that fails the test with the reason.
inline std::unique_ptr<Topology> topology(std::string_view spec,
                                          std::optional<NodeId> nodes = std::nullopt,
                                          std::uint64_t seed = 0) {
  Result<std::unique_ptr<Topology>> made = make_topology(spec, nodes, seed);
  if (!made) throw std::runtime_error(made.error().message);
  return std::move(made).value();
}

/// Why there is no such topology; empty if there is.
inline std::string refusal(std::string_view spec, std::optional<NodeId> nodes = std::nullopt) {
  const Result<std::unique_ptr<Topology>> made = make_topology(spec, nodes, 0);
  return made ? "" : made.error().message;
}

/// W_t in full, for small graphs: the slow and obvious twin of at().
inline std::vector<std::vector<double>> full_matrix(const Topology& topology, Round t) {
  std::vector<std::vector<double>> W(topology.size(), std::vector<double>(topology.size(), 0.0));
  for (NodeId id = 0; id < topology.size(); ++id) {
    const Neighborhood row = topology.at(id, t);
    W[id][id] += row.self_weight;
    for (const Edge& edge : row.neighbours)
      W[id][edge.peer] += edge.weight;
  }
  return W;
}

/// x <- W_t x.
inline std::vector<double> gossip(const Topology& topology, Round t, const std::vector<double>& x) {
  std::vector<double> mixed(x.size());
  for (NodeId id = 0; id < topology.size(); ++id) {
    const Neighborhood row = topology.at(id, t);
    mixed[id] = row.self_weight * x[id];
    for (const Edge& edge : row.neighbours)
      mixed[id] += edge.weight * x[edge.peer];
  }
  return mixed;
}

/// A graph file of its own for each object, gone with it.
class GraphFile {
 public:
  explicit GraphFile(std::string_view text) : file_(text) {}

  [[nodiscard]] const std::string& path() const { return file_.path(); }

  [[nodiscard]] std::string spec() const { return "file:" + path(); }

 private:
  TemporaryFile file_;
};

}  // namespace gossamer::testing
