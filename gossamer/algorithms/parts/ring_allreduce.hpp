#pragma once

#include <memory>

#include "gossamer/compress/compressor.hpp"
#include "gossamer/node/node.hpp"

namespace gossamer {

/// The mean of everybody's vector, the same bits on all nodes. Each node talks to the next one by
/// number and hears the previous one, whatever the graph: n - 1 steps of sums, n - 1 of copies,
/// each of a share of about 1/n of the vector, so that every node sends 2 (n - 1) / n of it, the
/// least that is possible.
///
/// Shares are compressed, if only by the identity. Sums are compressed anew by each node that adds
/// to them, so that errors add up and none is remembered: the operator must be unbiased. The mean
/// is compressed once, by the node that has it, and its bytes go around as they are.
class RingMean {
 public:
  /// Of vectors as long as those of `whole`, by the same operator. Shares are cut across layers, so
  /// one that works layer by layer works on each share as a whole.
  explicit RingMean(std::shared_ptr<const Compressor> whole) : whole_(std::move(whole)) {}

  /// v becomes the mean.
  void operator()(Node& node, Vec v);

 private:
  class Ring;

  void make_operators(NodeId nodes);
  [[nodiscard]] const Compressor& operator_for(CVec share) const;

  std::shared_ptr<const Compressor> whole_;
  // Shares have one of two sizes, which differ by one element.
  std::unique_ptr<const Compressor> for_short_;
  std::unique_ptr<const Compressor> for_long_;
};

/// Refuses what RingMean cannot use.
[[nodiscard]] Result<void> expect_sums_survive(std::string_view algorithm,
                                               const Compressor& compressor);

}  // namespace gossamer
