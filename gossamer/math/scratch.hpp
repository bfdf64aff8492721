#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace gossamer {

/// Memory for the middle of a computation: taken in stack order, kept from one use to the next, so
/// that a kernel that needs room does not allocate in steady state. One per node; not thread-safe.
class Scratch {
 public:
  /// What was taken while a Frame lives is given back when it ends. Frames nest.
  class Frame {
   public:
    explicit Frame(Scratch& scratch)
        : scratch_(scratch), chunk_(scratch.chunk_), used_(scratch.used_) {}

    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;

    ~Frame() { scratch_.release(chunk_, used_); }

    /// `count` unwritten elements on a cache-line boundary, valid while this frame lives.
    template <typename T>
    [[nodiscard]] std::span<T> take(std::size_t count) {
      static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
      return {static_cast<T*>(scratch_.take_bytes(count * sizeof(T))), count};
    }

   private:
    Scratch& scratch_;
    std::size_t chunk_;
    std::size_t used_;
  };

  Scratch() = default;
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  [[nodiscard]] std::size_t capacity_bytes() const;

 private:
  struct FreeAligned {
    void operator()(std::uint8_t* memory) const;
  };

  struct Chunk {
    std::unique_ptr<std::uint8_t[], FreeAligned> memory;
    std::size_t size = 0;
  };

  void* take_bytes(std::size_t count);
  void release(std::size_t chunk, std::size_t used);

  // Chunks before chunk_ are full, chunk_ is used up to used_, later ones are free.
  std::vector<Chunk> chunks_;
  std::size_t chunk_ = 0;
  std::size_t used_ = 0;
};

}  // namespace gossamer
