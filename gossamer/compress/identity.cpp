// Sends the vector as it is: 32 bits per element.

#include <memory>

#include "gossamer/base/result.hpp"
#include "gossamer/compress/factories.hpp"
#include "gossamer/compress/tiles.hpp"
#include "gossamer/math/kernels/reduce.hpp"

namespace gossamer {
namespace {

class Identity final : public FixedSizeCompressor {
 public:
  explicit Identity(std::size_t size) : FixedSizeCompressor(size, size * sizeof(float)) {}

  [[nodiscard]] std::string spec() const override { return "identity"; }

  [[nodiscard]] Quality quality() const override {
    return {.unbiased = true, .delta = 1.0, .omega = 0.0};
  }

  void check(ByteView message, Scratch&) const override {
    TileFloats floats;
    for_each_tile(size(), [&](std::size_t begin, std::size_t count) {
      if (!all_finite(floats.read(message, begin, count)))
        throw CorruptMessage("a message holds a non-finite value");
    });
  }

  void add_checked(ByteView message, float a, Scratch&, Vec y) const override {
    TileFloats floats;
    for_each_tile(size(), [&](std::size_t begin, std::size_t count) {
      part(y, begin, count) += a * floats.read(message, begin, count);
    });
  }

 protected:
  void append(CVec v, const RngKey&, Scratch&, ByteWriter& out) const override {
    if (!all_finite(v)) throw NonFiniteValue("the vector to send holds a NaN or an infinity");
    out.write_bytes({reinterpret_cast<const std::uint8_t*>(v.data()), size() * sizeof(float)});
  }
};

}  // namespace

Result<DensePtr> make_identity(Options&, std::size_t size) {
  return DensePtr(std::make_unique<Identity>(size));
}

}  // namespace gossamer
