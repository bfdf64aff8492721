#include "gossamer/train/member_run.hpp"

#include <utility>

#include <fmt/format.h>

#include "gossamer/experiment/checkpoint_interval.hpp"
#include "gossamer/experiment/partners.hpp"

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
          .stop = options.stop};
}

/// Hands a node's spans to the trace when it ends.
class SpanKeeper {
 public:
  SpanKeeper(Member& member, Trace* trace) : member_(member), trace_(trace) {
    if (trace_ != nullptr) member_.node().timeline().record_spans();
  }

  SpanKeeper(const SpanKeeper&) = delete;
  SpanKeeper& operator=(const SpanKeeper&) = delete;

  ~SpanKeeper() {
    if (trace_ == nullptr) return;
    Timeline& timeline = member_.node().timeline();
    timeline.enter(Phase::kOther);
    trace_->add(member_.node().id(), timeline.spans());
  }

 private:
  Member& member_;
  Trace* trace_;
};

}  // namespace

MemberSetup::AmongProcesses among_processes(const Experiment& experiment, NodeId self,
                                            const RunOptions& options) {
  const RunConfig& config = experiment.config;
  MemberSetup::AmongProcesses process{
      .partners = partners_of(self, experiment),
      .settings = identity_of(config),
      .on_peer_loss = config.on_peer_loss == "drop" ? OnPeerLoss::kDrop : OnPeerLoss::kStop,
      .peer_deadline = config.peer_deadline,
      .audit_every = config.audit_every,
      .resumes = options.resumes,
      .say = options.say};
  process.settings.emplace_back("rounds", fmt::format("{}", config.rounds));
  process.settings.emplace_back("gamma that was found", fmt::format("{}", experiment.gamma));
  process.settings.emplace_back("on-peer-loss", config.on_peer_loss);
  process.settings.emplace_back("audit-every", fmt::format("{}", config.audit_every));
  return process;
}

void run_member(const Experiment& experiment, Network& network, const RunOptions& options,
                std::optional<MemberSetup::AmongProcesses> process, const Loop& loop) {
  MemberSetup setup = setup_of(experiment, network, options);
  setup.process = std::move(process);
  // The experiment has made one like it already.
  const std::unique_ptr<Member> member = Member::make(setup).value();
  const SpanKeeper spans(*member, options.trace);
  loop(*member);
}

}  // namespace gossamer
