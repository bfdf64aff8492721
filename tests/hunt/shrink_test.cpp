// What is left of a schedule.
#include "gossamer/hunt/shrink.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/hunt/random_faults.hpp"

namespace gossamer {
namespace {

Hunt hunt_of(std::string_view text) {
  return read_hunt(text).value();
}

bool has(const Hunt& hunt, std::string_view part_of_fault) {
  return std::ranges::any_of(hunt.faults, [&](const Fault& fault) {
    return text_of(fault).find(part_of_fault) != std::string::npos;
  });
}

TEST(Shrink, KeepsWhatItTakes) {
  const Hunt hunt = hunt_of(
      "topology complete\nnodes 7\nseed 3\nmended 9\n"
      "1.234 pause 1\n1.5 resume 1\n2.171 kill 2\n3 cut 4 5\n4 heal 4 5\n5.049 restart 2\n"
      "6 slow 1 2\n7 fast 1 2\n");
  const Hunt small = shrink(
      hunt, [](const Hunt& tried) { return has(tried, "kill 2") && has(tried, "restart 2"); }, 500);
  EXPECT_EQ(text_of(small),
            "algorithm \ncompressor identity\ntopology ring\nnodes 3\nrounds 200\nseed 3\n"
            "mended 6.049\n2.000 kill 2\n5.000 restart 2\n");
}

// A pause that loses its end is another, longer one.
TEST(Shrink, LeavesOutWhatEndsAFaultOnlyWithIt) {
  const Hunt hunt =
      hunt_of("nodes 3\nmended 9\n2 pause 1\n2.5 resume 1\n3 pause 1\n3.5 resume 1\n");
  const Hunt small = shrink(
      hunt, [](const Hunt& tried) { return has(tried, "2.000 pause 1"); }, 500);
  ASSERT_EQ(small.faults.size(), 2u);
  EXPECT_EQ(text_of(small.faults[0]), "2.000 pause 1");
  EXPECT_THAT(text_of(small.faults[1]), ::testing::HasSubstr("resume 1"));
}

TEST(Shrink, TriesNoMoreThanItMay) {
  const Hunt hunt = random_hunt(1, {"any", "identity"}, read_families("").value());
  std::uint64_t tries = 0;
  const Hunt small = shrink(
      hunt,
      [&](const Hunt&) {
        ++tries;
        return false;
      },
      7);
  EXPECT_EQ(tries, 7u);
  EXPECT_EQ(text_of(small), text_of(hunt));
}

}  // namespace
}  // namespace gossamer
