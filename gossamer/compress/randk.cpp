// Keeps k entries chosen uniformly without replacement. The receiver draws the same indices from
// the message's first 8 bytes. Contractive with delta = k/d; scaled by d/k it is unbiased with
// omega = d/k - 1.

#include <cstring>

#include <fmt/format.h>

#include "gossamer/compress/factories.hpp"
#include "gossamer/compress/kept_count.hpp"
#include "gossamer/math/kernels/subset.hpp"

namespace gossamer {
namespace {

class RandK final : public Selector {
 public:
  enum class Bias { kContractive, kUnbiased };

  RandK(std::size_t size, const KeptCount& count, Bias bias)
      : Selector(size, count.kept, count.kept == size ? 0 : sizeof(std::uint64_t)),
        scale_(bias == Bias::kContractive || size == 0
                   ? 1.0f
                   : static_cast<float>(size) / static_cast<float>(count.kept)),
        spec_(fmt::format("randk:{}{}", count.text, bias == Bias::kUnbiased ? ",unbiased" : "")) {}

  [[nodiscard]] std::string spec() const override { return spec_; }

  [[nodiscard]] float scale() const override { return scale_; }

  void select(CVec v, const RngKey& key, Scratch& scratch, Entries out) const override {
    draw_subset(key.stream(), size(), scratch, out.indices);
    for (std::size_t i = 0; i < out.indices.size(); ++i)
      out.values[i] = v.data()[out.indices[i]];
  }

  void write_indices(std::span<const std::uint32_t>, const RngKey& key,
                     std::span<std::uint8_t> out) const override {
    if (out.empty()) return;
    const std::uint64_t stream = key.stream();
    std::memcpy(out.data(), &stream, sizeof(stream));
  }

  // Every stream draws k indices below d.
  void check_indices(ByteView, Scratch&) const override {}

  void read_indices(ByteView bytes, Scratch& scratch,
                    std::span<std::uint32_t> indices) const override {
    std::uint64_t stream = 0;  // where all are kept, any stream draws the same
    if (!bytes.empty()) stream = ByteReader(bytes).read<std::uint64_t>();
    draw_subset(stream, size(), scratch, indices);
  }

 private:
  float scale_;
  std::string spec_;
};

}  // namespace

Result<SelectorPtr> make_randk(Options& options, Target target) {
  const bool unbiased = options.flag("unbiased");
  const KeptCount count = read_kept_count(options, target);
  if (const Result<void> done = options.finish(); !done) return done.error();
  return SelectorPtr(std::make_unique<RandK>(
      target.size, count, unbiased ? RandK::Bias::kUnbiased : RandK::Bias::kContractive));
}

}  // namespace gossamer
