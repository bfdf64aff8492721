#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "gossamer/base/bytes.hpp"
#include "gossamer/base/rng.hpp"
#include "gossamer/math/kernels/select.hpp"
#include "gossamer/math/scratch.hpp"
#include "gossamer/math/vec.hpp"

namespace gossamer {

/// Which k of d entries a sparse operator sends, and how a receiver learns which.
class Selector {
 public:
  Selector(std::size_t size, std::size_t kept, std::size_t index_bytes)
      : size_(size), kept_(kept), index_bytes_(index_bytes) {}

  Selector(const Selector&) = delete;
  Selector& operator=(const Selector&) = delete;
  virtual ~Selector() = default;

  [[nodiscard]] virtual std::string spec() const = 0;

  [[nodiscard]] std::size_t size() const { return size_; }

  [[nodiscard]] std::size_t kept() const { return kept_; }

  /// Bytes that tell the indices.
  [[nodiscard]] std::size_t index_bytes() const { return index_bytes_; }

  /// What the kept values are multiplied by: d/k makes a random choice unbiased.
  [[nodiscard]] virtual float scale() const { return 1.0f; }

  /// Picks kept() entries, indices ascending.
  virtual void select(CVec v, const RngKey& key, Scratch& scratch, Entries out) const = 0;
  virtual void write_indices(std::span<const std::uint32_t> indices, const RngKey& key,
                             std::span<std::uint8_t> out) const = 0;

  /// Throws CorruptMessage unless the bytes are what write_indices() writes for ascending indices
  /// below d.
  virtual void check_indices(ByteView bytes, Scratch& scratch) const = 0;

  /// The indices of bytes that passed check_indices().
  virtual void read_indices(ByteView bytes, Scratch& scratch,
                            std::span<std::uint32_t> indices) const = 0;

 private:
  std::size_t size_;
  std::size_t kept_;
  std::size_t index_bytes_;
};

}  // namespace gossamer
