// QSGD (Alistarh et al., NeurIPS 2017): sign, and |x| / norm rounded stochastically to one of s + 1
// levels. Unscaled it is unbiased with omega = min(d/s^2, sqrt(d)/s); divided by tau = 1 + omega
// (the default, what Choco's theory asks for) it is a contraction with delta = 1/tau. With buckets,
// d is the bucket's size. Bytes: [one float norm per bucket][fields of 1 + ceil(log2(s + 1)) bits:
// level, sign above it].

#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "gossamer/compress/factories.hpp"
#include "gossamer/compress/tiles.hpp"
#include "gossamer/math/kernels/bitpack.hpp"
#include "gossamer/math/kernels/quantize.hpp"
#include "gossamer/math/kernels/reduce.hpp"

namespace gossamer {
namespace {

struct QsgdForm {
  std::uint16_t levels = 0;
  std::size_t bucket = 0;  // 0: the whole vector is one
  bool scaled = true;
};

class Qsgd final : public FixedSizeCompressor {
 public:
  Qsgd(std::size_t size, const QsgdForm& form)
      : FixedSizeCompressor(size, norm_bytes(size, form) + bytes_for_bits(size * field_bits(form))),
        form_(form),
        bits_(field_bits(form)),
        bucket_(form.bucket == 0 ? std::max<std::size_t>(1, size) : form.bucket) {
    const auto d = static_cast<double>(std::min(bucket_, std::max<std::size_t>(1, size)));
    const double s = form.levels;
    omega_ = std::min(d / (s * s), std::sqrt(d) / s);
    levels_per_unit_ = s * (form.scaled ? 1.0 + omega_ : 1.0);
  }

  [[nodiscard]] std::string spec() const override {
    const bool whole_bits = std::has_single_bit(form_.levels + 1u);
    std::string text =
        whole_bits ? fmt::format("qsgd:{}", bits_) : fmt::format("qsgd:s={}", form_.levels);
    if (form_.bucket != 0) text += fmt::format(",bucket={}", form_.bucket);
    if (!form_.scaled) text += ",unscaled";
    return text;
  }

  [[nodiscard]] Quality quality() const override {
    if (!form_.scaled)
      return {.unbiased = true, .delta = std::max(0.0, 1.0 - omega_), .omega = omega_};
    const double tau = 1.0 + omega_;
    return {.unbiased = false, .delta = 1.0 / tau, .omega = 1.0 - 1.0 / tau};
  }

  void check(ByteView message, Scratch&) const override {
    for (std::size_t bucket = 0; bucket * sizeof(float) < norm_bytes(size(), form_); ++bucket) {
      const float norm = norm_at(message, bucket);
      if (!(norm >= 0.0f) || !std::isfinite(norm))
        throw CorruptMessage("a qsgd norm is negative or not a number");
    }
    const ByteView fields = fields_of(message);
    expect_zero_padding(fields, size() * bits_);
    if (std::has_single_bit(form_.levels + 1u)) return;  // every field is a level
    const std::uint16_t mask = static_cast<std::uint16_t>(sign_field() - 1);
    for_each_tile(size(), [&](std::size_t begin, std::size_t count) {
      Fields tile;
      unpack_fields(packed_tile(fields, begin, count, bits_), bits_, tile.first(count));
      for (const std::uint16_t field : tile.first(count)) {
        if ((field & mask) > form_.levels) throw CorruptMessage("a qsgd level is out of range");
      }
    });
  }

  void add_checked(ByteView message, float a, Scratch&, Vec y) const override {
    const ByteView fields = fields_of(message);
    for_each_tile(size(), [&](std::size_t begin, std::size_t count) {
      Fields tile;
      unpack_fields(packed_tile(fields, begin, count, bits_), bits_, tile.first(count));
      for_each_bucket(begin, count, [&](std::size_t bucket, std::size_t first, std::size_t length) {
        const auto unit = static_cast<float>(double{norm_at(message, bucket)} / levels_per_unit_);
        add_signed_levels(tile.sub(first - begin, length), bits_ - 1, unit, a,
                          part(y, first, length));
      });
    });
  }

