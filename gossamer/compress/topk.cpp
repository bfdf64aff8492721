// Keeps the k entries of largest magnitude: biased, a contraction with delta >= k/d.

#include <fmt/format.h>

#include "gossamer/compress/factories.hpp"
#include "gossamer/compress/index_code.hpp"
#include "gossamer/compress/kept_count.hpp"

namespace gossamer {
namespace {

class TopK final : public Selector {
 public:
  TopK(std::size_t size, const KeptCount& count)
      : Selector(size, count.kept, IndexCode(size, count.kept).bytes()),
        code_(size, count.kept),
        spec_(fmt::format("topk:{}", count.text)) {}

  [[nodiscard]] std::string spec() const override { return spec_; }

  void select(CVec v, const RngKey&, Scratch& scratch, Entries out) const override {
    select_top_k(v, scratch, out);
  }

  void write_indices(std::span<const std::uint32_t> indices, const RngKey&,
                     std::span<std::uint8_t> out) const override {
    code_.write(indices, out);
  }

  void check_indices(ByteView bytes, Scratch& scratch) const override {
    Scratch::Frame frame(scratch);
    code_.read(bytes, frame.take<std::uint32_t>(kept()));
  }

  void read_indices(ByteView bytes, Scratch&, std::span<std::uint32_t> indices) const override {
    code_.read(bytes, indices);
  }

 private:
  IndexCode code_;
  std::string spec_;
};

}  // namespace

Result<SelectorPtr> make_topk(Options& options, Target target) {
  const KeptCount count = read_kept_count(options, target);
  if (const Result<void> done = options.finish(); !done) return done.error();
  return SelectorPtr(std::make_unique<TopK>(target.size, count));
}

}  // namespace gossamer
