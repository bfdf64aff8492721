#include "gossamer/member/edges/live_edges.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer {
namespace {

using ::testing::ElementsAre;

Graph ring(NodeId nodes) {
  std::vector<NodePair> pairs;
  for (NodeId id = 0; id < nodes; ++id)
    pairs.push_back(pair_of(id, (id + 1) % nodes));
  return make_graph(nodes, std::move(pairs));
}

TEST(LiveEdges, BeginWithAll) {
  const LiveEdges edges(ring(4));
  EXPECT_TRUE(edges.has({0, 1}));
  EXPECT_EQ(edges.reachable_from(0).size(), 4u);
  EXPECT_THAT(edges.neighbours(0), ElementsAre(1, 3));
}

TEST(LiveEdges, TakeNewsInTheOrderOfGenerations) {
  LiveEdges edges(ring(4));
  EXPECT_TRUE(edges.note({0, 1}, 1));
  EXPECT_FALSE(edges.has({0, 1}));
  EXPECT_TRUE(edges.note({0, 1}, 2));
  EXPECT_TRUE(edges.has({0, 1}));
  EXPECT_FALSE(edges.note({0, 1}, 1)) << "old news that came late";
  EXPECT_TRUE(edges.has({0, 1}));
  EXPECT_FALSE(edges.note({0, 2}, 1)) << "no edge of this graph";
}

TEST(LiveEdges, CountWhomANodeReaches) {
  LiveEdges edges(ring(5));
  edges.note({0, 1}, 1);
  EXPECT_EQ(edges.reachable_from(0).size(), 5u) << "the other way round";
  edges.note({0, 4}, 1);
  EXPECT_EQ(edges.reachable_from(0).size(), 1u);
  EXPECT_EQ(edges.reachable_from(1).size(), 4u);
  edges.note({2, 3}, 1);
  EXPECT_EQ(edges.reachable_from(1).size(), 2u);
  edges.note({2, 3}, 2);
  EXPECT_EQ(edges.reachable_from(1).size(), 4u);
}

}  // namespace
}  // namespace gossamer