 protected:
  void append(CVec v, const RngKey& key, Scratch& scratch, ByteWriter& out) const override {
    const std::size_t start = out.size();
    Scratch::Frame frame(scratch);
    const std::span<float> norms = frame.take<float>(norm_bytes(size(), form_) / sizeof(float));
    for (std::size_t bucket = 0; bucket < norms.size(); ++bucket) {
      const std::size_t begin = bucket * bucket_;
      norms[bucket] = norm_of(part(v, begin, std::min(bucket_, size() - begin)));
    }
    out.write_bytes({reinterpret_cast<const std::uint8_t*>(norms.data()), norms.size_bytes()});
    const std::span<std::uint8_t> fields = out.extend(encoded_size(key) - (out.size() - start));
    TileDice dice(key.stream());
    for_each_tile(size(), [&](std::size_t begin, std::size_t count) {
      const std::span<const std::uint16_t> random = dice.roll(begin, count);
      Fields tile;
      for_each_bucket(begin, count, [&](std::size_t bucket, std::size_t first, std::size_t length) {
        const std::span<std::uint16_t> levels = tile.sub(first - begin, length);
        if (norms[bucket] == 0.0f) {
          std::ranges::fill(levels, std::uint16_t{0});
          return;
        }
        const LevelScale scale = LevelScale::over(0.0f, norms[bucket], form_.levels);
        quantize_signed(part(v, first, length), scale, bits_ - 1,
                        random.subspan(first - begin, length), levels);
      });
      pack_fields(tile.first(count), bits_, packed_tile(fields, begin, count, bits_));
    });
  }

 private:
  /// Room for the fields of a tile.
  class Fields {
   public:
    [[nodiscard]] std::span<std::uint16_t> first(std::size_t count) {
      return std::span(fields_).first(count);
    }

    [[nodiscard]] std::span<std::uint16_t> sub(std::size_t begin, std::size_t count) {
      return std::span(fields_).subspan(begin, count);
    }

   private:
    alignas(64) std::array<std::uint16_t, kTile> fields_;
  };

  static unsigned field_bits(const QsgdForm& form) {
    return 1 + static_cast<unsigned>(std::bit_width(form.levels));
  }

  static std::size_t norm_bytes(std::size_t size, const QsgdForm& form) {
    return sizeof(float) * (form.bucket == 0 ? 1 : (size + form.bucket - 1) / form.bucket);
  }

  [[nodiscard]] std::uint16_t sign_field() const {
    return static_cast<std::uint16_t>(1u << (bits_ - 1));
  }

  [[nodiscard]] ByteView fields_of(ByteView message) const {
    return message.subspan(norm_bytes(size(), form_));
  }

  static float norm_at(ByteView message, std::size_t bucket) {
    return ByteReader(message.subspan(bucket * sizeof(float))).read<float>();
  }

  static float norm_of(CVec x) {
    const auto norm = static_cast<float>(std::sqrt(sum_squares(x)));
    if (!std::isfinite(norm))
      throw NonFiniteValue("the vector to send holds a NaN or an infinity, or its norm is one");
    return norm;
  }

  // Calls work(bucket, first, length) for the parts of buckets that a tile holds.
  template <typename Work>
  void for_each_bucket(std::size_t begin, std::size_t count, const Work& work) const {
    const std::size_t end = begin + count;
    for (std::size_t first = begin; first < end;) {
      const std::size_t bucket = first / bucket_;
      const std::size_t length = std::min(end, (bucket + 1) * bucket_) - first;
      work(bucket, first, length);
      first += length;
    }
  }

  QsgdForm form_;
  unsigned bits_;
  std::size_t bucket_;
  double omega_ = 0.0;
  double levels_per_unit_ = 1.0;
};

}  // namespace

Result<DensePtr> make_qsgd(Options& options, std::size_t size) {
  QsgdForm form;
  const auto levels = options.integer("s", 1, 32767);
  const auto bucket = options.integer("bucket", 1, 0xFFFFFFFFu);
  form.scaled = !options.flag("unscaled");
  const auto bits =
      options.positional_integer("bits per entry (a sign and at least one bit of level)", 2, 16);
  if (bits.has_value() == levels.has_value()) {
    options.refuse(
        "qsgd needs bits per entry, as in qsgd:4, or a number of levels, as in qsgd:s=15");
  }
  if (const Result<void> done = options.finish(); !done) return done.error();
  form.levels = static_cast<std::uint16_t>(levels ? *levels : (1u << (*bits - 1)) - 1);
  form.bucket = bucket.value_or(0);
  return DensePtr(std::make_unique<Qsgd>(size, form));
}

}  // namespace gossamer
