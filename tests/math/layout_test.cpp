#include "gossamer/math/layout.hpp"

#include <gtest/gtest.h>

#include "gossamer/math/vec.hpp"

namespace gossamer {
namespace {

TEST(Layout, BlocksLieOneAfterTheOther) {
  Layout layout;
  layout.add("conv", {6, 1, 5, 5});
  layout.add("bias", {6});
  layout.add("scale", {});
  ASSERT_EQ(layout.blocks().size(), 3u);
  EXPECT_EQ(layout.blocks()[0].size, 150u);
  EXPECT_EQ(layout.blocks()[1].offset, 150u);
  EXPECT_EQ(layout.blocks()[2].size, 1u);
  EXPECT_EQ(layout.size(), 157u);
  EXPECT_FALSE(layout.blocks()[0].is_one_dimensional());
  EXPECT_TRUE(layout.blocks()[1].is_one_dimensional());
  EXPECT_TRUE(layout.blocks()[2].is_one_dimensional());
}

TEST(FloatBuffer, StartsOnACacheLineWithZeros) {
  for (const std::size_t size : {0u, 1u, 1000u}) {
    FloatBuffer buffer(size);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 64, 0u);
    EXPECT_TRUE((buffer.view() == 0.0f).all());
  }
}

}  // namespace
}  // namespace gossamer
