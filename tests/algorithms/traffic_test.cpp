// Honest bytes: what a node says it has sent is what docs/algorithms/ promises, and what arrives.

#include <algorithm>
#include <ostream>

#include "tests/algorithms/swarm.hpp"
#include <gtest/gtest.h>

#include "gossamer/network/sim/sim.hpp"
#include "gossamer/wire/frame.hpp"

namespace gossamer {

void PrintTo(const Traffic& traffic, std::ostream* out) {
  *out << traffic.frames << " frames with " << traffic.payload_bytes << " bytes in them and "
       << traffic.header_bytes << " of headers";
}

namespace {

using namespace gossamer::testing;

void run_simulated(NodeId nodes, const std::function<void(Network&)>& node_main) {
  const Result<void> result = run_sim(nodes, SimSetup{}, node_main);
  ASSERT_TRUE(result.ok()) << result.error().message;
}

/// A network that counts what it hands to its node.
class CountingNetwork final : public Network {
 public:
  explicit CountingNetwork(Network& inner) : inner_(inner) {}

  [[nodiscard]] NodeId self() const override { return inner_.self(); }

  [[nodiscard]] NodeId size() const override { return inner_.size(); }

  [[nodiscard]] Arrival receive(Time deadline) override {
    Arrival arrival = inner_.receive(deadline);
    if (arrival.kind == Arrival::Kind::kMessage) {
      ++received_.frames;
      received_.payload_bytes += arrival.message.payload().size();
      received_.header_bytes += kFrameHeaderSize;
    }
    return arrival;
  }

  [[nodiscard]] Time now() const override { return inner_.now(); }

  void spend(Duration compute) override { inner_.spend(compute); }

  [[nodiscard]] const Traffic& received() const { return received_; }

 private:
  void deliver(NodeId to, FrameKind, Round round, const Message& message) override {
    inner_.send(to, round, message);
  }

  Network& inner_;
  Traffic received_;
};

void add(Traffic& sum, std::uint64_t frames, std::uint64_t payload_bytes) {
  sum.frames += frames;
  sum.payload_bytes += payload_bytes;
  sum.header_bytes += frames * 56;
}

Traffic sum_of(const std::vector<Traffic>& parts) {
  Traffic sum;
  for (const Traffic& part : parts)
    add(sum, part.frames, part.payload_bytes);
  return sum;
}

/// By node, a coordinator last.
struct Counts {
  std::vector<Traffic> sent;
  std::vector<Traffic> received;
};

Counts count(Swarm swarm, const RunWorld& world) {
  Counts counts;
  swarm.world = [&](NodeId nodes, const std::function<void(Network&)>& node_main) {
    counts.sent.resize(nodes);
    counts.received.resize(nodes);
    world(nodes, [&](Network& inner) {
      CountingNetwork network(inner);
      node_main(network);
      counts.sent[network.self()] = network.traffic();
      counts.received[network.self()] = network.received();
      EXPECT_EQ(network.traffic(), inner.traffic());
    });
  };
  run(swarm, [](int, Node& node, Algorithm&) {
    EXPECT_EQ(node.sent().header_bytes, node.sent().frames * 56);
  });
  return counts;
}

/// What docs/algorithms/ says that a node sends.
class Promise {
 public:
  explicit Promise(const Swarm& swarm)
      : swarm_(swarm),
        parts_(swarm),
        name_(swarm.algorithm.substr(0, swarm.algorithm.find(':'))),
        reach_(find_algorithm(name_).value().reach),
        model_bytes_(4 * swarm.size) {}

  [[nodiscard]] Traffic of(NodeId id) const {
    Traffic sent;
    if (id == swarm_.nodes) {  // a coordinator: the model to all who came
      add(sent, meetings() * swarm_.nodes, meetings() * swarm_.nodes * model_bytes_);
    } else if (name_ == "powergossip") {
      add_powergossip(id, sent);
    } else if (reach_ == Reach::kRing) {
      // Around the ring, and around it again: all shares but one each time.
      const std::uint64_t steps = 2 * (swarm_.nodes - 1);
      add(sent, meetings() * steps, meetings() * steps * share_bytes());
    } else {
      const std::uint64_t copies = receivers(id);
      if ((name_ == "dcd" || name_ == "ecd") && swarm_.start)
        add(sent, copies, copies * model_bytes_);
      for (Round round = 0; round < rounds(); ++round) {
        if (meets(round)) add(sent, copies, copies * compressed_bytes(id, round));
      }
    }
    return sent;
  }

