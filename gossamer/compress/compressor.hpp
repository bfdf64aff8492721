#pragma once

#include <cstddef>
#include <limits>
#include <string>

#include "gossamer/base/bytes.hpp"
#include "gossamer/base/rng.hpp"
#include "gossamer/math/scratch.hpp"
#include "gossamer/math/vec.hpp"

namespace gossamer {

/// What an operator promises about its error. Tests hold every operator to it.
struct Quality {
  /// E C(x) = x.
  bool unbiased = false;
  /// E |C(x) - x|^2 <= (1 - delta) |x|^2; 0 promises nothing.
  double delta = 0.0;
  /// E |C(x) - x|^2 <= omega |x|^2; infinity promises nothing.
  double omega = std::numeric_limits<double>::infinity();
};

/// A lossy map C on R^d, for one d, together with its byte form. Stateless and const, so that nodes
/// share one: error memory belongs to algorithms. d < 2^32.
///
/// Laws, which tests/compress holds every registered operator to:
///  - encode() is a function of (v, key) alone, on every machine and instruction set.
///  - It appends exactly encoded_size(key) bytes.
///  - add() is y + a * C(v), element by element, each product and each sum rounded once, where
///    C(v) is what add() makes of y = 0 and a = 1. Sparse operators take time O(k) for it.
///  - The error obeys quality().
///  - A vector of zeros decodes to zeros.
///  - A vector with a NaN or an infinity throws NonFiniteValue before anything non-finite is
///    written; an operator that looks at some elements only judges these.
///  - encode_difference(v, w) appends what encode(v - w) does.
///  - Bytes that encode() cannot have written throw CorruptMessage and leave y untouched.
class Compressor {
 public:
  explicit Compressor(std::size_t size) : size_(size) {}

  Compressor(const Compressor&) = delete;
  Compressor& operator=(const Compressor&) = delete;
  virtual ~Compressor() = default;

  /// d
  [[nodiscard]] std::size_t size() const { return size_; }

  /// The spec string that makes this operator.
  [[nodiscard]] virtual std::string spec() const = 0;
  [[nodiscard]] virtual Quality quality() const = 0;

  /// Bytes that encode() appends. It depends on the key only where the number of entries kept is
  /// itself random.
  [[nodiscard]] virtual std::size_t encoded_size(const RngKey& key) const = 0;

  /// Appends C(v) to `out`.
  void encode(CVec v, const RngKey& key, Scratch& scratch, ByteWriter& out) const;

  /// Appends C(v - w), the same bytes as encode() of the difference.
  void encode_difference(CVec v, CVec w, const RngKey& key, Scratch& scratch,
                         ByteWriter& out) const;

  /// y += a * C(v)
  void add(ByteView message, float a, Scratch& scratch, Vec y) const;

  // For operators that contain others.

  /// How many of the bytes make up the message that they begin with. Throws CorruptMessage if that
  /// cannot be told.
  [[nodiscard]] virtual std::size_t message_size(ByteView bytes) const = 0;

  /// Throws CorruptMessage unless the message, of the size that message_size() says, is one that
  /// encode() can write.
  virtual void check(ByteView message, Scratch& scratch) const = 0;

  /// add() of a message that passed check().
  virtual void add_checked(ByteView message, float a, Scratch& scratch, Vec y) const = 0;

 protected:
  /// encode() of a vector of the right size.
  virtual void append(CVec v, const RngKey& key, Scratch& scratch, ByteWriter& out) const = 0;

  /// append() of v - w. An operator that reads its vector once can do without room for the
  /// difference.
  virtual void append_difference(CVec v, CVec w, const RngKey& key, Scratch& scratch,
                                 ByteWriter& out) const;

 private:
  [[nodiscard]] bool fits(CVec v) const { return static_cast<std::size_t>(v.size()) == size_; }

  std::size_t size_;
};

/// An operator whose messages all have one size.
class FixedSizeCompressor : public Compressor {
 public:
  FixedSizeCompressor(std::size_t size, std::size_t bytes) : Compressor(size), bytes_(bytes) {}

  [[nodiscard]] std::size_t encoded_size(const RngKey&) const final { return bytes_; }

  [[nodiscard]] std::size_t message_size(ByteView) const final { return bytes_; }

 private:
  std::size_t bytes_;
};

}  // namespace gossamer
