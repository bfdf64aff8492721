#include "gossamer/math/kernels/subset.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "gossamer/base/contract.hpp"
#include "gossamer/math/kernels/random_words.hpp"

namespace gossamer {
namespace {

/// Uniform numbers below a bound, from a stream's words in bulk order.
class UniformDraws {
 public:
  UniformDraws(std::uint64_t stream, std::uint32_t bound)
      : stream_(stream), bound_(bound), unfair_((0u - bound) % bound) {}

  void set_bound(std::uint32_t bound) {
    bound_ = bound;
    unfair_ = (0u - bound) % bound;
  }

  std::uint32_t next() {
    std::uint32_t draw = 0;
    fill({&draw, 1});
    return draw;
  }

  void fill(std::span<std::uint32_t> draws) {
    for (std::size_t filled = 0; filled < draws.size();) {
      if (used_ == kBuffered) refill();
      const std::size_t end = std::min(kBuffered, used_ + (draws.size() - filled));
      for (; used_ < end; ++used_) {
        // The high half of random * bound is uniform once the few low halves that favour some
        // outcomes are passed over.
        const std::uint64_t scaled = std::uint64_t{words_[used_]} * bound_;
        draws[filled] = static_cast<std::uint32_t>(scaled >> 32);
        filled += static_cast<std::uint32_t>(scaled) >= unfair_ ? 1 : 0;
      }
    }
  }

 private:
  static constexpr std::size_t kBuffered = 16 * kRandomTile;

  void refill() {
    fill_random_words(stream_, filled_, words_);
    filled_ += kBuffered;
    used_ = 0;
  }