 private:
  [[nodiscard]] Round rounds() const { return static_cast<Round>(swarm_.rounds); }

  [[nodiscard]] bool meets(Round round) const {
    return (round + 1) % swarm_.local_steps == 0 || round + 1 == rounds();
  }

  [[nodiscard]] std::uint64_t meetings() const {
    std::uint64_t count = 0;
    for (Round round = 0; round < rounds(); ++round)
      count += meets(round) ? 1 : 0;
    return count;
  }

  [[nodiscard]] std::uint64_t degree(NodeId id) const {
    return parts_.topology->at(id, 0).neighbours.size();
  }

  /// How many get the same compressed vector.
  [[nodiscard]] std::uint64_t receivers(NodeId id) const {
    if (reach_ == Reach::kCoordinator) return 1;
    if (reach_ == Reach::kEveryone) return swarm_.nodes - 1;
    return degree(id);
  }

  [[nodiscard]] std::uint64_t compressed_bytes(NodeId id, Round round) const {
    return parts_.compressor->encoded_size(
        {.seed = node_seed(swarm_), .purpose = Purpose::kCompress, .node = id, .round = round});
  }

  /// Of one share of a ring, where all have the same size.
  [[nodiscard]] std::uint64_t share_bytes() const {
    const Layout share = Layout::flat(swarm_.size / swarm_.nodes);
    return make_compressor(swarm_.compressor, share).value()->encoded_size({});
  }

  // Half-steps 1, 2, ... of `powergossip:rank=2,steps=3` on one m x n matrix, by turns with factors
  // of m and of n rows; a model of one dimension travels whole.
  void add_powergossip(NodeId id, Traffic& sent) const {
    if (swarm_.rows == 0) {
      add(sent, meetings() * degree(id), meetings() * degree(id) * model_bytes_);
      return;
    }
    const std::uint64_t m = swarm_.rows;
    const std::uint64_t n = swarm_.size / swarm_.rows;
    for (std::uint64_t t = 1; t <= 3 * meetings(); ++t)
      add(sent, degree(id), degree(id) * 4 * 2 * (t % 2 == 1 ? m : n));
  }

  const Swarm& swarm_;
  SwarmParts parts_;
  std::string name_;
  Reach reach_;
  std::uint64_t model_bytes_;
};

class TrafficLaw : public ::testing::TestWithParam<AlgorithmInfo> {
 protected:
  /// Settings of the algorithm that differ in what is sent. 48 numbers: ring shares of one size.
  static std::vector<Swarm> settings() {
    std::vector<Swarm> all;
    for (const char* compressor :
         {"identity", "topk:0.1", "sign", "minmax:8", "qsgd:4,unscaled", "randk:0.2", "drop:0.3"}) {
      for (const Round local_steps : {1, 4}) {
        for (const char* topology : {"ring", "star"}) {
          // With H > 1 the times of `qsparse-async` are its own, and nobody else's to predict.
          const bool own_times = GetParam().name == "qsparse-async" && local_steps > 1;
          const Swarm swarm{.algorithm = GetParam().name + (own_times ? ":common" : ""),
                            .compressor = compressor,
                            .topology = topology,
                            .size = 48,
                            .lr = 0.1f,
                            .rounds = 10,
                            .local_steps = local_steps};
          if (accepts(swarm)) all.push_back(swarm);
        }
      }
    }
    return all;
  }

