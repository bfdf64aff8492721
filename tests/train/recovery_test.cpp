// Runs of processes that lose nodes and take them in again, audit each other, and agree before they
// begin. Threads stand for processes, on a network that can be cut; tests/peers has the processes.

#include <atomic>
#include <map>
#include <mutex>
#include <thread>

#include "tests/support/event_callback.hpp"
#include "tests/support/switchboard.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/train/runs.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/events/sentence.hpp"
#include "gossamer/member/presence.hpp"
#include "gossamer/train/process_run.hpp"

namespace gossamer::testing {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;

constexpr NodeId kCluster = 5;
constexpr Round kRecoveryRounds = 300;

Settings settings_of(const std::string& algorithm, const std::string& compressor) {
  return {{"task", "quadratic"},
          {"dim", "60"},
          {"nodes", std::to_string(kCluster)},
          {"algorithm", algorithm},
          {"compressor", compressor},
          {"lr", "0.001"},
          {"rounds", std::to_string(kRecoveryRounds)},
          {"report", std::to_string(kRecoveryRounds)},
          {"loss-limit", "1e30"},
          {"on-peer-loss", "drop"},
          {"audit-every", "10"}};
}

/// Processes as threads, each of which can be started more than once.
class Cluster {
 public:
  explicit Cluster(const Settings& settings, unsigned seed = 0)
      : experiment(experiment_of(settings)),
        board(kCluster, seed),
        records(kCluster),
        stops_(kCluster) {}

  struct Record {
    std::optional<RunOutcome> outcome;
    bool was_killed = false;
    std::vector<std::string> lines;
  };

  /// Called after each round of each node; must not wait for any of them.
  std::function<void(NodeId, Round)> after_round;
  /// What a node says.
  std::function<void(NodeId, const std::string&)> heard;
  /// May give a process other settings, or something else around its network.
  std::map<NodeId, const Experiment*> other_experiments;
  std::function<void(NodeId, RunOptions&)> change;
  std::function<std::unique_ptr<Network>(std::unique_ptr<Network>)> wrap;

  void start(NodeId id) { start(id, board.plug_in(id)); }

  /// All nodes end before the same round, some way ahead of the fastest.
  void end_soon() {
    const Round line = fastest_ + 50;
    for (StopLine& stop : stops_)
      stop.hear(line);
  }

  /// All of them, and those that they start meanwhile.
  void run() {
    // All are there before the first begins: what is sent to nobody is lost here.
    std::vector<std::unique_ptr<Network>> networks;
    for (NodeId id = 0; id < kCluster; ++id)
      networks.push_back(board.plug_in(id));
    for (NodeId id = 0; id < kCluster; ++id)
      start(id, std::move(networks[id]));
    for (;;) {
      std::jthread thread;
      {
        const std::lock_guard lock(mutex_);
        if (threads_.empty()) return;
        thread = std::move(threads_.back());
        threads_.pop_back();
      }
      thread.join();
    }
  }

  std::unique_ptr<Experiment> experiment;
  Switchboard board;
  std::vector<Record> records;

 private:
  void start(NodeId id, std::unique_ptr<Network> network) {
    if (wrap) network = wrap(std::move(network));
    const std::lock_guard lock(mutex_);
    threads_.emplace_back([this, id, own = std::move(network)] { run(id, *own); });
  }

  void run(NodeId id, Network& network) {
    RunOptions options;
    options.stop = &stops_[id];
    EventCallback events([this, id](const Event& event) {
      if (event.kind() == EventKind::kRoundDone) {
        for (Round seen = fastest_; seen < event.round;)
          fastest_.compare_exchange_weak(seen, event.round);
        if (after_round) after_round(id, event.round);
        return;
      }
      const std::string line = sentence_of(event);
      {
        const std::lock_guard lock(mutex_);
        records[id].lines.push_back(line);
      }
      if (heard) heard(id, line);
    });
    options.events = &events;
    if (change) change(id, options);
    const auto other = other_experiments.find(id);
    const Experiment& own = other == other_experiments.end() ? *experiment : *other->second;
    try {
      RunOutcome outcome = run_process(own, network, options, Seen::kSelf);
      const std::lock_guard lock(mutex_);
      records[id].outcome = std::move(outcome);
    } catch (const Killed&) {
      const std::lock_guard lock(mutex_);
      records[id].was_killed = true;
    }
  }

