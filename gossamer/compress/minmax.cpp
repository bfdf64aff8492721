// A grid of 2^b points from the smallest to the largest element, rounded stochastically (unbiased)
// or to nearest. |C(x) - x|^2 <= d (max - min)^2 / (4 (2^b - 1)^2); as (max - min)^2 <= 2 |x|^2,
// also <= d |x|^2 / (2 (2^b - 1)^2). Bytes: [float min][float max][fields of b bits].

#include <cmath>

#include <fmt/format.h>

#include "gossamer/compress/factories.hpp"
#include "gossamer/compress/tiles.hpp"
#include "gossamer/math/kernels/bitpack.hpp"
#include "gossamer/math/kernels/quantize.hpp"
#include "gossamer/math/kernels/reduce.hpp"

namespace gossamer {
namespace {

class MinMax final : public FixedSizeCompressor {
 public:
  MinMax(std::size_t size, unsigned bits, Rounding rounding)
      : FixedSizeCompressor(size, 2 * sizeof(float) + bytes_for_bits(size * bits)),
        bits_(bits),
        rounding_(rounding) {}

  [[nodiscard]] std::string spec() const override {
    return fmt::format("minmax:{}{}", bits_, rounding_ == Rounding::kNearest ? ",nearest" : "");
  }

  [[nodiscard]] Quality quality() const override {
    const double levels = top();
    const double omega = static_cast<double>(size()) / (2.0 * levels * levels);
    return {.unbiased = rounding_ == Rounding::kStochastic,
            .delta = std::max(0.0, 1.0 - omega),
            .omega = omega};
  }

  void check(ByteView message, Scratch&) const override {
    ByteReader reader(message);
    const auto min = reader.read<float>();
    const auto max = reader.read<float>();
    if (!(min <= max) || !std::isfinite(max - min))
      throw CorruptMessage("a minmax range is empty or not finite");
    expect_zero_padding(reader.read_bytes(reader.remaining()), size() * bits_);
  }

  void add_checked(ByteView message, float a, Scratch&, Vec y) const override {
    ByteReader reader(message);
    const auto min = reader.read<float>();
    const auto max = reader.read<float>();
    const auto step = static_cast<float>((double{max} - double{min}) / top());
    const ByteView fields = reader.read_bytes(reader.remaining());
    for_each_tile(size(), [&](std::size_t begin, std::size_t count) {
      alignas(64) std::array<std::uint16_t, kTile> levels;
      const std::span<std::uint16_t> tile = std::span(levels).first(count);
      unpack_fields(packed_tile(fields, begin, count, bits_), bits_, tile);
      add_levels(tile, min, step, a, part(y, begin, count));
    });
  }

 protected:
  void append(CVec v, const RngKey& key, Scratch&, ByteWriter& out) const override {
    const Range range = range_of(v);
    const float width = range.max - range.min;
    if (!range.finite || !std::isfinite(width)) {
      throw NonFiniteValue("the vector to send holds a NaN or an infinity, or its range is one");
    }
    out.write(range.min);
    out.write(range.max);
    const std::span<std::uint8_t> fields = out.extend(bytes_for_bits(size() * bits_));
    // A constant vector is its minimum, exactly.
    if (width == 0.0f) {
      std::ranges::fill(fields, std::uint8_t{0});
      return;
    }
    const LevelScale scale = LevelScale::over(range.min, width, top());
    TileDice dice(key.stream());
    for_each_tile(size(), [&](std::size_t begin, std::size_t count) {
      alignas(64) std::array<std::uint16_t, kTile> levels;
      const std::span<std::uint16_t> tile = std::span(levels).first(count);
      const auto random = rounding_ == Rounding::kNearest ? std::span<const std::uint16_t>{}
                                                          : dice.roll(begin, count);
      quantize(part(v, begin, count), scale, rounding_, random, tile);
      pack_fields(tile, bits_, packed_tile(fields, begin, count, bits_));
    });
  }

 private:
  [[nodiscard]] std::uint16_t top() const { return static_cast<std::uint16_t>((1u << bits_) - 1); }

  unsigned bits_;
  Rounding rounding_;
};

}  // namespace

Result<DensePtr> make_minmax(Options& options, std::size_t size) {
  const bool nearest = options.flag("nearest");
  const auto bits = options.positional_integer("bits per entry", 1, 16);
  if (!bits) options.refuse("minmax needs bits per entry, as in minmax:8");
  if (const Result<void> done = options.finish(); !done) return done.error();
  return DensePtr(std::make_unique<MinMax>(size, static_cast<unsigned>(*bits),
                                           nearest ? Rounding::kNearest : Rounding::kStochastic));
}

}  // namespace gossamer
