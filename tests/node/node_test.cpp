#include "gossamer/node/node.hpp"

#include <algorithm>
#include <functional>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/compress/registry.hpp"
#include "gossamer/network/inproc/inproc.hpp"
#include "gossamer/topology/registry.hpp"
#include "gossamer/wire/frame.hpp"

namespace gossamer {
namespace {

using ::testing::HasSubstr;

std::unique_ptr<Topology> graph(const char* spec, NodeId nodes) {
  return std::move(make_topology(spec, nodes, 0)).value();
}

std::unique_ptr<const Compressor> operator_for(const char* spec, const Layout& layout) {
  return std::move(make_compressor(spec, layout)).value();
}

// Runs a node of `topology` in each thread, with a flat model of `size` numbers.
void run_nodes(const Topology& topology, std::size_t size,
               const std::function<void(Node&, Network&)>& main,
               Duration patience = std::chrono::minutes(1)) {
  const Layout layout = Layout::flat(size);
  run_inproc(topology.size(), [&](Network& network) {
    Node node({network, topology, layout, 7, patience});
    main(node, network);
  });
}

TEST(Node, SeesItsRowOfTheMixingMatrix) {
  const auto ring = graph("ring", 5);
  run_nodes(*ring, 3, [&](Node& node, Network&) {
    EXPECT_FLOAT_EQ(node.self_weight(), 1.0f / 3.0f);
    ASSERT_EQ(node.neighbours().size(), 2u);
    EXPECT_LT(node.neighbours()[0].peer, node.neighbours()[1].peer);
    EXPECT_FLOAT_EQ(node.neighbours()[0].weight, 1.0f / 3.0f);
    EXPECT_EQ(node.x().size(), 3);
    EXPECT_TRUE((node.x() == 0.0f).all());
  });
}

TEST(Node, GathersOneMessageOfEachNeighbourPerRoundSortedByPeer) {
  const auto complete = graph("complete", 6);
  const Layout layout = Layout::flat(1);
  const auto identity = operator_for("identity", layout);
  run_nodes(*complete, 1, [&](Node& node, Network&) {
    // Nobody waits for anybody between sending and gathering: some are rounds ahead.
    for (Round round = 0; round < 200; ++round) {
      ASSERT_EQ(node.round(), round);
      node.x()[0] = static_cast<float>(1000 * node.id() + round);
      node.broadcast(node.compress(*identity, node.x()));
      NodeId expected = 0;
      for (const Received& received : node.gather()) {
        if (expected == node.id()) ++expected;
        ASSERT_EQ(received.from, expected++);
        EXPECT_FLOAT_EQ(received.weight, 1.0f / 6.0f);
        FloatBuffer y(1);
        node.add(*identity, received.message, 1.0f, y.view());
        ASSERT_EQ(y.view()[0], static_cast<float>(1000 * received.from + round));
      }
      node.end_round();
    }
  });
}

TEST(Node, PlainGossipReachesTheMean) {
  const auto torus = graph("torus:3x3", 9);
  const Layout layout = Layout::flat(4);
  const auto identity = operator_for("identity", layout);
  run_nodes(*torus, 4, [&](Node& node, Network&) {
    node.x().setConstant(static_cast<float>(node.id()));
    for (int round = 0; round < 60; ++round) {
      FloatBuffer mixed(4);
      const Message own = node.compress(*identity, node.x());
      node.broadcast(own);
      node.add(*identity, own, node.self_weight(), mixed.view());
      for (const Received& received : node.gather())
        node.add(*identity, received.message, received.weight, mixed.view());
      node.x() = mixed.view();
      node.end_round();
    }
    // The gap is 0.6: 60 rounds shrink the disagreement, 4 at most, by 0.4^60; what is left is the
    // rounding of 60 sums of 5 numbers around 4.
    for (const float value : node.x())
      EXPECT_NEAR(value, 4.0f, 60 * 5 * 4 * 0x1.0p-24);
  });
}

TEST(Node, DrawsOtherRandomNumbersInEveryRoundAndOnEveryNode) {
  const auto pair = graph("complete", 2);
  const Layout layout = Layout::flat(100);
  const auto randk = operator_for("randk:0.1", layout);
  run_nodes(*pair, 100, [&](Node& node, Network&) {
    node.x().setOnes();
    const Message first = node.compress(*randk, node.x());
    const Message again = node.compress(*randk, node.x());
    EXPECT_TRUE(std::ranges::equal(first.payload(), again.payload()));
    node.broadcast(first);
    EXPECT_FALSE(std::ranges::equal(first.payload(), node.gather()[0].message.payload()));
    node.end_round();
    EXPECT_FALSE(std::ranges::equal(first.payload(), node.compress(*randk, node.x()).payload()));
  });
}

TEST(Node, FollowsWeightsThatChangeFromRoundToRound) {
  const auto one_peer = graph("one-peer-exponential", 4);
  run_nodes(*one_peer, 1, [&](Node& node, Network&) {
    for (Round round = 0; round < 4; ++round) {
      ASSERT_EQ(node.neighbours().size(), 1u);
      EXPECT_EQ(node.neighbours()[0].peer, one_peer->at(node.id(), round).neighbours[0].peer);
      EXPECT_FLOAT_EQ(node.self_weight(), 0.5f);
      node.end_round();
    }
  });
}

TEST(Node, NamesTheNeighbourThatEndedAndTheRound) {
  const auto chain = graph("chain", 2);
  const Layout layout = Layout::flat(1);
  const auto identity = operator_for("identity", layout);
  run_nodes(*chain, 1, [&](Node& node, Network&) {
    node.broadcast(node.compress(*identity, node.x()));
    (void)node.gather();
    node.end_round();
    if (node.id() == 0) return;  // after its message of round 0, which counts
    try {
      (void)node.gather();
      ADD_FAILURE() << "nothing was lost";
    } catch (const NeighbourLost& lost) {
      EXPECT_EQ(lost.neighbour, 0u);
      EXPECT_EQ(lost.round, 1u);
      EXPECT_THAT(lost.what(), HasSubstr("node 1 lost node 0 in round 1"));
    }
  });
}

TEST(Node, NamesTheNeighbourThatIsLateAndHowLongItWaited) {
  const auto chain = graph("chain", 2);
  run_nodes(
      *chain, 1,
      [&](Node& node, Network& network) {
        if (node.id() == 0) {
          // Alive, but silent, until the other one is gone.
          while (network.receive(Time::max()).kind != Arrival::Kind::kPeerLost)
            continue;
          return;
        }
        try {
          (void)node.gather();
          ADD_FAILURE() << "nobody was late";
        } catch (const NeighbourLost& lost) {
          EXPECT_THAT(lost.what(), HasSubstr("node 1 waited "));
          EXPECT_THAT(lost.what(), HasSubstr("s for node 0 in round 0 and gave up"));
        }
      },
      std::chrono::milliseconds(5));
}

TEST(Node, CountsWhatItSendsToEachNeighbour) {
  const auto ring = graph("ring", 4);
  const Layout layout = Layout::flat(1000);
  const auto sign = operator_for("sign", layout);
  run_nodes(*ring, 1000, [&](Node& node, Network& network) {
    node.broadcast(node.compress(*sign, node.x()));
    (void)node.gather();
    EXPECT_EQ(network.traffic().frames, 2u);
    EXPECT_EQ(network.traffic().payload_bytes, 2u * (4 + 125));
    EXPECT_EQ(network.traffic().bytes(), 2 * (129 + kFrameHeaderSize));
  });
}

}  // namespace
}  // namespace gossamer
