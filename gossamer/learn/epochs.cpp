#include "gossamer/learn/epochs.hpp"

#include <algorithm>
#include <utility>

#include "gossamer/base/contract.hpp"

namespace gossamer {

Epochs::Epochs(std::span<const std::uint32_t> samples, std::size_t batch)
    : samples_(samples), batch_(batch) {
  expects(!samples.empty(), "a node has at least one sample");
}

std::uint32_t Epochs::draw(const RngKey& key, std::size_t i) {
  const std::uint64_t position = key.round * batch_ + i;
  shuffle(key, position / samples_.size());
  return order_[position % samples_.size()];
}

void Epochs::shuffle(const RngKey& key, std::uint64_t epoch) {
  RngKey order_key = key;
  order_key.round = epoch;
  if (is_shuffled_ && order_key == shuffled_for_) return;
  order_.assign(samples_.begin(), samples_.end());
  Rng rng(order_key);
  for (std::size_t left = order_.size(); left > 1; --left)
    std::swap(order_[left - 1], order_[rng.below(static_cast<std::uint32_t>(left))]);
  shuffled_for_ = order_key;
  is_shuffled_ = true;
}

}  // namespace gossamer
