#include "gossamer/network/registry.hpp"

#include <set>

#include <gtest/gtest.h>

namespace gossamer {
namespace {

TEST(Worlds, AreListedOnceWithASentence) {
  std::set<std::string_view> names;
  for (const WorldInfo& info : worlds()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_FALSE(info.summary.empty()) << info.name;
    EXPECT_EQ(find_world(info.name).value().summary, info.summary);
  }
}

TEST(Worlds, SayWhereNodesLiveAndWhoseTimeItIs) {
  EXPECT_EQ(find_world("inproc").value().home, NodeHome::kSharedProcess);
  EXPECT_EQ(find_world("tls").value().home, NodeHome::kOwnProcess);
  EXPECT_EQ(find_world("sim").value().clock, WorldClock::kVirtual);
  EXPECT_EQ(find_world("mpi").value().clock, WorldClock::kReal);
}

TEST(Worlds, ThatDoNotExistGetTheNearestSuggested) {
  EXPECT_EQ(find_world("tsl").error().message,
            "unknown network 'tsl'; did you mean 'tls'? Valid: inproc, sim, mpi, tls");
}

}  // namespace
}  // namespace gossamer
