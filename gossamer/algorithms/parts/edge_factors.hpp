#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gossamer/base/ids.hpp"
#include "gossamer/math/scratch.hpp"
#include "gossamer/math/vec.hpp"
#include "gossamer/node/state_visitor.hpp"

namespace gossamer {

/// Two neighbours, and random numbers that both can draw.
struct SharedEdge {
  SharedEdge(std::uint64_t run_seed, NodeId one, NodeId other);

  [[nodiscard]] NodeId other_end(NodeId end) const { return end == lower ? higher : lower; }

  bool operator==(const SharedEdge&) const = default;

  NodeId lower;
  NodeId higher;
  /// Hashed from the run's seed and both ids. Half-step t draws for block b from the stream
  /// (seed, kEdge, round = t, block = b): no two draws share one, and a resumed run needs no more
  /// than t to find it again.
  std::uint64_t seed;
};

/// The half-steps of a power iteration, counted from 1.
struct HalfStep {
  std::uint64_t number;

  [[nodiscard]] bool is_odd() const { return number % 2 == 1; }
};

/// A block of the model as a matrix: its first dimension by the product of all others.
struct MatrixPlace {
  std::uint32_t block;
  std::size_t offset;
  std::size_t rows;
  std::size_t columns;
};

/// The thin factors P (rows x r) and Q (columns x r) of one matrix, for every edge of one node; r
/// is at most each of the matrix's sides. An odd half-step finds P from a basis Q, an even one Q
/// from a basis P. The factors of all edges lie side by side, so that one pass over the matrix
/// serves them all.
///
/// Zero columns of a basis are drawn anew before it is made orthonormal. All are zero at first, and
/// later those whose direction depended on the others, or along which two models agree.
class EdgeFactors {
 public:
  enum class Basis { kWarm, kFresh };

  EdgeFactors(const MatrixPlace& place, std::size_t rank, std::span<const SharedEdge> edges);

  /// For other edges: those that were there before keep their factors, new ones begin with zeros.
  void follow(std::span<const SharedEdge> edges);

  /// Both factors of an edge, as one digest.
  [[nodiscard]] std::uint64_t digest(std::size_t edge) const;

  /// Begins again with one edge, as if it were new.
  void forget(std::size_t edge);

  /// How many numbers a half-step sends over each edge.
  [[nodiscard]] std::size_t message_size(HalfStep step) const;

  /// Makes each edge's basis orthonormal and multiplies the matrix, which lies in x, with all of
  /// them. found() then is this node's product. A fresh basis forgets what it was.
  void multiply(HalfStep step, Basis basis, CVec x, Scratch& scratch);

  /// The factor of one edge that this half-step finds.
  [[nodiscard]] Vec found(HalfStep step, std::size_t edge);

  /// M += sum over edges of steps[edge] P Q^T, and u, a vector of the model's size, or an empty
  /// one.
  void add_products(std::span<const float> steps, CVec u, Scratch& scratch, Vec x) const;

  void visit_state(StateVisitor& visitor);

 private:
  /// Columns of one length, r for each edge.
  struct Factor {
    Factor(std::size_t length_of_one, std::size_t count)
        : length(length_of_one), numbers(length * count) {}

    [[nodiscard]] Vec columns(std::size_t first, std::size_t count);
    [[nodiscard]] CVec columns(std::size_t first, std::size_t count) const;

    std::size_t length;
    FloatBuffer numbers;
  };

  [[nodiscard]] std::size_t width() const { return edges_.size() * rank_; }

  void draw_zero_columns(HalfStep step, std::size_t edge, Factor& basis) const;

  MatrixPlace place_;
  std::size_t rank_;
  std::vector<SharedEdge> edges_;
  Factor p_;
  Factor q_;
};

}  // namespace gossamer