  std::vector<StopLine> stops_;
  std::atomic<Round> fastest_ = 0;
  std::mutex mutex_;
  std::vector<std::jthread> threads_;
};

struct RejoinMethod {
  std::string algorithm;
  std::string compressor;
  std::string gamma = {};
};

class Rejoin : public ::testing::TestWithParam<RejoinMethod> {
 protected:
  // As many rounds as it takes for all edges to be back: Cluster::end_soon() ends it.
  static Settings settings() {
    Settings all = settings_of(GetParam().algorithm, GetParam().compressor);
    all.emplace_back("rounds", "100000000");
    all.emplace_back("report", "100000000");
    if (!GetParam().gamma.empty()) all.emplace_back("gamma", GetParam().gamma);
    return all;
  }

  /// Kills node 2 after `kill_after` of its rounds, and starts it again as soon as both its
  /// neighbours go on without it.
  static void kill_and_restart(Cluster& cluster, Round kill_after) {
    cluster.after_round = [&cluster, kill_after, killed = std::make_shared<std::once_flag>()](
                              NodeId id, Round completed) {
      if (id == 2 && completed == kill_after)
        std::call_once(*killed, [&] { cluster.board.kill(2); });
    };
    cluster.heard = [&cluster, gone = std::make_shared<std::atomic<int>>(0),
                     back = std::make_shared<std::atomic<int>>(0)](NodeId,
                                                                   const std::string& line) {
      if (line.find("lost node 2") != std::string::npos && ++*gone == 2) cluster.start(2);
      // Both edges, at both ends.
      if (line.find(" is back: ") != std::string::npos && ++*back == 4) cluster.end_soon();
    };
    cluster.run();
  }

