#pragma once

#include <optional>
#include <span>
#include <string>

#include "gossamer/base/ids.hpp"
#include "gossamer/topology/spectrum.hpp"

namespace gossamer {

/// One entry of the mixing matrix off its diagonal. The weight is a double although models are
/// floats: rows must sum to 1 within 1e-12 for the mean of all models to be kept, and floats cannot
/// promise more than 1e-7. Algorithms round it once, where they multiply.
struct Edge {
  NodeId peer;
  double weight;

  [[nodiscard]] bool operator==(const Edge&) const = default;
};

/// Row `id` of W_t. The span points into the topology and lives as long as that does.
struct Neighborhood {
  double self_weight;                // W_t[id][id]
  std::span<const Edge> neighbours;  // W_t[id][peer], sorted by peer
};

/// Who hears whom with which weight: a sequence of mixing matrices W_0, W_1, ... of which row i
/// says how node i forms its next model, x_i <- sum_j W_t[i][j] x_j.
///
/// Laws, checked by validate() for every topology that make_topology() returns:
///  * Rows and columns sum to 1 within 1e-12: the mean of all models never changes.
///  * Weights of neighbours are positive, self weights are not negative.
///  * Neighbours are sorted by peer, without duplicates and without the node itself.
///  * listeners() are the columns: j hears i in round t with weight w if and only if row j says so.
///  * W is symmetric where is_symmetric() says so.
///  * W_t repeats: W_{t + period()} = W_t.
///  * Connected: over one period every node's model reaches every other node.
///  * A constant symmetric W has a spectral gap above 0: gossip converges.
///
/// Thread safety: immutable once made, so any number of threads may read it. Nothing allocates.
class Topology {
 public:
  Topology() = default;
  Topology(const Topology&) = delete;
  Topology& operator=(const Topology&) = delete;
  virtual ~Topology() = default;

  [[nodiscard]] virtual NodeId size() const = 0;

  /// Whom node `id` hears in round `t`. id < size().
  [[nodiscard]] virtual Neighborhood at(NodeId id, Round t) const = 0;

  /// Who hears node `id` in round `t`, and with which weight: where it has to send. Sorted by peer.
  /// The neighbours of at() themselves where W is symmetric.
  [[nodiscard]] virtual std::span<const Edge> listeners(NodeId id, Round t) const = 0;

  /// After how many rounds the matrices repeat; 1 for a constant W.
  [[nodiscard]] virtual Round period() const = 0;

  [[nodiscard]] virtual bool is_symmetric() const = 0;

  /// The text that makes this topology again, given the same number of nodes and seed: `torus:4x8`.
  [[nodiscard]] virtual const std::string& spec() const = 0;

  /// How fast it mixes, where a formula says so; mixing_of() computes it for the others.
  [[nodiscard]] virtual std::optional<Mixing> closed_form() const { return std::nullopt; }

  [[nodiscard]] bool is_time_varying() const { return period() > 1; }
};

}  // namespace gossamer
