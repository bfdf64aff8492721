// C applied block by block. Bytes: the blocks' messages one after the other; each one's size is
// known, so nothing stands between them.

#include "gossamer/compress/layerwise.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "gossamer/compress/tiles.hpp"

namespace gossamer {
namespace {

struct BlockOperator {
  std::size_t offset;
  // Shared by blocks of one size: an operator has no state.
  std::shared_ptr<const Compressor> compressor;
};

class Layerwise final : public Compressor {
 public:
  Layerwise(std::size_t size, std::string spec, std::vector<BlockOperator> blocks)
      : Compressor(size), spec_(std::move(spec)), blocks_(std::move(blocks)) {}

  [[nodiscard]] std::string spec() const override { return spec_; }

  // A bound that holds on every block holds on the whole: squared errors and squared norms add up.
  [[nodiscard]] Quality quality() const override {
    Quality whole{.unbiased = true, .delta = 1.0, .omega = 0.0};
    for (const BlockOperator& block : blocks_) {
      const Quality part = block.compressor->quality();
      whole.unbiased = whole.unbiased && part.unbiased;
      whole.delta = std::min(whole.delta, part.delta);
      whole.omega = std::max(whole.omega, part.omega);
    }
    return whole;
  }

  [[nodiscard]] std::size_t encoded_size(const RngKey& key) const override {
    std::size_t total = 0;
    for (std::uint32_t i = 0; i < blocks_.size(); ++i)
      total += blocks_[i].compressor->encoded_size(key.for_block(i));
    return total;
  }

  [[nodiscard]] std::size_t message_size(ByteView bytes) const override {
    std::size_t total = 0;
    for_each_part(bytes, [&](const BlockOperator&, ByteView part) { total += part.size(); });
    return total;
  }

  void check(ByteView message, Scratch& scratch) const override {
    for_each_part(message, [&](const BlockOperator& block, ByteView part) {
      block.compressor->check(part, scratch);
    });
  }

  void add_checked(ByteView message, float a, Scratch& scratch, Vec y) const override {
    for_each_part(message, [&](const BlockOperator& block, ByteView bytes) {
      block.compressor->add_checked(bytes, a, scratch,
                                    part(y, block.offset, block.compressor->size()));
    });
  }

 protected:
  void append(CVec v, const RngKey& key, Scratch& scratch, ByteWriter& out) const override {
    for (std::uint32_t i = 0; i < blocks_.size(); ++i) {
      const Compressor& compressor = *blocks_[i].compressor;
      compressor.encode(part(v, blocks_[i].offset, compressor.size()), key.for_block(i), scratch,
                        out);
    }
  }

  void append_difference(CVec v, CVec w, const RngKey& key, Scratch& scratch,
                         ByteWriter& out) const override {
    for (std::uint32_t i = 0; i < blocks_.size(); ++i) {
      const Compressor& compressor = *blocks_[i].compressor;
      const std::size_t offset = blocks_[i].offset;
      compressor.encode_difference(part(v, offset, compressor.size()),
                                   part(w, offset, compressor.size()), key.for_block(i), scratch,
                                   out);
    }
  }

 private:
  template <typename Work>
  void for_each_part(ByteView bytes, const Work& work) const {
    ByteReader reader(bytes);
    for (const BlockOperator& block : blocks_) {
      const ByteView rest = bytes.last(reader.remaining());
      work(block, reader.read_bytes(block.compressor->message_size(rest)));
    }
  }

  std::string spec_;
  std::vector<BlockOperator> blocks_;
};

struct LayerwiseSpec {
  bool dense_1d = false;
  std::size_t dense_below = 0;
  std::string_view inner;
};

Result<LayerwiseSpec> parse(std::string_view spec) {
  const std::size_t colon = spec.find(':');
  const std::string_view head = spec.substr(0, colon);
  const std::size_t comma = head.find(',');
  Options options("layerwise",
                  comma == std::string_view::npos ? std::string_view{} : head.substr(comma + 1));
  LayerwiseSpec parsed;
  parsed.dense_1d = options.flag("dense1d");
  parsed.dense_below = options.integer("min", 0, 0xFFFFFFFFu).value_or(0);
  if (colon == std::string_view::npos || colon + 1 == spec.size()) {
    options.refuse("layerwise needs an operator for the blocks, as in layerwise:topk:0.01");
  } else {
    parsed.inner = spec.substr(colon + 1);
  }
  if (is_layerwise(parsed.inner))
    options.refuse("layerwise inside layerwise has no further blocks to work on");
  if (const Result<void> done = options.finish(); !done) return done.error();
  return parsed;
}

}  // namespace

bool is_layerwise(std::string_view spec) {
  return spec.substr(0, spec.find_first_of(",:")) == "layerwise";
}

Result<DensePtr> make_layerwise(std::string_view spec, const Layout& layout,
                                const BlockFactory& make_block) {
  const Result<LayerwiseSpec> parsed = parse(spec);
  if (!parsed) return parsed.error();
  std::map<std::pair<std::string_view, std::size_t>, std::shared_ptr<const Compressor>> made;
  std::vector<BlockOperator> blocks;
  for (const Block& block : layout.blocks()) {
    const bool dense = (parsed.value().dense_1d && block.is_one_dimensional()) ||
                       block.size < parsed.value().dense_below;
    const std::string_view inner = dense ? "identity" : parsed.value().inner;
    std::shared_ptr<const Compressor>& compressor = made[{inner, block.size}];
    if (!compressor) {
      Result<DensePtr> result = make_block(inner, Target{.size = block.size, .is_block = true});
      if (!result) return Error{fmt::format("block '{}': {}", block.name, result.error().message)};
      compressor = std::move(result).value();
    }
    blocks.push_back({block.offset, compressor});
  }
  return DensePtr(std::make_unique<Layerwise>(layout.size(), std::string(spec), std::move(blocks)));
}

}  // namespace gossamer
