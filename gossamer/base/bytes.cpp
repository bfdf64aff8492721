#include "gossamer/base/bytes.hpp"

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

#include <fmt/format.h>

namespace gossamer {
namespace {

constexpr std::align_val_t kAlignment{64};

// Sizes up to this one can be added without wrapping round, so a check cannot be passed by
// overflow.
constexpr std::size_t kLargest = std::numeric_limits<std::size_t>::max() / 4;

}  // namespace

void ByteWriter::FreeAligned::operator()(std::uint8_t* memory) const {
  ::operator delete[](memory, kAlignment);
}

ByteWriter::ByteWriter(std::size_t head_room) : head_room_(head_room) {
  reserve(64);
}

ByteWriter::ByteWriter(ByteWriter&& other) noexcept
    : head_room_(std::exchange(other.head_room_, 0)),
      size_(std::exchange(other.size_, 0)),
      capacity_(std::exchange(other.capacity_, 0)),
      memory_(std::move(other.memory_)) {}

ByteWriter& ByteWriter::operator=(ByteWriter&& other) noexcept {
  head_room_ = std::exchange(other.head_room_, 0);
  size_ = std::exchange(other.size_, 0);
  capacity_ = std::exchange(other.capacity_, 0);
  memory_ = std::move(other.memory_);
  return *this;
}

std::span<std::uint8_t> ByteWriter::extend(std::size_t count) {
  if (count > capacity_ - size_) {
    expects(count <= kLargest - size_, "ByteWriter::extend() by what an address space can hold");
    reserve(std::max(size_ + count, capacity_ + capacity_ / 2));
  }
  std::uint8_t* const begin = body() + size_;
  size_ += count;
  return {begin, count};
}

void ByteWriter::write_bytes(ByteView bytes) {
  if (!bytes.empty()) std::memcpy(extend(bytes.size()).data(), bytes.data(), bytes.size());
}

void ByteWriter::write_text(std::string_view text) {
  write(static_cast<std::uint32_t>(text.size()));
  write_bytes({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

void ByteWriter::truncate(std::size_t size) {
  expects(size <= size_, "ByteWriter::truncate() never grows");
  size_ = size;
}

void ByteWriter::reserve(std::size_t size) {
  if (size <= capacity_ && memory_) return;
  expects(size <= kLargest && head_room_ <= kLargest - size,
          "ByteWriter::reserve() of what an address space can hold");
  auto* const raw = static_cast<std::uint8_t*>(::operator new[](head_room_ + size, kAlignment));
  std::unique_ptr<std::uint8_t[], FreeAligned> grown(raw);
  if (memory_) std::memcpy(raw, memory_.get(), head_room_ + size_);
  memory_ = std::move(grown);
  capacity_ = size;
}

ByteView ByteReader::read_bytes(std::size_t count) {
  if (count > rest_.size()) {
    throw CorruptMessage(
        fmt::format("the message ends early: {} bytes wanted, {} left", count, rest_.size()));
  }
  const ByteView bytes = rest_.first(count);
  rest_ = rest_.subspan(count);
  return bytes;
}

std::string ByteReader::read_text() {
  const ByteView bytes = read_bytes(read<std::uint32_t>());
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void ByteReader::expect_end() const {
  if (!rest_.empty()) {
    throw CorruptMessage(fmt::format("{} bytes follow the end of the message", rest_.size()));
  }
}

}  // namespace gossamer
