#include "gossamer/train/process_run.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "gossamer/member/aside_filter.hpp"
#include "gossamer/train/follower.hpp"
#include "gossamer/train/member_run.hpp"
#include "gossamer/train/node_run.hpp"
#include "gossamer/train/own_node.hpp"
#include "gossamer/train/process_asides.hpp"
#include "gossamer/train/remedy.hpp"

namespace gossamer {
namespace {

constexpr NodeId kFirst = 0;

/// Sends what a node leaves to the process of the first one.
class RemoteObservatory final : public Lookout {
 public:
  RemoteObservatory(Network& network, std::vector<Round> watched)
      : Lookout(std::move(watched)), network_(network) {}

  void leave(const Sighting& sighting, CVec x, CVec statistics) override {
    network_.send_aside(kFirst, sighting.completed, encode_sighting(sighting, x, statistics));
  }

 private:
  Network& network_;
};

/// Tells where a node's time went to the process of the first one, and all else to those who listen
/// here.
class SpanSender final : public EventSink {
 public:
  SpanSender(Network& network, EventSink* events) : network_(network), events_(events) {}

  [[nodiscard]] bool wants(EventKind kind) const noexcept override { return events_->wants(kind); }

  void take(const Event& event) noexcept override {
    if (const Spans* const spans = std::get_if<Spans>(&event.what))
      network_.send_aside(kFirst, event.round, encode_spans(spans->spans));
    events_->take(event);
  }

 private:
  Network& network_;
  EventSink* events_;
};

/// A run that the first process sees as a whole.
class ProcessRun {
 public:
  ProcessRun(const Experiment& experiment, Network& network, const RunOptions& options)
      : experiment_(experiment),
        network_(network),
        options_(options),
        follower_(experiment, options),
        filter_(network, [this](Arrival arrival) { return take(std::move(arrival)); }),
        endings_(network.size()) {
    if (is_first()) {
      observatory_.emplace(experiment, follower_.watched(),
                           [this](const Measurement& measurement, const SeenModels& seen) {
                             follower_(measurement, seen);
                           });
    } else {
      remote_.emplace(network, follower_.watched());
    }
  }

  RunOutcome run() {
    if (options_.stop != nullptr) pass_on_stops(*options_.stop, experiment_, network_);
    endings_[network_.self()] = run_node();
    tell_all(ProcessAside::kEnded, *endings_[network_.self()]);
    return is_first() ? conclude() : await_verdict();
  }

 private:
  [[nodiscard]] bool is_first() const { return network_.self() == kFirst; }

  Ending run_node() {
    Lookout& lookout = is_first() ? static_cast<Lookout&>(*observatory_) : *remote_;
    const SharedByLoops shared{experiment_, lookout, options_.tests_own_models};
    SpanSender sender(network_, options_.events);
    RunOptions options = options_;
    if (!is_first() && options_.events != nullptr) options.events = &sender;
    MemberSetup::AmongProcesses process = among_processes(experiment_, network_.self(), options_);
    process.can_return = false;
    try {
      run_member(experiment_, filter_, options, std::move(process),
                 [&](Member& member) { NodeRun(member, shared).run(); });
    } catch (const RunFailed& failed) {
      return {failed.failure, std::nullopt};
    }
    if (options_.stop == nullptr) return {};
    // A line behind the last round stops nobody.
    const std::optional<Round> line = options_.stop->line();
    return {std::nullopt, line && *line < experiment_.config.rounds ? line : std::nullopt};
  }

  void tell_all(ProcessAside kind, const Ending& ending) {
    const Message message = encode_ending(kind, ending);
    for (NodeId peer = 0; peer < network_.size(); ++peer) {
      if (peer != network_.self()) network_.send_aside(peer, 0, message);
    }
  }

  /// What arrives, as the node may see it: a peer that has ended is lost to it.
  std::optional<Arrival> take(Arrival arrival) {
    const NodeId from = arrival.from;
    if (arrival.kind == Arrival::Kind::kPeerLost) {
      if (from == kFirst) first_is_gone_ = true;
      if (endings_[from]) return std::nullopt;  // the node knows
      endings_[from] = Ending{vanished(from), std::nullopt};
      return arrival;
    }
    if (arrival.kind != Arrival::Kind::kAside) return arrival;
    const std::optional<ProcessAside> kind = kind_of(arrival.message);
    if (!kind) return arrival;
    switch (*kind) {
      case ProcessAside::kSighting:
        watch(decode_sighting(arrival.message));
        return std::nullopt;
      case ProcessAside::kStop:
        if (options_.stop != nullptr) options_.stop->hear(decode_stop(arrival.message));
        return std::nullopt;
      case ProcessAside::kSpans:
        if (options_.events != nullptr) {
          options_.events->take(
              {from, arrival.round, network_.now(), Spans{decode_spans(arrival.message)}});
        }
        return std::nullopt;
      case ProcessAside::kEnded:
        endings_[from] = decode_ending(arrival.message);
        return Arrival{Arrival::Kind::kPeerLost, from, 0, {}, {}};
      case ProcessAside::kVerdict:
        verdict_ = decode_ending(arrival.message);
        return std::nullopt;
    }
    return arrival;
  }

