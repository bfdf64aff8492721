#include "gossamer/math/vec.hpp"

#include <algorithm>
#include <new>

namespace gossamer {
namespace {

constexpr std::align_val_t kCacheLine{64};

}  // namespace

void FloatBuffer::FreeAligned::operator()(float* memory) const {
  ::operator delete[](memory, kCacheLine);
}

FloatBuffer::FloatBuffer(std::size_t size)
    : size_(size),
      memory_(static_cast<float*>(::operator new[](size * sizeof(float), kCacheLine))) {
  std::fill_n(memory_.get(), size, 0.0f);
}

}  // namespace gossamer
