// Random schedules of faults, and what must hold whatever they are. `gossamer hunt` has more.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/hunt/hunted_run.hpp"
#include "gossamer/hunt/random_faults.hpp"

namespace gossamer {
namespace {

using ::testing::IsEmpty;

constexpr std::uint64_t kSeeds = 30;

/// As `gossamer hunt --replay SEED --families FAMILIES` has it.
std::vector<std::string> violations_of_seed(std::uint64_t seed, std::string_view families) {
  const std::vector<Method>& methods = methods_that_lose();
  const Hunt hunt =
      random_hunt(seed, methods[seed % methods.size()], read_families(families).value());
  const HuntReport report = run_hunt(hunt).value();
  std::vector<std::string> sentences;
  for (const Violation& violation : report.violations)
    sentences.push_back(violation.rule + ": " + violation.sentence);
  return sentences;
}

/// A part of all seeds each, so that they can run side by side.
class HuntLaw : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  static void expect_that_all_hold(std::string_view families) {
    for (std::uint64_t seed = GetParam() * kSeeds; seed < (GetParam() + 1) * kSeeds; ++seed)
      EXPECT_THAT(violations_of_seed(seed, families), IsEmpty()) << "seed " << seed;
  }
};

TEST_P(HuntLaw, DelaysAndShortPausesHarmNobody) {
  expect_that_all_hold("slow,pauses");
}

TEST_P(HuntLaw, DISABLED_NoFaultHarmsThoseWhoAreLeft) {
  expect_that_all_hold("");
}

INSTANTIATE_TEST_SUITE_P(Seeds, HuntLaw, ::testing::Range<std::uint64_t>(0, 10));

}  // namespace
}  // namespace gossamer
