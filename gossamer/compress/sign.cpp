// Sign with norm: C(x) = (|x|_m / d) sign(x), sign(0) = +1. For m = 1, the default, the factor is
// the mean magnitude and |x - C(x)|^2 = |x|^2 - |x|_1^2 / d: delta is 1/d at worst, 2/pi for normal
// data. Bytes: [float factor][one bit per element, set where x < 0].

#include <cmath>

#include "gossamer/compress/factories.hpp"
#include "gossamer/compress/tiles.hpp"
#include "gossamer/math/kernels/bitpack.hpp"
#include "gossamer/math/kernels/reduce.hpp"

namespace gossamer {
namespace {

class Sign final : public FixedSizeCompressor {
 public:
  enum class Norm { kOne, kTwo };

  Sign(std::size_t size, Norm norm)
      : FixedSizeCompressor(size, sizeof(float) + bytes_for_bits(size)), norm_(norm) {}

  [[nodiscard]] std::string spec() const override {
    return norm_ == Norm::kOne ? "sign" : "sign:m=2";
  }

  [[nodiscard]] Quality quality() const override {
    const double delta = size() == 0 ? 1.0 : 1.0 / static_cast<double>(size());
    return {.unbiased = false, .delta = delta, .omega = 1.0 - delta};
  }

  void check(ByteView message, Scratch&) const override {
    const auto factor = ByteReader(message).read<float>();
    if (!(factor >= 0.0f) || !std::isfinite(factor))
      throw CorruptMessage("a sign factor is negative or not a number");
    expect_zero_padding(message.subspan(sizeof(float)), size());
  }

  void add_checked(ByteView message, float a, Scratch&, Vec y) const override {
    add_signs(message.subspan(sizeof(float)), a * ByteReader(message).read<float>(), y);
  }

 protected:
  void append(CVec v, const RngKey&, Scratch&, ByteWriter& out) const override {
    append_tiles(out, [&](std::size_t begin, std::size_t count) { return part(v, begin, count); });
  }

  void append_difference(CVec v, CVec w, const RngKey&, Scratch&, ByteWriter& out) const override {
    alignas(64) std::array<float, kTile> room;
    append_tiles(out, [&](std::size_t begin, std::size_t count) {
      Vec difference(room.data(), static_cast<Eigen::Index>(count));
      difference = part(v, begin, count) - part(w, begin, count);
      return CVec(difference);
    });
  }

 private:
  // One pass over memory: signs do not need the factor, which is patched in when all is summed.
  template <typename TileOf>
  void append_tiles(ByteWriter& out, const TileOf& tile_of) const {
    const std::size_t at = out.size();
    out.write(0.0f);
    const std::span<std::uint8_t> signs = out.extend(bytes_for_bits(size()));
    double sum = 0.0;
    for_each_tile(size(), [&](std::size_t begin, std::size_t count) {
      const CVec tile = tile_of(begin, count);
      sum += norm_ == Norm::kOne ? sum_abs(tile) : sum_squares(tile);
      pack_signs(tile, packed_tile(signs, begin, count, 1));
    });
    const double norm = norm_ == Norm::kOne ? sum : std::sqrt(sum);
    const auto factor =
        static_cast<float>(norm / static_cast<double>(std::max<std::size_t>(1, size())));
    if (!std::isfinite(factor)) {
      out.truncate(at);
      throw NonFiniteValue("the vector to send holds a NaN or an infinity");
    }
    out.patch(at, factor);
  }

  Norm norm_;
};

}  // namespace

Result<DensePtr> make_sign(Options& options, std::size_t size) {
  const auto norm = options.integer("m", 1, 2);
  if (const Result<void> done = options.finish(); !done) return done.error();
  return DensePtr(
      std::make_unique<Sign>(size, norm.value_or(1) == 1 ? Sign::Norm::kOne : Sign::Norm::kTwo));
}

}  // namespace gossamer
