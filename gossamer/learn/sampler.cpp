#include "gossamer/learn/sampler.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "gossamer/base/contract.hpp"
#include "gossamer/base/text/suggest.hpp"

namespace gossamer {
namespace {

std::size_t count(const Partition& shards) {
  return std::accumulate(shards.begin(), shards.end(), std::size_t{0},
                         [](std::size_t sum, const auto& shard) { return sum + shard.size(); });
}

}  // namespace

Result<Sampling> parse_sampling(std::string_view name) {
  if (name == "epochs") return Sampling::kEpochs;
  if (name == "global") return Sampling::kGlobal;
  if (name == "replacement") return Sampling::kReplacement;
  const std::array<std::string, 3> names = {"epochs", "global", "replacement"};
  return Error{unknown_name("sampling", name, names)};
}

Result<void> check_batch(std::optional<std::size_t> batch, std::size_t samples) {
  constexpr std::size_t kNeverTooMany = 4096;
  if (!batch) return {};
  if (*batch == 0) return Error{"a batch has at least one sample"};
  const std::size_t most = std::max(samples, kNeverTooMany);
  if (*batch <= most) return {};
  return Error{
      fmt::format("a batch of {} samples is too large: the data have {}, and a batch has at most "
                  "{}",
                  *batch, samples, most)};
}

double epoch_rounds(const Partition& shards, std::optional<std::size_t> batch) {
  if (!batch) return 1.0;
  return static_cast<double>(count(shards)) / static_cast<double>(shards.size() * *batch);
}

Sampler::Sampler(Sampling sampling, const Partition& shards, NodeId node, std::size_t batch)
    : sampling_(sampling),
      shards_(shards),
      node_(node),
      batch_(batch),
      // Dealt out evenly: of n nodes, up to n - 1 samples wait for another epoch.
      epoch_size_(sampling == Sampling::kGlobal ? count(shards) / shards.size()
                                                : shards[node].size()) {
  expects(epoch_size_ > 0, "a node has at least one sample");
}

std::uint32_t Sampler::draw(const RngKey& key, std::size_t i) {
  expects(key.node == node_, "a sampler draws for one node");
  if (sampling_ == Sampling::kReplacement) {
    // One stream per sample of a round, so that any of them can be asked for first.
    Rng rng(key.for_block(static_cast<std::uint32_t>(i)));
    return shards_[node_][rng.below(static_cast<std::uint32_t>(epoch_size_))];
  }
  const std::uint64_t position = key.round * batch_ + i;
  shuffle(key, position / epoch_size_);
  const std::size_t first = sampling_ == Sampling::kGlobal ? node_ * epoch_size_ : 0;
  return order_[first + position % epoch_size_];
}

void Sampler::shuffle(RngKey key, std::uint64_t epoch) {
  key.round = epoch;
  if (sampling_ == Sampling::kGlobal) key.node = 0;  // one order, of which each node takes its part
  if (is_shuffled_ && key == shuffled_for_) return;
  put_in_order();
  Rng rng(key);
  for (std::size_t left = order_.size(); left > 1; --left)
    std::swap(order_[left - 1], order_[rng.below(static_cast<std::uint32_t>(left))]);
  shuffled_for_ = key;
  is_shuffled_ = true;
}

void Sampler::put_in_order() {
  if (sampling_ == Sampling::kEpochs) {
    order_ = shards_[node_];
    return;
  }
  order_.clear();
  for (const std::vector<std::uint32_t>& shard : shards_)
    order_.insert(order_.end(), shard.begin(), shard.end());
}

}  // namespace gossamer
