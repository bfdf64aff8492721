#include "gossamer/train/member_run.hpp"

#include <utility>

#include <fmt/format.h>

#include "gossamer/experiment/checkpoint_interval.hpp"
#include "gossamer/experiment/partners.hpp"
#include "gossamer/train/remedy.hpp"

namespace gossamer {
namespace {

MemberSetup setup_of(const Experiment& experiment, Network& network, const RunOptions& options) {
  const RunConfig& config = experiment.config;
  const NodeId self = network.self();
  return {.network = network,
          .topology = *experiment.topology,
          .algorithm = config.algorithm,
          .method = experiment.algorithm_setup(self),
          .seed = config.seed,
          .rounds = config.rounds,
          .patience = config.patience,
          .compute_time =
              [&config, self](Round round) {
                return config.compute.step_time(config.seed, self, round);
              },
          .checkpoints = options.checkpoints,
          .checkpoint_every = checkpoint_interval(experiment),
          .resume_from = options.resume_from,
          .stop = options.stop,
          .events = options.events};
}

/// All that a node tells but for its rounds.
class WithoutRounds final : public EventSink {
 public:
  explicit WithoutRounds(EventSink& sink) : sink_(sink) {}

  [[nodiscard]] bool wants(EventKind kind) const noexcept override {
    return kind != EventKind::kRoundDone && sink_.wants(kind);
  }

  void take(const Event& event) noexcept override { sink_.take(event); }

 private:
  EventSink& sink_;
};

/// Tells where a node's time went, and how it ended, when it does.
class LastWords {
 public:
  LastWords(Member& member, const EventSource& events) : member_(member), events_(events) {
    if (events_.wants(EventKind::kSpans)) member_.node().timeline().record_spans();
  }

  LastWords(const LastWords&) = delete;
  LastWords& operator=(const LastWords&) = delete;

  void say(const std::optional<Failure>& failure, const std::string& remedy) const {
    Timeline& timeline = member_.node().timeline();
    timeline.enter(Phase::kOther);
    const Round round = member_.node().round();
    if (events_.wants(EventKind::kSpans))
      events_.emit(round, Spans{{timeline.spans().begin(), timeline.spans().end()}});
    if (failure) {
      const std::string kind(name_of(failure->kind));
      events_.emit(round, Failed{kind, failure->quantity, failure->sentence, remedy});
      events_.emit(round, Ended{kind});
    } else {
      events_.emit(round, Ended{member_.stopped() ? "stopped" : "finished"});
    }
  }

 private:
  Member& member_;
  const EventSource& events_;
};

}  // namespace

MemberSetup::AmongProcesses among_processes(const Experiment& experiment, NodeId self,
                                            const RunOptions& options) {
  const RunConfig& config = experiment.config;
  MemberSetup::AmongProcesses process{
      .partners = partners_of(self, experiment),
      .settings = experiment.identity(),
      .on_peer_loss = config.on_peer_loss == "drop" ? OnPeerLoss::kDrop : OnPeerLoss::kStop,
      .peer_deadline = config.peer_deadline,
      .audit_every = config.audit_every,
      .resumes = options.resumes};
  process.incarnation = options.incarnation;
  process.on_partition = config.on_partition == "go-on" ? OnPartition::kGoOn : OnPartition::kStop;
  process.rejoin_for = config.rejoin_for;
  process.settings.emplace_back("rounds", fmt::format("{}", config.rounds));
  process.settings.emplace_back("gamma that was found", fmt::format("{}", experiment.gamma));
  process.settings.emplace_back("on-peer-loss", config.on_peer_loss);
  process.settings.emplace_back("on-partition", config.on_partition);
  process.settings.emplace_back("audit-every", fmt::format("{}", config.audit_every));
  // All take the mean of their models in the same rounds, or wait for each other.
  process.settings.emplace_back("report-mean", config.report_mean);
  if (config.report_mean == "yes")
    process.settings.emplace_back("report", fmt::format("{}", fmt::join(config.report, ",")));
  return process;
}

void run_member(const Experiment& experiment, Network& network, const RunOptions& options,
                std::optional<MemberSetup::AmongProcesses> process, const Loop& loop) {
  MemberSetup setup = setup_of(experiment, network, options);
  setup.process = std::move(process);
  const NodeId self = network.self();
  // All nodes of one process are about as far as the first.
  std::optional<WithoutRounds> quiet;
  const bool is_followed = self == 0 || setup.process;
  if (options.events != nullptr && !is_followed) setup.events = &quiet.emplace(*options.events);
  // The experiment has made one like it already.
  const std::unique_ptr<Member> member = Member::make(setup).value();
  const EventSource events(setup.events, self, [&] { return network.now(); });
  if (is_followed) {
    for (const std::string& warning : experiment.warnings)
      events.emit(0, Warned{warning});
  }
  if (options.shows_member) options.shows_member(*member);
  const LastWords last(*member, events);
  try {
    loop(*member);
  } catch (const RunFailed& failed) {
    const std::string remedy =
        setup.process ? remedy_for(failed.failure, experiment, options.checkpoints, self) : "";
    last.say(failed.failure, remedy);
    throw;
  }
  last.say(std::nullopt, "");
}

}  // namespace gossamer
