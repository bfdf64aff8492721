// C(x) = Q(S(x)): a selector S, then a dense operator Q on the kept values. Bytes: [indices][Q's
// message].

#include "gossamer/compress/sparse.hpp"

#include <utility>

#include <fmt/format.h>

#include "gossamer/math/kernels/reduce.hpp"

namespace gossamer {
namespace {

class Sparse final : public Compressor {
 public:
  Sparse(SelectorPtr selector, DensePtr values, Quality quality)
      : Compressor(selector->size()),
        selector_(std::move(selector)),
        values_(std::move(values)),
        quality_(quality) {}

  [[nodiscard]] std::string spec() const override {
    const std::string values = values_->spec();
    return values == "identity" ? selector_->spec()
                                : fmt::format("{}+{}", selector_->spec(), values);
  }

  [[nodiscard]] Quality quality() const override { return quality_; }

  [[nodiscard]] std::size_t encoded_size(const RngKey& key) const override {
    return selector_->index_bytes() + values_->encoded_size(key);
  }

  [[nodiscard]] std::size_t message_size(ByteView bytes) const override {
    ByteReader reader(bytes);
    (void)reader.read_bytes(selector_->index_bytes());
    return selector_->index_bytes() + values_->message_size(reader.read_bytes(reader.remaining()));
  }

  void check(ByteView message, Scratch& scratch) const override {
    selector_->check_indices(index_part(message), scratch);
    values_->check(values_part(message), scratch);
  }

  void add_checked(ByteView message, float a, Scratch& scratch, Vec y) const override {
    Scratch::Frame frame(scratch);
    const std::span<std::uint32_t> indices = frame.take<std::uint32_t>(selector_->kept());
    selector_->read_indices(index_part(message), scratch, indices);
    const std::span<float> values = frame.take<float>(selector_->kept());
    Vec decoded(values.data(), static_cast<Eigen::Index>(values.size()));
    decoded.setZero();
    values_->add_checked(values_part(message), 1.0f, scratch, decoded);
    for (std::size_t i = 0; i < indices.size(); ++i)
      y.data()[indices[i]] += a * values[i];
  }

 protected:
  void append(CVec v, const RngKey& key, Scratch& scratch, ByteWriter& out) const override {
    Scratch::Frame frame(scratch);
    const Entries kept{frame.take<std::uint32_t>(selector_->kept()),
                       frame.take<float>(selector_->kept())};
    selector_->select(v, key, scratch, kept);
    selector_->write_indices(kept.indices, key, out.extend(selector_->index_bytes()));
    Vec values(kept.values.data(), static_cast<Eigen::Index>(kept.values.size()));
    if (selector_->scale() != 1.0f) values *= selector_->scale();
    values_->encode(values, key, scratch, out);
  }

 private:
  [[nodiscard]] ByteView index_part(ByteView message) const {
    return message.first(selector_->index_bytes());
  }

  [[nodiscard]] ByteView values_part(ByteView message) const {
    return message.subspan(selector_->index_bytes());
  }

  SelectorPtr selector_;
  DensePtr values_;
  Quality quality_;
};

// With u = S(x): |x - Q(u)|^2 = |x - u|^2 + |u - Q(u)|^2, and S keeps at least k/d of the energy
// |x|^2.
Quality contractive_quality(double share, const Quality& values) {
  return {.unbiased = false, .delta = share * values.delta, .omega = 1.0 - share * values.delta};
}

// Independent unbiased steps: second moments multiply.
Quality unbiased_quality(double share, const Quality& values) {
  return {.unbiased = true, .delta = 0.0, .omega = (1.0 + values.omega) / share - 1.0};
}

}  // namespace

Result<DensePtr> make_sparse(SelectorPtr selector, DensePtr values) {
  const std::string pair = fmt::format("{}+{}", selector->spec(), values->spec());
  const bool keeps_all = selector->kept() == selector->size();
  const double share =
      keeps_all ? 1.0
                : static_cast<double>(selector->kept()) / static_cast<double>(selector->size());
  const Quality of_values = values->quality();
  Quality quality;
  if (keeps_all) {
    quality = of_values;
  } else if (selector->scale() != 1.0f) {
    if (!of_values.unbiased) {
      return Error{fmt::format(
          "{}: an unbiased choice of entries needs an unbiased operator behind it, such as "
          "'qsgd:4,unscaled' or 'minmax:8'",
          pair)};
    }
    quality = unbiased_quality(share, of_values);
  } else {
    quality = contractive_quality(share, of_values);
    if (quality.delta <= 0.0) {
      return Error{fmt::format(
          "{} is not a contraction for {} kept entries: its error exceeds what it sends. Use more "
          "levels, or the scaled form",
          pair, selector->kept())};
    }
  }
  return DensePtr(std::make_unique<Sparse>(std::move(selector), std::move(values), quality));
}

}  // namespace gossamer
