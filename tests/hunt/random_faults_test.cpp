// Schedules from seeds.
#include "gossamer/hunt/random_faults.hpp"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/algorithms/registry.hpp"

namespace gossamer {
namespace {

using ::testing::Contains;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::SizeIs;
using Kind = Fault::Kind;

const Method kAny{"any", "identity"};

std::set<Kind> kinds_of(const std::vector<Family>& families) {
  std::set<Kind> kinds;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    for (const Fault& fault : random_hunt(seed, kAny, families).faults)
      kinds.insert(fault.kind);
  }
  return kinds;
}

TEST(RandomHunt, IsAFunctionOfItsSeed) {
  const std::vector<Family> families = read_families("").value();
  EXPECT_EQ(random_hunt(3, kAny, families).faults, random_hunt(3, kAny, families).faults);
  EXPECT_NE(random_hunt(3, kAny, families).faults, random_hunt(4, kAny, families).faults);
}

TEST(RandomHunt, HasTheFaultsOfItsFamiliesAlone) {
  EXPECT_EQ(kinds_of({Family::kKills}),
            (std::set{Kind::kKill, Kind::kRestart, Kind::kRestartEmptyHanded, Kind::kRestartTorn}));
  EXPECT_EQ(kinds_of({Family::kCuts}), (std::set{Kind::kCut, Kind::kHeal}));
  EXPECT_EQ(kinds_of({Family::kStops}), (std::set{Kind::kStop, Kind::kRestart}));
  EXPECT_EQ(kinds_of({Family::kHalves}), (std::set{Kind::kPart, Kind::kUnite}));
  EXPECT_THAT(kinds_of(read_families("all").value()), SizeIs(15)) << "every kind";
}

// More than half are always there: of kills alone, no more than the others are dead at any time.
TEST(RandomHunt, NeverKillsHalf) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Hunt hunt = random_hunt(seed, kAny, std::array{Family::kKills});
    std::set<NodeId> dead;
    for (const Fault& fault : hunt.faults) {
      if (fault.kind == Kind::kKill) {
        dead.insert(fault.node);
      } else {
        dead.erase(fault.node);
      }
      EXPECT_GT(2 * (hunt.nodes - dead.size()), hunt.nodes) << "seed " << seed;
    }
  }
}

TEST(RandomHunt, IsMendedInTheMiddle) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Hunt hunt = random_hunt(seed, kAny, read_families("all").value());
    ASSERT_TRUE(hunt.mended_at);
    for (const Fault& fault : hunt.faults)
      EXPECT_LT(fault.at, *hunt.mended_at);
    EXPECT_TRUE(std::ranges::is_sorted(hunt.faults, {}, &Fault::at));
  }
}

// By the registry, so that a new one is hunted unasked.
TEST(RandomHunt, FindsAllMethodsThatCanLoseNeighbours) {
  std::vector<std::string> names;
  for (const Method& method : methods_that_lose())
    names.push_back(split_spec(method.algorithm).name);
  EXPECT_THAT(names, IsSupersetOf({"choco", "deepsqueeze", "powergossip", "dcd", "ecd", "dpsgd"}));
  EXPECT_THAT(names, Not(Contains("allreduce")));
  EXPECT_THAT(methods_that_lose(), Contains(Method{"ecd:replicas", "minmax:8"}));
}

}  // namespace
}  // namespace gossamer
