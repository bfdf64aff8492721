#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace gossamer {

/// One named tensor inside a flat model.
struct Block {
  std::string name;
  std::vector<std::size_t> shape;
  std::size_t offset = 0;
  std::size_t size = 0;

  /// A bias or a norm layer's scale: cheap to send whole, and often left uncompressed.
  [[nodiscard]] bool is_one_dimensional() const { return shape.size() <= 1; }
};

/// Where each tensor of a model lies in its flat vector: blocks one after the other, without gaps.
class Layout {
 public:
  Layout() = default;

  /// A vector of `size` numbers without inner structure.
  [[nodiscard]] static Layout flat(std::size_t size);

  /// Appends a block behind the last one.
  void add(std::string name, std::vector<std::size_t> shape);

  [[nodiscard]] std::span<const Block> blocks() const { return blocks_; }

  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::vector<Block> blocks_;
  std::size_t size_ = 0;
};

}  // namespace gossamer
