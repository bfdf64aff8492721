// Nodes that lose edges and neighbours in the midst of a run, on a network that can be cut.

#include "gossamer/member/edges/membership.hpp"

#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "tests/support/event_callback.hpp"
#include "tests/support/switchboard.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/compress/registry.hpp"
#include "gossamer/events/sentence.hpp"
#include "gossamer/member/node_host.hpp"
#include "gossamer/topology/registry.hpp"

namespace gossamer {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Killed;
using testing::Switchboard;

constexpr Round kRounds = 60;

/// Exact gossip on one number per node, and what became of it.
class Gossip {
 public:
  Gossip(const char* topology, NodeId nodes, unsigned seed)
      : board(nodes, seed), topology_(std::move(make_topology(topology, nodes, 0)).value()) {
    x.resize(nodes);
    for (NodeId id = 0; id < nodes; ++id)
      x[id] = static_cast<float>(id * id);
    ended.resize(nodes);
    left.resize(nodes);
  }

  /// `at_round` is called by each node before each of its rounds.
  void run(const std::function<void(NodeId, Round)>& at_round,
           Duration grace = std::chrono::hours(1)) {
    std::vector<std::unique_ptr<Network>> networks;
    for (NodeId id = 0; id < x.size(); ++id)
      networks.push_back(board.plug_in(id));
    std::vector<std::jthread> threads;
    for (NodeId id = 0; id < x.size(); ++id) {
      threads.emplace_back([&, id, network = std::move(networks[id])] {
        try {
          gossip(*network, at_round, grace);
        } catch (const RunEnded& end) {
          ended[id] = end.what();
        } catch (const Killed&) {
          ended[id] = "killed";
        }
      });
    }
  }

  [[nodiscard]] double mean() const {
    double sum = 0.0;
    for (const float value : x)
      sum += double{value};
    return sum / static_cast<double>(x.size());
  }

  Switchboard board;
  std::vector<float> x;
  std::vector<std::string> ended;         // why a node did not come to its last round
  std::vector<std::vector<NodeId>> left;  // its neighbours in the end
  std::vector<std::string> notes;

 private:
  void gossip(Network& network, const std::function<void(NodeId, Round)>& at_round,
              Duration grace) {
    const Layout layout = Layout::flat(1);
    const auto identity = std::move(make_compressor("identity", layout)).value();
    testing::EventCallback events([this](const Event& event) {
      const std::lock_guard lock(mutex_);
      notes.push_back(sentence_of(event));
    });
    NodeHost host({network, *topology_, layout, 7, std::chrono::hours(1)}, &events);
    host.go_on_without_lost(grace);
    Node& node = host.node();
    node.x()[0] = x[node.id()];
    try {
      take_rounds(node, *identity, at_round);
    } catch (const RunEnded& end) {
      host.say_farewell(end.what());
      throw;
    }
    for (const Neighbour& neighbour : node.neighbours())
      left[node.id()].push_back(neighbour.peer);
  }

  void take_rounds(Node& node, const Compressor& identity,
                   const std::function<void(NodeId, Round)>& at_round) {
    while (node.round() < kRounds) {
      at_round(node.id(), node.round());
      node.broadcast(node.compress(identity, node.x()));
      float move = 0.0f;
      for (const Received& r : node.gather())
        move += r.weight * (ByteReader(r.message.payload()).read<float>() - node.x()[0]);
      node.x()[0] += move;
      node.end_round();
      x[node.id()] = node.x()[0];
    }
  }

  std::unique_ptr<Topology> topology_;
  std::mutex mutex_;
};

// Both ends stop using an edge before the same exchange: what one adds the other takes away.
TEST(Membership, EdgesThatAreCutDoNotMoveTheMean) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    Gossip gossip("torus:3x3", 9, seed);
    const double before = gossip.mean();
    gossip.run([&](NodeId id, Round round) {
      if (id == 4 && round == 5 + seed % 7) gossip.board.cut(4, 5);
      if (id == 0 && round == 6) gossip.board.cut(3, 4);
      if (id == 8 && round == 7) gossip.board.cut(0, 1);
    });
    EXPECT_THAT(gossip.ended, ::testing::Each(IsEmpty())) << "seed " << seed;
    // Each round rounds nine numbers up to 64 with 24 bits.
    EXPECT_NEAR(gossip.mean(), before, kRounds * 64.0 / (1 << 24)) << "seed " << seed;
    EXPECT_THAT(gossip.left[4], ::testing::ElementsAre(1, 7));
    EXPECT_THAT(gossip.left[5], ::testing::Not(Contains(4)));
    EXPECT_THAT(gossip.notes, Contains(AllOf(HasSubstr("node 4 lost node 5 in round"),
                                             HasSubstr("the edge was cut"))));
  }
}

TEST(Membership, TheOthersGoOnWithoutANodeThatIsKilled) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    Gossip gossip("ring", 6, seed);
    gossip.run([&](NodeId id, Round round) {
      if (id == 2 && round == 3 + seed) gossip.board.kill(2);
    });
    for (NodeId id = 0; id < 6; ++id)
      EXPECT_EQ(gossip.ended[id], id == 2 ? "killed" : "") << "node " << id << " seed " << seed;
    EXPECT_THAT(gossip.left[1], ::testing::ElementsAre(0));
    EXPECT_THAT(gossip.left[3], ::testing::ElementsAre(4));
    EXPECT_THAT(gossip.notes, Contains(HasSubstr("node 1 lost node 2 in round")));
    EXPECT_THAT(gossip.notes, Contains(HasSubstr("node 3 lost node 2 in round")));
  }
}

TEST(Membership, AGraphThatFallsApartEndsEverybody) {
  Gossip gossip("ring", 6, 1);
  gossip.run([&](NodeId id, Round round) {
    if (id == 0 && round == 4) gossip.board.cut(0, 1);
    if (id == 0 && round == 4) gossip.board.cut(3, 4);
  });
  EXPECT_THAT(gossip.ended, ::testing::Each(HasSubstr("reaches 3 of 6 nodes")));
}

TEST(Membership, ANodeThatIsCutOffStops) {
  Gossip gossip("chain", 4, 1);
  gossip.run(
      [&](NodeId id, Round round) {
        if (id == 0 && round == 4) gossip.board.cut(0, 1);
      },
      Duration{});
  EXPECT_THAT(gossip.ended[0], HasSubstr("node 0 reaches 1 of 4 nodes"));
  for (NodeId id = 1; id < 4; ++id)
    EXPECT_EQ(gossip.ended[id], "") << "those who are left go on";
}

TEST(Membership, SeveralNodesMayDie) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    Gossip gossip("complete", 6, seed);
    gossip.run([&](NodeId id, Round round) {
      if (id == 0 && round == 3 + seed) gossip.board.kill(5);
      if (id == 3 && round == 4 + seed) gossip.board.kill(1);
    });
    for (const NodeId id : {0u, 2u, 3u, 4u}) {
      EXPECT_EQ(gossip.ended[id], "") << "node " << id << " seed " << seed;
      EXPECT_EQ(gossip.left[id].size(), 3u);
    }
  }
}

}  // namespace
}  // namespace gossamer