  static void expect_honest(const Swarm& swarm, const RunWorld& world) {
    SCOPED_TRACE(swarm.algorithm + " with " + swarm.compressor + " on " + swarm.topology);
    const Promise promise(swarm);
    const Counts counts = count(swarm, world);
    for (NodeId id = 0; id < counts.sent.size(); ++id)
      EXPECT_EQ(counts.sent[id], promise.of(id)) << "node " << id;
    EXPECT_EQ(sum_of(counts.received), sum_of(counts.sent));
  }
};

TEST_P(TrafficLaw, EveryNodeSendsWhatIsDocumentedAndAllOfItArrives) {
  const std::vector<Swarm> all = settings();
  ASSERT_FALSE(all.empty());
  for (const Swarm& swarm : all)
    expect_honest(swarm, run_inproc);
}

// A simulated network moves frames by other code: two operators, one of them of random size, are
// enough to see it.
TEST_P(TrafficLaw, EveryNodeSendsTheSameInSimulation) {
  for (const Swarm& swarm : settings()) {
    if (swarm.compressor == "identity" || swarm.compressor == "drop:0.3")
      expect_honest(swarm, run_simulated);
  }
}

TEST_P(TrafficLaw, ModelsThatStartApartCostWhatIsDocumented) {
  if (GetParam().consensus == Consensus::kNever) return;
  for (Swarm swarm : settings()) {
    swarm.start = [](NodeId id) { return normal_vector(48, id); };
    expect_honest(swarm, run_inproc);
    if (swarm.compressor == "identity" && swarm.local_steps == 1)
      expect_honest(swarm, run_simulated);
  }
}

TEST_P(TrafficLaw, GivesTheSameBitsInEveryWorld) {
  for (const char* compressor : {"identity", "qsgd:4,unscaled", "randk:0.2", "drop:0.3"}) {
    for (const Round local_steps : {1, 3}) {
      Swarm swarm{.algorithm = GetParam().name,
                  .compressor = compressor,
                  .topology = local_steps == 1 ? "ring" : "torus:2x4",
                  .gamma = 0.05f,
                  .lr = 0.01f,
                  .rounds = 10,
                  .local_steps = local_steps};
      if (!accepts(swarm)) swarm.gamma = 1.0f;
      if (!accepts(swarm)) continue;
      const Models live = run(swarm);
      swarm.world = run_simulated;
      EXPECT_EQ(run(swarm), live) << compressor << " on " << swarm.topology;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, TrafficLaw,
                         ::testing::ValuesIn(algorithms().begin(), algorithms().end()),
                         [](const auto& info_of) {
                           std::string name = info_of.param.name;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(Traffic, OfPowerGossipIsThatOfItsFactors) {
  for (const RunWorld& world : {RunWorld(run_inproc), RunWorld(run_simulated)}) {
    const Swarm swarm{.algorithm = "powergossip:rank=2,steps=3",
                      .topology = "star",
                      .size = 60,
                      .lr = 0.1f,
                      .rounds = 9,
                      .local_steps = 2,
                      .rows = 6};
    const Counts counts = count(swarm, world);
    for (NodeId id = 0; id < swarm.nodes; ++id)
      EXPECT_EQ(counts.sent[id], Promise(swarm).of(id)) << "node " << id;
    EXPECT_EQ(sum_of(counts.received), sum_of(counts.sent));
  }
}

// Shares of 50 numbers for 8 nodes differ by one, and so do nodes' bytes. In each step every share
// crosses one link.
TEST(Traffic, OfARingAllReduceIsExactWhereSharesAreNot) {
  for (const char* name : {"allreduce", "local-sgd"}) {
    const Counts counts = count({.algorithm = name, .size = 50, .rounds = 3}, run_inproc);
    Traffic all;
    add(all, 3 * 8 * 14, 3 * 14 * 4 * 50);
    EXPECT_EQ(sum_of(counts.sent), all);
    EXPECT_EQ(sum_of(counts.received), all);
    for (const Traffic& sent : counts.sent)
      EXPECT_NEAR(static_cast<double>(sent.payload_bytes), 3 * 14 * 4 * 50 / 8.0, 3 * 2 * 4);
  }
}

TEST(Traffic, OfAnAsynchronousCoordinatorIsOneModelPerMeeting) {
  for (const RunWorld& world : {RunWorld(run_inproc), RunWorld(run_simulated)}) {
    const Swarm swarm{.algorithm = "qsparse-async",
                      .compressor = "topk:0.1",
                      .lr = 0.1f,
                      .rounds = 20,
                      .local_steps = 4};
    const Counts counts = count(swarm, world);
    const Traffic up = counts.received.back();
    Traffic down;
    add(down, up.frames, up.frames * 4 * swarm.size);
    EXPECT_EQ(counts.sent.back(), down);
    EXPECT_EQ(up.payload_bytes, up.frames * SwarmParts(swarm).compressor->encoded_size({}));
    // At least every fourth of 20 rounds, and not all of them.
    EXPECT_GE(up.frames, 8U * 5U);
    EXPECT_LT(up.frames, 8U * 20U);
    EXPECT_EQ(sum_of(counts.received), sum_of(counts.sent));
  }
}

}  // namespace
}  // namespace gossamer