  std::uint64_t stream_;
  std::uint32_t bound_;
  std::uint32_t unfair_;
  std::uint64_t filled_ = 0;
  std::size_t used_ = kBuffered;
  std::uint32_t words_[kBuffered];
};

// Two passes over half of the bits each. A comparison sort takes ten times as long.
void radix_sort(std::span<std::uint32_t> values, std::uint32_t bound, Scratch& scratch) {
  Scratch::Frame frame(scratch);
  const int half = (std::bit_width(bound - 1) + 1) / 2;
  const std::size_t digits = std::size_t{1} << half;
  const std::uint32_t mask = static_cast<std::uint32_t>(digits - 1);
  const std::span<std::uint32_t> low_starts = frame.take<std::uint32_t>(digits);
  const std::span<std::uint32_t> high_starts = frame.take<std::uint32_t>(digits);
  const std::span<std::uint32_t> by_low = frame.take<std::uint32_t>(values.size());
  std::ranges::fill(low_starts, 0);
  std::ranges::fill(high_starts, 0);
  for (const std::uint32_t value : values) {
    ++low_starts[value & mask];
    ++high_starts[value >> half];
  }
  std::exclusive_scan(low_starts.begin(), low_starts.end(), low_starts.begin(), 0u);
  std::exclusive_scan(high_starts.begin(), high_starts.end(), high_starts.begin(), 0u);
  for (const std::uint32_t value : values)
    by_low[low_starts[value & mask]++] = value;
  for (const std::uint32_t value : by_low)
    values[high_starts[value >> half]++] = value;
}

void sort_draws(std::span<std::uint32_t> draws, std::uint32_t bound, Scratch& scratch) {
  // The digits' starts take as long to fill as so many values take to sort.
  const bool worth_digits = draws.size() >= (std::size_t{1} << (std::bit_width(bound - 1) / 2));
  if (worth_digits) return radix_sort(draws, bound, scratch);
  std::ranges::sort(draws);
}

// Moves the distinct ones of sorted values to the front, without a branch to mispredict.
std::size_t drop_repeats(std::span<std::uint32_t> values) {
  std::uint32_t previous = values.front();
  std::size_t kept = 1;
  for (const std::uint32_t value : values.subspan(1)) {
    values[kept] = value;
    kept += value == previous ? 0 : 1;
    previous = value;
  }
  return kept;
}

// Moves the values that are not at the given ascending positions to the front.
void remove_positions(std::span<std::uint32_t> values, std::span<const std::uint32_t> positions) {
  if (positions.empty()) return;
  std::uint32_t* out = values.data() + positions.front();
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const std::size_t begin = positions[i] + std::size_t{1};
    const std::size_t end = i + 1 < positions.size() ? positions[i + 1] : values.size();
    out = std::copy(values.data() + begin, values.data() + end, out);
  }
}

// Somewhat more than k numbers whose distinct ones are rarely fewer than k: about k^2 / 2d of them
// repeat, give or take the square root of that.
std::size_t draws_for(std::size_t k, std::size_t size) {
  const double repeats =
      static_cast<double>(k) * static_cast<double>(k) / (1.9 * static_cast<double>(size));
  return k + static_cast<std::size_t>(repeats + 5.0 * std::sqrt(repeats)) + 2;
}

// Draws with repetition, keeps the distinct ones, and then drops random ones of them until k are
// left: no step prefers one index to another, so every subset is equally likely.
void draw_sparse(UniformDraws& draws, std::uint32_t bound, Scratch& scratch,
                 std::span<std::uint32_t> indices) {
  Scratch::Frame frame(scratch);
  const std::span<std::uint32_t> drawn =
      frame.take<std::uint32_t>(draws_for(indices.size(), bound));
  std::size_t distinct = 0;
  while (distinct < indices.size()) {
    // Once, almost always.
    draws.fill(drawn.subspan(distinct));
    sort_draws(drawn, bound, scratch);
    distinct = drop_repeats(drawn);
  }
  const std::span<std::uint32_t> spare = frame.take<std::uint32_t>(distinct - indices.size());
  draws.set_bound(static_cast<std::uint32_t>(distinct));
  for (std::size_t found = 0; found < spare.size();) {
    draws.fill(spare.subspan(found));
    std::ranges::sort(spare);
    found = drop_repeats(spare);
  }
  remove_positions(drawn.first(distinct), spare);
  std::ranges::copy(drawn.first(indices.size()), indices.begin());
}

enum class Keep { kMarked, kUnmarked };

// Marks `count` distinct draws in a bitmap and lists the marked or the unmarked indices.
void draw_dense(UniformDraws& draws, std::size_t size, std::size_t count, Keep keep,
                Scratch& scratch, std::span<std::uint32_t> indices) {
  Scratch::Frame frame(scratch);
  const std::span<std::uint64_t> bitmap = frame.take<std::uint64_t>((size + 63) / 64);
  std::ranges::fill(bitmap, 0);
  for (std::size_t marked = 0; marked < count;) {
    const std::uint32_t index = draws.next();
    std::uint64_t& word = bitmap[index / 64];
    marked += ~word >> (index % 64) & 1;
    word |= std::uint64_t{1} << (index % 64);
  }
  const std::uint64_t flip = keep == Keep::kMarked ? 0 : ~std::uint64_t{0};
  std::size_t listed = 0;
  for (std::size_t w = 0; listed < indices.size(); ++w) {
    for (std::uint64_t left = bitmap[w] ^ flip; left != 0 && listed < indices.size();
         left &= left - 1) {
      indices[listed++] =
          static_cast<std::uint32_t>(w * 64 + static_cast<std::size_t>(std::countr_zero(left)));
    }
  }
}

}  // namespace

void draw_subset(std::uint64_t stream, std::size_t size, Scratch& scratch,
                 std::span<std::uint32_t> indices) {
  const std::size_t k = indices.size();
  expects(k <= size && size < (std::size_t{1} << 32), "draw_subset() of k <= size < 2^32");
  if (k == 0) return;
  const auto bound = static_cast<std::uint32_t>(size);
  UniformDraws draws(stream, bound);
  if (k <= size / 16) return draw_sparse(draws, bound, scratch, indices);
  // The complement of a large subset is a smaller one.
  if (k <= size / 2) return draw_dense(draws, size, k, Keep::kMarked, scratch, indices);
  draw_dense(draws, size, size - k, Keep::kUnmarked, scratch, indices);
}

}  // namespace gossamer
