#include "gossamer/math/scratch.hpp"

#include <algorithm>
#include <new>

namespace gossamer {
namespace {

constexpr std::size_t kCacheLine = 64;
constexpr std::size_t kSmallestChunk = 64 * 1024;

}  // namespace

void Scratch::FreeAligned::operator()(std::uint8_t* memory) const {
  ::operator delete[](memory, std::align_val_t{kCacheLine});
}

std::size_t Scratch::capacity_bytes() const {
  std::size_t total = 0;
  for (const Chunk& chunk : chunks_)
    total += chunk.size;
  return total;
}

void* Scratch::take_bytes(std::size_t count) {
  count = (count + kCacheLine - 1) / kCacheLine * kCacheLine;
  while (chunk_ < chunks_.size() && used_ + count > chunks_[chunk_].size) {
    ++chunk_;
    used_ = 0;
  }
  if (chunk_ == chunks_.size()) {
    const std::size_t size = std::max({count, kSmallestChunk, capacity_bytes()});
    auto* const raw =
        static_cast<std::uint8_t*>(::operator new[](size, std::align_val_t{kCacheLine}));
    chunks_.push_back({std::unique_ptr<std::uint8_t[], FreeAligned>(raw), size});
  }
  void* const taken = chunks_[chunk_].memory.get() + used_;
  used_ += count;
  return taken;
}

void Scratch::release(std::size_t chunk, std::size_t used) {
  chunk_ = chunk;
  used_ = used;
}

}  // namespace gossamer
