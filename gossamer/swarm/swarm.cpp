#include "gossamer/swarm/swarm.hpp"

#include <fmt/format.h>

#include "gossamer/events/event_file.hpp"
#include "gossamer/events/event_queue.hpp"
#include "gossamer/swarm/rank_settings.hpp"
#include "gossamer/train/own_node.hpp"
#include "gossamer/train/remedy.hpp"
#include "gossamer/train/world_run.hpp"

namespace gossamer {
namespace {

/// Those who wait for this node are told why it ends, whatever it is that ends it.
void run_loop(Member& member, const Loop& loop) {
  try {
    loop(member);
  } catch (const RunFailed&) {
    throw;
  } catch (const std::exception& error) {
    member.leave(fmt::format("node {} has ended: {}", member.node().id(), error.what()));
    throw;
  }
}

}  // namespace

std::string SwarmOutcome::sentence() const {
  if (!failure) return "";
  return remedy.empty() ? failure->sentence : fmt::format("{}; {}", failure->sentence, remedy);
}

Result<std::unique_ptr<Swarm>> Swarm::open(SwarmSetup setup) {
  std::unique_ptr<Swarm> swarm(new Swarm(std::move(setup)));
  const Result<void> prepared = swarm->prepare();
  if (!prepared) return prepared.error();
  return swarm;
}

Result<void> Swarm::prepare() {
  setup_.request.command = Command::kOwnLoop;
  Result<Processes> processes = processes_for(setup_.request);
  if (!processes) return processes.error();
  processes_.emplace(std::move(processes).value());
  Result<std::unique_ptr<PreparedRun>> run = PreparedRun::read(setup_.request, *processes_);
  if (!run) return run.error();
  run_ = std::move(run).value();
  return run_->prepare(
      [this](const RunConfig& config, GammaSource& gammas) -> Result<std::unique_ptr<Experiment>> {
        auto experiment = make_own_experiment(config, setup_.model, gammas);
        if (experiment) experiment.value()->own_identity = setup_.identity;
        return experiment;
      });
}

Result<SwarmOutcome> Swarm::run(const Loop& loop) {
  std::vector<EventListener*> listeners = setup_.listeners;
  std::unique_ptr<EventFile> file;
  if (run_->folder() != nullptr && run_->speaks()) {
    auto opened = EventFile::open(run_->folder()->events_path());
    if (!opened) return opened.error();
    file = std::move(opened).value();
    listeners.push_back(file.get());
  }
  EventQueue events(listeners);
  RunOptions options = run_->options();
  options.events = &events;
  options.stop = setup_.stop;
  if (options.stop != nullptr) options.stop->attend();
  Result<std::unique_ptr<Network>> network = run_->open_network(&events);
  if (!network) return network.error();
  const Loop guarded = [&](Member& member) { run_loop(member, loop); };
  if (!network.value()) return run_all(options, guarded);
  return run_one(*network.value(), options, guarded);
}

Result<SwarmOutcome> Swarm::run_all(const RunOptions& options, const Loop& loop) const {
  const Result<WorldEnd> end = run_world(experiment(), options, loop);
  if (!end) return end.error();
  SwarmOutcome outcome{first_cause(end.value().failures), "", stopped()};
  if (!outcome.failure && end.value().unfinished) {
    const NodeId node = *end.value().unfinished;
    outcome.failure = Failure{Failure::Kind::kLost, node, 0, "node",
                              fmt::format("node {} stopped before the end of the run", node)};
  }
  return outcome;
}

SwarmOutcome Swarm::run_one(Network& network, const RunOptions& options, const Loop& loop) const {
  MemberSetup::AmongProcesses process = among_processes(experiment(), network.self(), options);
  process.can_return = run_->is_peer();
  try {
    run_own_node(experiment(), network, options, process, loop);
  } catch (const RunFailed& failed) {
    return {failed.failure,
            remedy_for(failed.failure, experiment(), options.checkpoints, network.self()),
            std::nullopt};
  }
  return {std::nullopt, "", stopped()};
}

std::optional<Round> Swarm::stopped() const {
  if (setup_.stop == nullptr) return std::nullopt;
  // A line behind the last round stops nobody.
  const std::optional<Round> line = setup_.stop->line();
  return line && *line < experiment().config.rounds ? line : std::nullopt;
}

bool Swarm::speaks(const Member& member) const {
  return run_->is_peer() || member.node().id() == 0;
}

void Swarm::keep(Member& member, const MeanOfNodes& mean) const {
  const RunFolder* const folder = run_->folder();
  if (folder == nullptr || !speaks(member)) return;
  const CVec numbers(mean.numbers.data(), static_cast<Eigen::Index>(member.node().layout().size()));
  std::vector<NamedTensor> tensors = tensors_of(member.node().layout(), numbers);
  const Layout& more = member.statistics_layout();
  if (more.size() > 0) {
    const CVec rest(mean.numbers.data() + numbers.size(), static_cast<Eigen::Index>(more.size()));
    const auto others = tensors_of(more, rest);
    tensors.insert(tensors.end(), others.begin(), others.end());
  }
  const Result<void> written = folder->write_model(
      tensors, fmt::format("mean over {} nodes", mean.nodes), member.node().round());
  if (!written) member.fail(Failure::Kind::kFile, "model", written.error().message);
}

}  // namespace gossamer
