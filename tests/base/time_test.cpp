#include "gossamer/base/time.hpp"

#include <chrono>
#include <cstdint>
#include <type_traits>

#include <gtest/gtest.h>

namespace gossamer {
namespace {

using namespace std::chrono_literals;

TEST(Duration, CountsWholeNanosecondsExactly) {
  static_assert(std::is_same_v<Duration::rep, std::int64_t>);
  Duration sum{0};
  for (int i = 0; i < 1'000'000; ++i)
    sum += 1us + 1ns;
  EXPECT_EQ(sum, 1s + 1ms);
}

TEST(Duration, HoldsARunOfTwoCenturies) {
  EXPECT_GT(Duration::max(), std::chrono::years(200));
}

TEST(Time, IsADurationSinceTheRunBegan) {
  const Time begin{};
  EXPECT_EQ((begin + 3s) - begin, Duration(3s));
  EXPECT_EQ(begin.time_since_epoch(), Duration::zero());
}

TEST(Seconds, AreForPeople) {
  EXPECT_EQ(seconds(1500ms), 1.5);
  EXPECT_EQ(seconds(Duration::zero()), 0.0);
}

}  // namespace
}  // namespace gossamer
