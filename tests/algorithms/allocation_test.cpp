// Rounds do not allocate in steady state. A program of its own, because it counts every allocation
// that it makes.

#include <algorithm>

#include "tests/algorithms/counted_new.hpp"
#include "tests/algorithms/swarm.hpp"
#include <gtest/gtest.h>

namespace gossamer {
namespace {

using namespace gossamer::testing;

class Allocation : public ::testing::TestWithParam<AlgorithmInfo> {};

long allocations_in(Swarm swarm, int rounds) {
  swarm.rounds = rounds;
  const long before = allocations_so_far();
  (void)run(swarm);
  return allocations_so_far() - before;
}

TEST_P(Allocation, DoesNotGrowWithTheNumberOfRounds) {
  Swarm swarm{.algorithm = GetParam().name, .compressor = "sign", .size = 600, .rows = 20};
  if (!make_algorithm(swarm.algorithm, SwarmParts(swarm).setup).ok()) swarm.compressor = "identity";
  constexpr int kMore = 1000;
  const long few = allocations_in(swarm, 100);
  const long many = allocations_in(swarm, 100 + kMore);
  // A neighbour that falls behind further than ever before costs a buffer, and how often that
  // happens is up to the scheduler. One per hundred rounds of each node would be a leak of speed.
  EXPECT_LE(many - few, kMore * static_cast<long>(swarm.nodes) / 100);
}

INSTANTIATE_TEST_SUITE_P(Registry, Allocation,
                         ::testing::ValuesIn(algorithms().begin(), algorithms().end()),
                         [](const auto& info_of) {
                           std::string name = info_of.param.name;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace gossamer
