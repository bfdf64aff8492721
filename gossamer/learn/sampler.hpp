#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "gossamer/base/result.hpp"
#include "gossamer/base/rng.hpp"
#include "gossamer/learn/partition.hpp"

namespace gossamer {

/// Which samples a node looks at, and in which order.
enum class Sampling {
  kEpochs,       // its own shard, epoch after epoch, each in a new order
  kGlobal,       // all samples are dealt out anew in every epoch: the shards do not last
  kReplacement,  // any of its own shard at any time: the draws of the theory
};

/// `epochs`, `global` or `replacement`.
[[nodiscard]] Result<Sampling> parse_sampling(std::string_view name);

/// Refuses a batch that is larger than all the data together, which have so many samples: a step
/// would take for ever. A few thousand are never too many: a node may have few data of its own.
[[nodiscard]] Result<void> check_batch(std::optional<std::size_t> batch, std::size_t samples);

/// Rounds until the nodes have drawn as many samples as there are; one if a batch is all that a
/// node has.
[[nodiscard]] double epoch_rounds(const Partition& shards, std::optional<std::size_t> batch);

/// Draws one node's samples. What round t draws is a function of the key alone, whichever rounds
/// were asked for before: a resumed run goes on in the middle of an epoch.
class Sampler {
 public:
  /// The shards must outlive it.
  Sampler(Sampling sampling, const Partition& shards, NodeId node, std::size_t batch);

  /// Sample number `i` of the batch of round key.round, i < batch. key.node is the node's.
  [[nodiscard]] std::uint32_t draw(const RngKey& key, std::size_t i);

  /// Samples that the node sees before it sees one again, or as many at random.
  [[nodiscard]] std::size_t epoch_size() const { return epoch_size_; }

 private:
  void shuffle(RngKey key, std::uint64_t epoch);
  void put_in_order();

  Sampling sampling_;
  const Partition& shards_;
  NodeId node_;
  std::uint64_t batch_;
  std::size_t epoch_size_;
  std::vector<std::uint32_t> order_;  // of the epoch that shuffled_for_ names
  RngKey shuffled_for_;
  bool is_shuffled_ = false;
};

}  // namespace gossamer
