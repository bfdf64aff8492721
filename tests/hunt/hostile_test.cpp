// What no member sends.
#include "gossamer/hunt/hostile.hpp"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer {
namespace {

std::deque<Arrival> seen_frames() {
  ByteWriter out = Message::writer();
  for (std::uint8_t byte = 1; byte <= 20; ++byte)
    out.write(byte);
  return {
      {.kind = Arrival::Kind::kMessage, .from = 3, .round = 7, .message = Message(std::move(out))}};
}

TEST(HostileFrames, AreAFunctionOfTheSeed) {
  const std::deque<Arrival> seen = seen_frames();
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto once = hostile_frames(seed, 1, 7, seen);
    const auto again = hostile_frames(seed, 1, 7, seen);
    ASSERT_EQ(once.size(), again.size());
    for (std::size_t k = 0; k < once.size(); ++k)
      EXPECT_TRUE(std::ranges::equal(once[k].message.payload(), again[k].message.payload()));
  }
}

TEST(HostileFrames, AreOfManyKindsAndOfOneSender) {
  const std::deque<Arrival> seen = seen_frames();
  std::set<std::size_t> sizes;
  bool is_flood = false;
  bool is_far = false;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto frames = hostile_frames(seed, 1, 7, seen);
    is_flood |= frames.size() > 1000;
    for (const Arrival& frame : frames) {
      EXPECT_EQ(frame.from, 1u);
      sizes.insert(frame.message.payload().size());
      is_far |= frame.round > 1'000'000;
    }
  }
  EXPECT_TRUE(is_flood);
  EXPECT_TRUE(is_far);
  EXPECT_TRUE(sizes.contains(0));
  EXPECT_GT(*sizes.rbegin(), 1'000'000u);
  EXPECT_GT(sizes.size(), 20u);
}

}  // namespace
}  // namespace gossamer
