// Keeps each entry with probability p, independently. A message is the 8 bytes of a random stream
// and the kept values; the receiver draws the same gaps. Contractive with delta = p; scaled by 1/p
// it is unbiased with omega = 1/p - 1.

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "gossamer/compress/factories.hpp"
#include "gossamer/compress/tiles.hpp"
#include "gossamer/math/kernels/reduce.hpp"

namespace gossamer {
namespace {

/// Gaps between kept entries: how many entries in a row are dropped, geometrically distributed. By
/// table, because a logarithm differs between C libraries and both ends must draw the same.
class GapTable {
 public:
  explicit GapTable(double probability) {
    double at_least = 1.0;
    // Beyond the table's end a gap starts anew: the distribution has no memory.
    do {
      at_least *= 1.0 - probability;
      longer_.push_back(static_cast<std::uint32_t>(at_least * 0x1.FFFFFFFEp31));
    } while (at_least > 1.0 / 16.0 && longer_.size() < kLongest);
    for (std::size_t top = 0; top < first_.size(); ++top) {
      const auto largest = static_cast<std::uint32_t>(top << 24 | 0xFFFFFF);
      const auto shorter = std::ranges::partition_point(
          longer_, [&](std::uint32_t level) { return largest < level; });
      first_[top] = static_cast<std::uint32_t>(shorter - longer_.begin());
    }
  }

  /// The gap that a random word stands for; end() if it is at least so long and goes on.
  [[nodiscard]] std::size_t gap(std::uint32_t random) const {
    std::size_t gap = first_[random >> 24];
    while (gap < longer_.size() && random < longer_[gap])
      ++gap;
    return gap;
  }

  [[nodiscard]] std::size_t end() const { return longer_.size(); }

 private:
  static constexpr std::size_t kLongest = 4096;

  // longer_[j] is 2^32 times the probability that more than j entries are dropped: it falls with j.
  std::vector<std::uint32_t> longer_;
  // Where to begin the search for a word, by its top byte.
  std::array<std::uint32_t, 256> first_{};
};

/// Gaps one after the other, from a stream's words in bulk order.
class Gaps {
 public:
  Gaps(const GapTable& table, std::uint64_t stream) : table_(table), stream_(stream) {}

  [[nodiscard]] std::size_t next() {
    std::size_t total = 0;
    for (;;) {
      const std::size_t gap = table_.gap(next_word());
      total += gap;
      if (gap < table_.end()) return total;
    }
  }

 private:
  std::uint32_t next_word() {
    if (used_ == words_.size()) {
      fill_random_words(stream_, filled_, words_);
      filled_ += words_.size();
      used_ = 0;
    }
    return words_[used_++];
  }

  const GapTable& table_;
  std::uint64_t stream_;
  std::uint64_t filled_ = 0;
  std::array<std::uint32_t, 16 * kRandomTile> words_;
  std::size_t used_ = words_.size();
};

class Drop final : public Compressor {
 public:
  enum class Bias { kContractive, kUnbiased };

  Drop(std::size_t size, double probability, Bias bias)
      : Compressor(size), probability_(probability), bias_(bias), table_(probability) {}

  [[nodiscard]] std::string spec() const override {
    return fmt::format("drop:{}{}", probability_, bias_ == Bias::kUnbiased ? ",unbiased" : "");
  }

  [[nodiscard]] Quality quality() const override {
    if (bias_ == Bias::kUnbiased)
      return {.unbiased = true, .delta = 0.0, .omega = 1.0 / probability_ - 1.0};
    return {.unbiased = probability_ == 1.0, .delta = probability_, .omega = 1.0 - probability_};
  }

  [[nodiscard]] std::size_t encoded_size(const RngKey& key) const override {
    return size_of(key.stream());
  }

  [[nodiscard]] std::size_t message_size(ByteView bytes) const override {
    return size_of(ByteReader(bytes).read<std::uint64_t>());
  }

  void check(ByteView message, Scratch&) const override {
    const ByteView floats = message.subspan(sizeof(std::uint64_t));
    TileFloats tile;
    for_each_tile(floats.size() / sizeof(float), [&](std::size_t begin, std::size_t count) {
      if (!all_finite(tile.read(floats, begin, count)))
        throw CorruptMessage("a message holds a non-finite value");
    });
  }

  void add_checked(ByteView message, float a, Scratch&, Vec y) const override {
    ByteReader reader(message);
    for_each_kept(reader.read<std::uint64_t>(),
                  [&](std::size_t index) { y.data()[index] += a * reader.read<float>(); });
  }

 protected:
  void append(CVec v, const RngKey& key, Scratch&, ByteWriter& out) const override {
    const float scale = bias_ == Bias::kUnbiased ? static_cast<float>(1.0 / probability_) : 1.0f;
    const std::size_t begin = out.size();
    out.write(key.stream());
    for_each_kept(key.stream(), [&](std::size_t index) {
      const float value = scale * v.data()[index];
      if (!std::isfinite(value)) {
        out.truncate(begin);
        throw NonFiniteValue("the vector to send holds a NaN or an infinity");
      }
      out.write(value);
    });
  }

 private:
  template <typename Visit>
  void for_each_kept(std::uint64_t stream, const Visit& visit) const {
    Gaps gaps(table_, stream);
    for (std::size_t index = gaps.next(); index < size(); index += 1 + gaps.next())
      visit(index);
  }

  [[nodiscard]] std::size_t size_of(std::uint64_t stream) const {
    std::size_t kept = 0;
    for_each_kept(stream, [&](std::size_t) { ++kept; });
    return sizeof(std::uint64_t) + kept * sizeof(float);
  }

  double probability_;
  Bias bias_;
  GapTable table_;
};

}  // namespace

Result<DensePtr> make_drop(Options& options, std::size_t size) {
  const bool unbiased = options.flag("unbiased");
  const auto probability =
      options.positional_number("the probability of keeping an entry", 1e-6, 1.0);
  if (!probability)
    options.refuse("drop needs the probability of keeping an entry, as in drop:0.1");
  if (const Result<void> done = options.finish(); !done) return done.error();
  return DensePtr(std::make_unique<Drop>(
      size, *probability, unbiased ? Drop::Bias::kUnbiased : Drop::Bias::kContractive));
}

}  // namespace gossamer
