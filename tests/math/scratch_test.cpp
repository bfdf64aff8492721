#include "gossamer/math/scratch.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace gossamer {
namespace {

TEST(Scratch, GivesTheSameMemoryAgainAfterAFrame) {
  Scratch scratch;
  float* first = nullptr;
  {
    Scratch::Frame frame(scratch);
    first = frame.take<float>(1000).data();
  }
  Scratch::Frame frame(scratch);
  EXPECT_EQ(frame.take<float>(1000).data(), first);
}

TEST(Scratch, NestedFramesDoNotOverlap) {
  Scratch scratch;
  Scratch::Frame outer(scratch);
  const std::span<int> kept = outer.take<int>(100000);
  std::ranges::fill(kept, 7);
  {
    Scratch::Frame inner(scratch);
    std::ranges::fill(inner.take<int>(300000), 8);
  }
  std::ranges::fill(outer.take<int>(300000), 9);
  EXPECT_TRUE(std::ranges::all_of(kept, [](int value) { return value == 7; }));
}

TEST(Scratch, IsAlignedToCacheLines) {
  Scratch scratch;
  Scratch::Frame frame(scratch);
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(frame.take<char>(3).data()) % 64, 0u);
}

TEST(Scratch, StopsGrowingOnceItHasSeenItsUse) {
  Scratch scratch;
  const auto use = [&] {
    Scratch::Frame frame(scratch);
    (void)frame.take<double>(50000);
    (void)frame.take<double>(90000);
    Scratch::Frame inner(scratch);
    (void)inner.take<double>(10);
  };
  use();
  const std::size_t capacity = scratch.capacity_bytes();
  for (int i = 0; i < 10; ++i)
    use();
  EXPECT_EQ(scratch.capacity_bytes(), capacity);
}

}  // namespace
}  // namespace gossamer
