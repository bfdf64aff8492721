#include "gossamer/plan/playback.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "gossamer/base/contract.hpp"
#include "gossamer/member/talking_pairs.hpp"
#include "gossamer/plan/rehearsal.hpp"

namespace gossamer {
namespace {

// The first periods fill the pipeline; those after them are all alike.
constexpr Round kWarmUpPeriods = 2;
constexpr Round kMeasuredPeriods = 4;

/// Payloads that hold nothing, one for all messages of a size.
class Blanks {
 public:
  explicit Blanks(const RoundScript& script) {
    for (const ScriptStep& step : script.steps) {
      if (step.kind != ScriptStep::Kind::kSend || blanks_.contains(step.bytes)) continue;
      ByteWriter writer = Message::writer();
      (void)writer.extend(step.bytes);
      blanks_.emplace(step.bytes, Message(std::move(writer)));
    }
  }

  [[nodiscard]] const Message& of(std::size_t bytes) const { return blanks_.at(bytes); }

 private:
  std::map<std::size_t, Message> blanks_;
};

/// One node that follows a script.
class Player {
 public:
  Player(Network& network, const RoundScript& script, const Topology& topology, Duration gradient,
         const Blanks& blanks)
      : network_(network),
        script_(script),
        topology_(topology),
        gradient_(gradient),
        blanks_(blanks),
        waiting_(network.size(), 0) {}

  void play_period() {
    see_peers();
    for (const ScriptStep& step : script_.steps) {
      switch (step.kind) {
        case ScriptStep::Kind::kGradient:
          network_.spend(gradient_);
          break;
        case ScriptStep::Kind::kWork:
          network_.spend(step.work(heard_.size()));
          break;
        case ScriptStep::Kind::kSend:
          for (const NodeId peer : listeners_)
            network_.send(peer, period_, blanks_.of(step.bytes));
          break;
        case ScriptStep::Kind::kGather:
          for (const NodeId peer : heard_)
            wait_for(peer);
          break;
      }
    }
    ++period_;
  }

 private:
  void see_peers() {
    heard_.clear();
    listeners_.clear();
    const NodeId self = network_.self();
    const NodeId n = network_.size();
    switch (script_.reach) {
      case Reach::kNeighbours:
        for (const Edge& edge : topology_.at(self, period_).neighbours)
          heard_.push_back(edge.peer);
        for (const Edge& edge : topology_.listeners(self, period_))
          listeners_.push_back(edge.peer);
        break;
      case Reach::kRing:
        if (n > 1) {
          heard_.push_back((self + n - 1) % n);
          listeners_.push_back((self + 1) % n);
        }
        break;
      case Reach::kEveryone:
        for (NodeId peer = 0; peer < n; ++peer)
          if (peer != self) heard_.push_back(peer);
        listeners_ = heard_;
        break;
      case Reach::kCoordinator:
        throw ContractViolation("rounds with a coordinator have no script");
    }
  }

  void wait_for(NodeId peer) {
    while (waiting_[peer] == 0) {
      const Arrival arrival = network_.receive(Time::max());
      if (arrival.kind == Arrival::Kind::kMessage) ++waiting_[arrival.from];
      expects(
          arrival.kind != Arrival::Kind::kPeerLost || waiting_[peer] > 0 || arrival.from != peer,
          "all nodes follow one script");
    }
    --waiting_[peer];
  }

  Network& network_;
  const RoundScript& script_;
  const Topology& topology_;
  Duration gradient_;
  const Blanks& blanks_;
  Round period_ = 0;
  std::vector<NodeId> heard_;
  std::vector<NodeId> listeners_;
  std::vector<std::size_t> waiting_;
};

Result<PlayedRound> play_whole(const RoundScript& script, const Topology& topology,
                               SimSetup network, Duration gradient) {
  const NodeId n = topology.size();
  network.hosts = n;
  network.pairs = talking_pairs(script.reach, topology);
  const Blanks blanks(script);
  Time begin{};
  Time end{};
  std::uint64_t bytes = 0;
  const Result<void> ran = run_sim(n, network, [&](Network& world) {
    Player player(world, script, topology, gradient, blanks);
    for (Round period = 0; period < kWarmUpPeriods; ++period)
      player.play_period();
    begin = std::max(begin, world.now());
    const std::uint64_t sent_before = world.traffic().bytes();
    for (Round period = 0; period < kMeasuredPeriods; ++period)
      player.play_period();
    end = std::max(end, world.now());
    bytes += world.traffic().bytes() - sent_before;
  });
  if (!ran) return ran.error();
  const auto rounds = static_cast<double>(kMeasuredPeriods * script.rounds);
  return PlayedRound{seconds(end - begin) / rounds,
                     static_cast<double>(bytes) / rounds / static_cast<double>(n)};
}

// A ring of 1,024 nodes needs two million messages a round. Its exchanges are all alike, so some of
// them tell how long the others take.
constexpr std::size_t kMostExchanges = 128;
constexpr std::size_t kFewExchanges = 16;

Result<PlayedRound> play_part(const RoundScript& script, const Topology& topology,
                              const SimSetup& network, Duration gradient) {
  const auto play_some = [&](std::size_t exchanges) {
    return play_whole(with_ring_exchanges(script, exchanges), topology, network, gradient);
  };
  const Result<PlayedRound> few = play_some(kFewExchanges);
  if (!few) return few.error();
  const Result<PlayedRound> twice = play_some(2 * kFewExchanges);
  if (!twice) return twice.error();
  const auto left = static_cast<double>(ring_exchanges(script) - kFewExchanges);
  const auto extrapolate = [&](double PlayedRound::*member) {
    const double each = (twice.value().*member - few.value().*member) / double{kFewExchanges};
    return few.value().*member + left * each;
  };
  return PlayedRound{extrapolate(&PlayedRound::seconds), extrapolate(&PlayedRound::bytes_per_node)};
}

}  // namespace

Result<PlayedRound> play(const RoundScript& script, const Topology& topology,
                         const SimSetup& network, Duration gradient) {
  const bool is_long = ring_exchanges(script) > kMostExchanges;
  return is_long ? play_part(script, topology, network, gradient)
                 : play_whole(script, topology, network, gradient);
}

}  // namespace gossamer