  static void expect_all_finished(const Cluster& cluster) {
    for (NodeId id = 0; id < kCluster; ++id) {
      const auto& record = cluster.records[id];
      ASSERT_TRUE(record.outcome) << "node " << id;
      EXPECT_FALSE(record.outcome->failure)
          << "node " << id << ": " << record.outcome->failure->sentence;
      ASSERT_TRUE(record.outcome->last) << "node " << id;
      EXPECT_EQ(record.outcome->last->round, record.outcome->stopped_after);
      EXPECT_EQ(record.outcome->last->edges.repaired, 0u) << "node " << id;
    }
    for (const NodeId neighbour : {1u, 3u}) {
      EXPECT_THAT(cluster.records[neighbour].lines, Contains(HasSubstr("lost node 2 in round")));
      EXPECT_THAT(cluster.records[neighbour].lines, Contains(HasSubstr("node 2 is back")));
      EXPECT_EQ(cluster.records[neighbour].outcome->last->edges.lost, 1u);
      EXPECT_EQ(cluster.records[neighbour].outcome->last->edges.back, 1u);
    }
  }
};

TEST_P(Rejoin, ANodeThatWasKilledComesBackEmptyHanded) {
  for (const Round kill_after : {1, 7, 10, 31}) {
    Cluster cluster(settings(), static_cast<unsigned>(kill_after));
    kill_and_restart(cluster, kill_after);
    expect_all_finished(cluster);
    EXPECT_THAT(cluster.records[2].lines, Contains(HasSubstr("with a neighbour's model")));
  }
}

TEST_P(Rejoin, ANodeThatWasKilledComesBackWithItsCheckpoint) {
  const TemporaryFolder folder;
  Settings all = settings();
  all.emplace_back("checkpoint-every", "5");
  Cluster cluster(all);
  std::vector<std::unique_ptr<CheckpointStore>> stores;
  for (NodeId id = 0; id < kCluster; ++id) {
    stores.push_back(std::make_unique<CheckpointStore>(
        folder.path() + "/" + std::to_string(id), identity_of(cluster.experiment->config), kCluster,
        CheckpointStore::Writers::kOneNode));
  }
  std::atomic<int> starts = 0;
  cluster.change = [&](NodeId id, RunOptions& options) {
    options.checkpoints = stores[id].get();
    options.resumes = id == 2 && ++starts == 2;
  };
  kill_and_restart(cluster, 23);
  expect_all_finished(cluster);
  EXPECT_THAT(cluster.records[2].lines, Contains(HasSubstr("with its own checkpoint of round 20")));
}

// Both ends run on, each without the other, and find each other again.
TEST_P(Rejoin, AnEdgeThatWasCutComesBack) {
  Cluster cluster(settings(), 3);
  std::once_flag cut;
  cluster.after_round = [&](NodeId id, Round completed) {
    if (id == 3 && completed == 12) std::call_once(cut, [&] { cluster.board.cut(3, 4); });
  };
  std::atomic<int> gone = 0;
  std::atomic<int> back = 0;
  cluster.heard = [&](NodeId, const std::string& line) {
    if (line.find(" lost node ") != std::string::npos && ++gone == 2) cluster.board.heal(3, 4);
    if (line.find(" is back: ") != std::string::npos && ++back == 2) cluster.end_soon();
  };
  cluster.run();
  for (NodeId id = 0; id < kCluster; ++id) {
    ASSERT_TRUE(cluster.records[id].outcome);
    ASSERT_FALSE(cluster.records[id].outcome->failure)
        << cluster.records[id].outcome->failure->sentence;
    EXPECT_EQ(cluster.records[id].outcome->last->edges.repaired, 0u);
  }
  EXPECT_THAT(cluster.records[3].lines, Contains(HasSubstr("node 4 is back")));
  EXPECT_THAT(cluster.records[4].lines, Contains(HasSubstr("node 3 is back")));
}

INSTANTIATE_TEST_SUITE_P(
    Algorithms, Rejoin,
    ::testing::Values(RejoinMethod{"choco", "sign", "0.3"},
                      RejoinMethod{"choco", "topk:0.2", "0.2"}, RejoinMethod{"dcd", "minmax:8"},
                      RejoinMethod{"ecd:replicas", "minmax:8"},
                      RejoinMethod{"deepsqueeze", "sign", "0.1"}, RejoinMethod{"dpsgd", "identity"},
                      RejoinMethod{"powergossip:2,steps=3", "identity"},
                      RejoinMethod{"naive", "minmax:8"}),
    [](const auto& method) {
      std::string name = method.param.algorithm + "_" + method.param.compressor;
      std::ranges::replace_if(
          name, [](char c) { return std::isalnum(c) == 0; }, '_');
      return name;
    });

/// Changes one bit of one message, behind all checks.
class Flipping final : public Network {
 public:
  Flipping(std::unique_ptr<Network> inner, Round round) : inner_(std::move(inner)), round_(round) {}

  [[nodiscard]] NodeId self() const override { return inner_->self(); }

  [[nodiscard]] NodeId size() const override { return inner_->size(); }

  [[nodiscard]] Arrival receive(Time deadline) override {
    Arrival arrival = inner_->receive(deadline);
    if (self() != 1 || arrival.kind != Arrival::Kind::kMessage || arrival.from != 2 ||
        arrival.round != round_)
      return arrival;
    ByteWriter copy = Message::writer();
    copy.write_bytes(arrival.message.payload());
    copy.patch(copy.size() - 1, static_cast<std::uint8_t>(arrival.message.payload().back() ^ 1));
    arrival.message = Message(std::move(copy));
    return arrival;
  }

  [[nodiscard]] Time now() const override { return inner_->now(); }

  void spend(Duration) override {}