  /// After the node's own end. Whether anything came.
  bool take_next(Time deadline) {
    Arrival arrival = network_.receive(deadline);
    if (arrival.kind == Arrival::Kind::kTimedOut) return false;
    (void)take(std::move(arrival));
    return true;
  }

  void watch(SightingCopy copy) {
    // Clocks of processes differ.
    copy.sighting.clock = network_.now();
    observatory_->leave(copy.sighting, copy.x.view(), copy.statistics.view());
  }

  [[nodiscard]] static Failure vanished(NodeId node) {
    return {Failure::Kind::kLost, node, 0, "node",
            fmt::format("node {} has ended without saying why", node)};
  }

  /// The first process: how all of them ended.
  RunOutcome conclude() {
    collect_endings();
    RunOutcome outcome = outcome_of_all();
    if (options_.checkpoints != nullptr) {
      const Result<void> tidied = options_.checkpoints->tidy();
      if (!tidied && !outcome.failure) {
        outcome.failure = Failure{Failure::Kind::kFile, kFirst, experiment_.config.rounds,
                                  "checkpoint", tidied.error().message};
      }
    }
    tell_all(ProcessAside::kVerdict, {outcome.failure, outcome.stopped_after});
    if (outcome.failure) {
      outcome.remedy = remedy_for(*outcome.failure, experiment_, options_.checkpoints, kFirst);
    }
    return outcome;
  }

  RunOutcome outcome_of_all() {
    std::vector<std::optional<Failure>> failures;
    for (const std::optional<Ending>& ending : endings_)
      failures.push_back(ending ? ending->failure : std::nullopt);
    if (const std::optional<Failure> cause = first_cause(failures)) return follower_.finish(*cause);
    if (const std::optional<Round> stopped = endings_[kFirst]->stopped_after)
      return follower_.finish_early(*stopped);
    return follower_.finish();
  }

  void collect_endings() {
    // The slowest may be as many rounds behind as there are nodes, and each may take that long.
    const Duration patience = experiment_.config.patience * network_.size();
    for (;;) {
      const auto missing = std::ranges::find_if(
          endings_, [](const std::optional<Ending>& ending) { return !ending; });
      if (missing == endings_.end()) return;
      try {
        if (take_next(network_.now() + patience)) continue;
      } catch (const RunFailed& failed) {
        // What the last sightings showed.
        endings_[kFirst]->failure = failed.failure;
        continue;
      }
      const auto node = static_cast<NodeId>(missing - endings_.begin());
      *missing = Ending{
          Failure{Failure::Kind::kStalled, node, 0, "node",
                  fmt::format("node {} did not come to its end: nothing was heard of it for {:.0f} "
                              "s after node 0 had",
                              node, seconds(patience))},
          std::nullopt};
    }
  }

  /// All others: the first process decides, unless it is gone.
  RunOutcome await_verdict() {
    while (!verdict_ && !first_is_gone_)
      (void)take_next(Time::max());
    RunOutcome outcome;
    const Ending ending = verdict_.value_or(Ending{vanished(kFirst), std::nullopt});
    outcome.failure = ending.failure;
    outcome.stopped_after = ending.stopped_after;
    return outcome;
  }

  const Experiment& experiment_;
  Network& network_;
  const RunOptions& options_;
  Follower follower_;
  AsideFilter filter_;
  std::vector<std::optional<Ending>> endings_;  // by node
  std::optional<Ending> verdict_;
  bool first_is_gone_ = false;
  std::optional<Observatory> observatory_;   // of the first
  std::optional<RemoteObservatory> remote_;  // of all others
};

RunOutcome run_seeing_self(const Experiment& experiment, Network& network,
                           const RunOptions& options) {
  Follower follower(experiment, options, network.self());
  Observatory observatory(
      experiment, follower.watched(),
      [&](const Measurement& measurement, const SeenModels& seen) { follower(measurement, seen); },
      network.self());
  const SharedByLoops shared{
      experiment, observatory, options.tests_own_models,
      experiment.config.report_mean == "yes" ? TakesMean::kAtReports : TakesMean::kAtTheEnd};
  NodeId mean_of = 0;
  try {
    run_own_node(experiment, network, options, among_processes(experiment, network.self(), options),
                 [&](Member& member) {
                   NodeRun run(member, shared);
                   run.run();
                   mean_of = run.mean().nodes;
                 });
  } catch (const RunFailed& failed) {
    RunOutcome outcome = follower.finish(failed.failure);
    outcome.remedy = remedy_for(failed.failure, experiment, options.checkpoints, network.self());
    return outcome;
  }
  const std::optional<Round> line = options.stop != nullptr ? options.stop->line() : std::nullopt;
  RunOutcome outcome =
      line && *line < experiment.config.rounds ? follower.finish_early(*line) : follower.finish();
  outcome.model_nodes = mean_of;
  return outcome;
}

}  // namespace

RunOutcome run_process(const Experiment& experiment, Network& network, const RunOptions& options,
                       Seen seen) {
  expects(network.size() == experiment.endpoints(), "a process for each endpoint of the run");
  if (seen == Seen::kSelf) return run_seeing_self(experiment, network, options);
  return ProcessRun(experiment, network, options).run();
}

}  // namespace gossamer
