#include "gossamer/math/vec.hpp"

#include <algorithm>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace gossamer {
namespace {

constexpr std::align_val_t kCacheLine{64};
constexpr std::align_val_t kHugePage{2 * 1024 * 1024};

std::align_val_t alignment_for(std::size_t bytes) {
  return bytes >= 2 * static_cast<std::size_t>(kHugePage) ? kHugePage : kCacheLine;
}

// Few pages mean few misses of the address cache: sparse operators touch a page for every few
// numbers. Advice only; where it is not taken, everything works the same.
void advise_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  if (alignment_for(bytes) == kHugePage) (void)::madvise(memory, bytes, MADV_HUGEPAGE);
#endif
}

}  // namespace

void FloatBuffer::FreeAligned::operator()(float* memory) const {
  ::operator delete[](memory, std::align_val_t{alignment});
}

FloatBuffer::FloatBuffer(std::size_t size)
    : size_(size),
      memory_(static_cast<float*>(
                  ::operator new[](size * sizeof(float), alignment_for(size * sizeof(float)))),
              FreeAligned{static_cast<std::size_t>(alignment_for(size * sizeof(float)))}) {
  advise_huge_pages(memory_.get(), size * sizeof(float));
  std::fill_n(memory_.get(), size, 0.0f);
}

}  // namespace gossamer
