#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "gossamer/base/contract.hpp"
#include "gossamer/base/result.hpp"

namespace gossamer {

static_assert(std::endian::native == std::endian::little,
              "the wire is little-endian, and numbers are copied to it as they lie in memory");

/// Bytes that somebody else owns.
using ByteView = std::span<const std::uint8_t>;

/// Numbers whose every bit pattern is a value of the same size everywhere: a bool has bytes that
/// are neither true nor false, and a long double has padding.
template <typename T>
inline constexpr bool kIsWireNumber =
    std::is_arithmetic_v<T> && !std::is_same_v<T, bool> && !std::is_same_v<T, long double>;

/// A growing buffer of bytes with room for a header before them. Growth leaves new bytes unwritten:
/// encoders fill every byte exactly once. clear() keeps the memory, so a reused writer does not
/// allocate.
class ByteWriter {
 public:
  ByteWriter() : ByteWriter(0) {}

  /// `head_room` bytes stay free in front of the first byte written; the rest starts on a 64-byte
  /// boundary when `head_room` is a multiple of 64.
  explicit ByteWriter(std::size_t head_room);

  ByteWriter(const ByteWriter&) = delete;
  ByteWriter& operator=(const ByteWriter&) = delete;
  ByteWriter(ByteWriter&& other) noexcept;
  ByteWriter& operator=(ByteWriter&& other) noexcept;
  ~ByteWriter() = default;

  /// Appends `count` bytes for the caller to fill. The span is valid until the next append.
  [[nodiscard]] std::span<std::uint8_t> extend(std::size_t count);

  /// Appends one number in little-endian order.
  template <typename T>
  void write(T number) {
    static_assert(kIsWireNumber<T>);
    std::memcpy(extend(sizeof(T)).data(), &number, sizeof(T));
  }

  void write_bytes(ByteView bytes);

  /// Its length as 32 bits, then its bytes.
  void write_text(std::string_view text);

  /// Overwrites a number written before, at byte `position`.
  template <typename T>
  void patch(std::size_t position, T number) {
    static_assert(kIsWireNumber<T>);
    expects(position <= size_ && sizeof(T) <= size_ - position,
            "ByteWriter::patch() within what was written");
    std::memcpy(body() + position, &number, sizeof(T));
  }

  /// Forgets everything written after the first `size` bytes.
  void truncate(std::size_t size);

  void clear() { size_ = 0; }

  void reserve(std::size_t size);

  [[nodiscard]] std::size_t size() const { return size_; }

  [[nodiscard]] ByteView bytes() const { return {body(), size_}; }

  [[nodiscard]] std::span<std::uint8_t> head_room() { return {memory_.get(), head_room_}; }

  [[nodiscard]] ByteView head_room() const { return {memory_.get(), head_room_}; }

 private:
  struct FreeAligned {
    void operator()(std::uint8_t* memory) const;
  };

  [[nodiscard]] std::uint8_t* body() const { return memory_.get() + head_room_; }

  std::size_t head_room_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  std::unique_ptr<std::uint8_t[], FreeAligned> memory_;
};

/// Reads bytes that a peer sent: every read is checked, and reading past the end throws
/// CorruptMessage. Borrows the bytes, which must outlive it.
class ByteReader {
 public:
  explicit ByteReader(ByteView bytes) : rest_(bytes) {}

  template <typename T>
  [[nodiscard]] T read() {
    static_assert(kIsWireNumber<T>);
    T number{};
    std::memcpy(&number, read_bytes(sizeof(T)).data(), sizeof(T));
    return number;
  }

  [[nodiscard]] ByteView read_bytes(std::size_t count);

  [[nodiscard]] std::string read_text();

  [[nodiscard]] std::size_t remaining() const { return rest_.size(); }

  /// Throws CorruptMessage unless every byte was read.
  void expect_end() const;

 private:
  ByteView rest_;
};

}  // namespace gossamer
