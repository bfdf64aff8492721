// operator new that counts. In a file of its own: where g++ can see both, it takes free() in the
// replaced operator delete for a mistake.

#include "tests/algorithms/counted_new.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<long> allocations = 0;
}  // namespace

long gossamer::testing::allocations_so_far() {
  return allocations;
}

void* operator new(std::size_t size) {
  ++allocations;
  if (void* const memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}

void* operator new(std::size_t size, std::align_val_t alignment) {
  ++allocations;
  const auto boundary = static_cast<std::size_t>(alignment);
  if (void* const memory =
          std::aligned_alloc(boundary, (size + boundary - 1) / boundary * boundary))
    return memory;
  throw std::bad_alloc();
}

void operator delete(void* memory) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