 private:
  void deliver(NodeId to, FrameKind kind, Round round, const Message& message) override {
    if (kind == FrameKind::kAside) {
      inner_->send_aside(to, round, message);
    } else {
      inner_->send(to, round, message);
    }
  }

  std::unique_ptr<Network> inner_;
  Round round_;
};

TEST(Audit, FindsACopyThatHasGoneWrongAndPutsItRight) {
  for (const RejoinMethod& method :
       {RejoinMethod{"choco", "sign", "0.3"}, RejoinMethod{"dcd", "minmax:8"},
        RejoinMethod{"ecd:replicas", "minmax:8"}}) {
    Settings all = settings_of(method.algorithm, method.compressor);
    if (!method.gamma.empty()) all.emplace_back("gamma", method.gamma);
    all.emplace_back("on-peer-loss", "stop");
    Cluster cluster(all);
    cluster.wrap = [](std::unique_ptr<Network> network) {
      return std::make_unique<Flipping>(std::move(network), 33);
    };
    cluster.run();
    for (NodeId id = 0; id < kCluster; ++id) {
      ASSERT_TRUE(cluster.records[id].outcome && !cluster.records[id].outcome->failure);
      EXPECT_EQ(cluster.records[id].outcome->last->edges.repaired, id == 1 ? 1u : 0u)
          << method.algorithm << " node " << id;
    }
    EXPECT_THAT(
        cluster.records[1].lines,
        Contains(HasSubstr("held something else of node 2 than it should before round 40")));
  }
}

TEST(Agreement, NamesTheFirstSettingThatDiffersOnBothSides) {
  Cluster cluster(settings_of("choco", "sign"));
  Settings other = settings_of("choco", "topk:0.5");
  other.emplace_back("gamma", "0.1");
  const auto strange = experiment_of(other);
  cluster.other_experiments[3] = strange.get();
  cluster.run();
  for (NodeId id = 0; id < kCluster; ++id) {
    ASSERT_TRUE(cluster.records[id].outcome && cluster.records[id].outcome->failure);
    EXPECT_EQ(cluster.records[id].outcome->failure->kind, Failure::Kind::kRefused);
    EXPECT_THAT(cluster.records[id].outcome->failure->sentence, HasSubstr("compressor is '"));
    EXPECT_THAT(cluster.records[id].outcome->failure->sentence, HasSubstr("node 3"));
  }
}

TEST(Agreement, GoesOnFromTheNewestRoundThatAllHave) {
  const auto with_saved = [](std::vector<Round> saved) {
    Presence presence;
    presence.saved = std::move(saved);
    return presence;
  };
  EXPECT_EQ(newest_common_round(std::vector{with_saved({10, 20, 30}), with_saved({20, 30, 40}),
                                            with_saved({10, 20})}),
            20u);
  EXPECT_EQ(newest_common_round(std::vector{with_saved({10}), with_saved({20})}), std::nullopt);
  EXPECT_EQ(newest_common_round(std::vector{Presence{}, Presence{}}), std::nullopt);
}

TEST(PeerLoss, EndsEverybodyWithOneSentenceIfTheRunIsToStop) {
  Settings all = settings_of("choco", "sign");
  all.emplace_back("gamma", "0.3");
  all.emplace_back("on-peer-loss", "stop");
  Cluster cluster(all);
  cluster.after_round = [&](NodeId id, Round completed) {
    if (id == 2 && completed == 20) cluster.board.kill(2);
  };
  cluster.run();
  EXPECT_TRUE(cluster.records[2].was_killed);
  for (const NodeId id : {0u, 1u, 3u, 4u}) {
    ASSERT_TRUE(cluster.records[id].outcome && cluster.records[id].outcome->failure);
    EXPECT_THAT(cluster.records[id].outcome->failure->sentence,
                ::testing::ContainsRegex("node [13] lost node 2 in round [0-9]+: it was killed"));
  }
}

}  // namespace
}  // namespace gossamer::testing
