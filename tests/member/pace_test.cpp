// Who holds a run, by what nodes say of their time. Each test plays all nodes of a graph, which
// tell each other what they have found until nothing changes.

#include "gossamer/member/pace/pace.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/base/message.hpp"

namespace gossamer::testing {
namespace {

using Cause = SlowPeer::Cause;
using ::testing::Each;

Message written(const Pace& pace) {
  ByteWriter out = Message::writer();
  pace.write(out);
  return Message(std::move(out));
}

/// The paces of all nodes, who know those of their neighbours.
std::vector<std::optional<Slowness>> found_by_all(std::vector<Pace> paces) {
  const auto nodes = static_cast<NodeId>(paces.size());
  std::vector<std::optional<Slowness>> found(nodes);
  for (NodeId hop = 0; hop <= nodes; ++hop) {
    std::vector<Pace> next = paces;
    for (NodeId self = 0; self < nodes; ++self) {
      std::map<NodeId, Pace> heard;
      for (const Pace::Wait& wait : paces[self].waits)
        heard[wait.peer] = paces[wait.peer];
      found[self] = find_slowness(self, nodes, paces[self], heard);
      next[self].cause = found[self];
    }
    paces = std::move(next);
  }
  return found;
}

/// A ring of n nodes that wait as they please.
std::vector<Pace> ring_of(NodeId n, float waiting, float share) {
  std::vector<Pace> paces(n);
  for (NodeId i = 0; i < n; ++i)
    paces[i] = {.waiting = waiting, .waits = {{(i + n - 1) % n, share}, {(i + 1) % n, share}}};
  return paces;
}

float& wait_of(std::vector<Pace>& paces, NodeId node, NodeId peer) {
  return std::ranges::find(paces[node].waits, peer, &Pace::Wait::peer)->share;
}

auto is_slow(NodeId peer, Cause cause, std::optional<NodeId> other = std::nullopt) {
  return ::testing::Truly([=](const std::optional<Slowness>& found) {
    return found && found->is({.peer = peer, .other = other, .cause = cause});
  });
}

/// Everybody waits for whoever is nearer to node 0, the one on the other side for both neighbours.
std::vector<Pace> ring_that_waits_for_node_0(NodeId n) {
  std::vector<Pace> paces = ring_of(n, 0.9f, 0.0f);
  for (NodeId i = 1; i < n; ++i) {
    if (2 * i <= n) wait_of(paces, i, i - 1) = 0.9f;
    if (2 * i >= n) wait_of(paces, i, (i + 1) % n) = 0.9f;
  }
  return paces;
}

TEST(Slowness, IsThatOfTheOneWhoComputesWhileAllWait) {
  for (const NodeId nodes : {3u, 6u, 7u}) {
    std::vector<Pace> paces = ring_that_waits_for_node_0(nodes);
    paces[0].waiting = 0.1f;
    EXPECT_THAT(found_by_all(paces), Each(is_slow(0, Cause::kComputation))) << nodes;
  }
}

TEST(Slowness, IsThatOfTheConnectionOfOneWhoWaitsForAllThatWaitForIt) {
  for (const NodeId nodes : {3u, 6u, 7u}) {
    std::vector<Pace> paces = ring_that_waits_for_node_0(nodes);
    wait_of(paces, 0, 1) = 0.9f;
    wait_of(paces, 0, nodes - 1) = 0.8f;
    EXPECT_THAT(found_by_all(paces), Each(is_slow(0, Cause::kLink))) << nodes;
  }
}

TEST(Slowness, IsThatOfOneLinkIfItsEndsWaitForNobodyElse) {
  std::vector<Pace> paces = ring_of(6, 0.9f, 0.0f);
  wait_of(paces, 0, 1) = wait_of(paces, 1, 0) = 0.9f;
  wait_of(paces, 2, 1) = wait_of(paces, 3, 2) = 0.9f;
  wait_of(paces, 5, 0) = wait_of(paces, 4, 5) = 0.9f;
  EXPECT_THAT(found_by_all(paces), Each(is_slow(0, Cause::kLink, 1)));
}

// At the end of a chain there is no other link of its to compare with, but its neighbour has one.
TEST(Slowness, OfAnOnlyLinkIsThatOfTheEndThatHasNoOther) {
  const std::vector<Pace> paces = {{.waiting = 0.9f, .waits = {{1, 0.9f}}},
                                   {.waiting = 0.9f, .waits = {{0, 0.9f}, {2, 0.1f}}},
                                   {.waiting = 0.9f, .waits = {{1, 0.9f}}}};
  EXPECT_THAT(found_by_all(paces), Each(is_slow(0, Cause::kLink)));
}

// The controls.
TEST(Slowness, IsNobodysWhereAllAreEqual) {
  EXPECT_THAT(found_by_all(ring_of(6, 0.1f, 0.05f)), Each(std::nullopt)) << "they compute";
  EXPECT_THAT(found_by_all(ring_of(6, 0.9f, 0.9f)), Each(std::nullopt)) << "all links are slow";
  EXPECT_THAT(found_by_all({{.waiting = 0.9f, .waits = {{1, 0.9f}}},
                            {.waiting = 0.9f, .waits = {{0, 0.9f}, {2, 0.9f}}},
                            {.waiting = 0.9f, .waits = {{1, 0.9f}}}}),
              Each(std::nullopt))
      << "a star, whose links are alike";
  EXPECT_THAT(found_by_all({{.waiting = 0.9f, .waits = {{1, 0.9f}}},
                            {.waiting = 0.9f, .waits = {{0, 0.9f}}}}),
              Each(std::nullopt))
      << "there is one link alone";
}

TEST(Slowness, IsNobodysWhoIsWaitedForLessThanHalfOfTheTime) {
  std::vector<Pace> paces = ring_that_waits_for_node_0(7);
  paces[0].waiting = 0.1f;
  for (Pace& pace : paces) {
    for (Pace::Wait& wait : pace.waits)
      wait.share /= 2;
  }
  EXPECT_THAT(found_by_all(paces), Each(std::nullopt));
}

// Three who wait in a circle, and believe each other what nobody of them has seen.
TEST(Slowness, ThatGoesRoundInACircleEnds) {
  std::vector<Pace> paces = {{.waiting = 0.9f, .waits = {{1, 0.9f}, {2, 0.0f}}},
                             {.waiting = 0.9f, .waits = {{0, 0.0f}, {2, 0.9f}}},
                             {.waiting = 0.9f, .waits = {{0, 0.9f}, {1, 0.0f}}}};
  paces[0].cause = Slowness{.peer = 2, .cause = Cause::kComputation};
  EXPECT_THAT(found_by_all(paces), Each(std::nullopt));
}

TEST(Slowness, IsNotGuessedOfOneWhoSaidNothing) {
  const Pace own{.waiting = 0.9f, .waits = {{1, 0.9f}, {2, 0.0f}}};
  EXPECT_EQ(find_slowness(0, 3, own, {}), std::nullopt);
}

TEST(Pace, IsReadAsItWasWritten) {
  Pace pace{.waiting = 0.75f, .waits = {{1, 0.5f}, {2, 0.25f}}};
  for (const auto& cause :
       {std::optional<Slowness>(), std::optional<Slowness>({.peer = 2, .share = 0.5f, .hops = 1}),
        std::optional<Slowness>({.peer = 1, .other = 2, .cause = Cause::kComputation})}) {
    pace.cause = cause;
    const Message message = written(pace);
    ByteReader in(message.payload());
    EXPECT_EQ(Pace::read(in, 3), pace);
  }
}

TEST(Pace, ThatCannotBeIsRefused) {
  const auto is_refused = [](const Pace& pace) {
    const Message message = written(pace);
    ByteReader in(message.payload());
    EXPECT_THROW((void)Pace::read(in, 3), CorruptMessage);
  };
  const float nan = std::numeric_limits<float>::quiet_NaN();
  is_refused({.waiting = nan});
  is_refused({.waiting = 1.5f});
  is_refused({.waits = {{3, 0.5f}}});
  is_refused({.waits = {{1, -0.5f}}});
  is_refused({.waits = {{0, 0.5f}, {1, 0.5f}, {2, 0.5f}, {2, 0.5f}}});
  is_refused({.cause = Slowness{.peer = 3}});
  is_refused({.cause = Slowness{.peer = 1, .cause = static_cast<Cause>(2)}});
  is_refused({.cause = Slowness{.peer = 1, .share = nan}});
  const Message whole = written({.waiting = 0.5f, .waits = {{1, 0.5f}}, .cause = Slowness{}});
  for (std::size_t length = 0; length < whole.payload().size(); ++length) {
    ByteReader in(whole.payload().first(length));
    EXPECT_THROW((void)Pace::read(in, 3), CorruptMessage) << length;
  }
}

}  // namespace
}  // namespace gossamer::testing
