#include "gossamer/train/node_run.hpp"

#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "gossamer/experiment/checkpoint_interval.hpp"
#include "gossamer/member/failure.hpp"
#include "gossamer/member/roll_call.hpp"
#include "gossamer/wire/digest.hpp"

namespace gossamer {
namespace {

Failure failure(Failure::Kind kind, const Node& node, std::string quantity, std::string sentence) {
  return {kind, node.id(), node.round(), std::move(quantity), std::move(sentence)};
}

}  // namespace

NodeRun::NodeRun(Network& network, const SharedByNodes& shared)
    : shared_(shared),
      config_(shared.experiment.config),
      network_(network),
      node_({network, *shared.experiment.topology, shared.experiment.layout(), config_.seed,
             config_.patience}),
      algorithm_(std::move(make_algorithm(config_.algorithm,
                                          shared.experiment.algorithm_setup(network.self())))
                     .value()),
      optimizer_(shared.experiment.optimizer, shared.experiment.layout()),
      u_(shared.experiment.layout().size()) {
  if (trains() && shared.experiment.task)
    objective_ = shared.experiment.task->objective_of(network.self());
  if (shared.trace != nullptr) node_.timeline().record_spans();
}

NodeRun::~NodeRun() {
  if (shared_.trace == nullptr) return;
  node_.timeline().enter(Phase::kOther);
  shared_.trace->add(node_.id(), node_.timeline().spans());
}

void NodeRun::run() {
  try {
    start();
    node_.timeline().enter(Phase::kMix);
    while (node_.round() < config_.rounds) {
      if (shared_.stop != nullptr && !shared_.stop->may_begin(node_.round())) return stop_early();
      if (upkeep_) upkeep_->between_rounds();
      take_round();
    }
  } catch (const NonFiniteValue& error) {
    throw RunFailed(failure(Failure::Kind::kNonFinite, node_, "message",
                            fmt::format("node {} has numbers that are not finite after {} rounds: "
                                        "{}; the run has diverged",
                                        node_.id(), node_.round(), error.what())));
  } catch (const NeighbourLost& lost) {
    const bool ended = lost.reason == NeighbourLost::Reason::kEnded;
    end_for_all(ended ? Failure::Kind::kLost : Failure::Kind::kStalled,
                fmt::format("message of node {}", lost.neighbour), lost.what());
  } catch (const CutOff& end) {
    throw RunFailed(failure(Failure::Kind::kLost, node_, "node", end.what()));
  } catch (const RunEnded& end) {
    end_for_all(Failure::Kind::kLost, "node", end.what());
  }
}

void NodeRun::start() {
  const Experiment& experiment = shared_.experiment;
  // All nodes begin with one model: x^0 is a function of the seed, and nothing is broadcast.
  if (experiment.task) {
    const RngKey key{.seed = config_.seed, .purpose = Purpose::kInit};
    experiment.task->objective_of(0)->initialize(key, node_.x());
  } else if (trains()) {
    node_.x() = experiment.consensus->models[node_.id()].view();
  }
  // Also before resuming: it makes room for the state that is then read.
  algorithm_->start(node_);
  std::optional<Round> from = shared_.resume_from;
  if (shared_.process && shared_.process->calls_roll) from = agree();
  if (has_joined_) return;
  if (from) {
    if (shared_.process && shared_.process->begins_at) shared_.process->begins_at(*from);
    resume(*from);
  } else {
    look(0);
  }
  if (shared_.process && !upkeep_) meet_the_others();
}

// From here on the node looks after its edges.
void NodeRun::meet_the_others() {
  if (config_.on_peer_loss == "drop")
    node_.go_on_without_lost({config_.peer_deadline, shared_.process->say});
  upkeep_.emplace(Upkeep::Setup{.node = node_,
                                .algorithm = *algorithm_,
                                .audit_every = config_.audit_every,
                                .patience = config_.patience,
                                .own = presence(),
                                .show_model = [this](StateVisitor& v) { show_model(v); },
                                .note = shared_.process->say});
}

// The round to go on from, if all go on with a run. Joins one that is under way instead.
std::optional<Round> NodeRun::agree() {
  try {
    RollCall call(node_, shared_.process->partners, network_.size(), presence());
    const auto everyones = call.wait(node_.now() + config_.patience);
    if (!everyones) {
      join(call.offers().front());
      return std::nullopt;
    }
    if (!shared_.process->resumes) return std::nullopt;
    const std::optional<Round> common = newest_common_round(*everyones);
    if (!common) throw RunEnded("there is no round of which every node has a whole checkpoint");
    if (*common >= config_.rounds) {
      throw RunEnded(fmt::format(
          "the run has completed {} rounds already; give more --rounds or --epochs", *common));
    }
    return common;
  } catch (const RunEnded& end) {
    end_for_all(Failure::Kind::kRefused, "agreement", end.what());
  }
}

void NodeRun::join(const Aside& offer) {
  if (config_.on_peer_loss != "drop")
    throw RunEnded("a run is under way already, and it does not take nodes in");
  std::vector<Round> saved;
  if (shared_.process->resumes) saved = shared_.checkpoints->saved_by(node_.id());
  if (!saved.empty()) load(saved.back());
  meet_the_others();
  upkeep_->join(offer, saved.empty() ? Joins::Hands::kEmpty : Joins::Hands::kCheckpoint);
  has_joined_ = true;
  shared_.process->begins_at(node_.round());
  shared_.process->say(fmt::format(
      "node {} joins the run in round {} {}", node_.id(), node_.round(),
      saved.empty() ? "with a neighbour's model"
                    : fmt::format("with its own checkpoint of round {}", saved.back())));
}

Presence NodeRun::presence() {
  const ByteView x(reinterpret_cast<const std::uint8_t*>(node_.x().data()),
                   static_cast<std::size_t>(node_.x().size()) * sizeof(float));
  std::string layout;
  for (const Block& block : node_.layout().blocks())
    layout += fmt::format("{}:{} ", block.name, fmt::join(block.shape, "x"));
  Presence presence{.settings = identity_of(config_)};
  presence.settings.emplace_back("rounds", fmt::format("{}", config_.rounds));
  presence.settings.emplace_back("gamma that was found",
                                 fmt::format("{}", shared_.experiment.gamma));
  presence.settings.emplace_back("on-peer-loss", config_.on_peer_loss);
  presence.settings.emplace_back("audit-every", fmt::format("{}", config_.audit_every));
  presence.settings.emplace_back("layout of the model", layout);
  presence.settings.emplace_back("digest of the first model", fmt::format("{:016x}", digest_of(x)));
  if (shared_.process->resumes) presence.saved = shared_.checkpoints->saved_by(node_.id());
  return presence;
}

// What happens here ends the run of all nodes, and they hear why.
void NodeRun::end_for_all(Failure::Kind kind, const std::string& quantity,
                          const std::string& sentence) {
  if (shared_.process) node_.say_farewell(sentence);
  throw RunFailed(failure(kind, node_, quantity, sentence));
}

// What a node takes over that joins empty-handed.
void NodeRun::show_model(StateVisitor& visitor) {
  visitor.visit("x", node_.x());
  if (objective_) objective_->visit_state(visitor);
}

EdgeEvents NodeRun::edge_events() {
  EdgeEvents events;
  if (const Membership* const membership = node_.membership()) events.lost = membership->losses();
  if (upkeep_) {
    events.back = upkeep_->joins();
    events.repaired = upkeep_->repairs();
  }
  return events;
}

void NodeRun::resume(Round round) {
  load(round);
  node_.begin_at(round);
  // A virtual clock goes on where it was: what is scheduled for later still comes then, and a node
  // that was ahead of the others still is.
  const Time before = network_.now();
  network_.spend(time_before_);
  time_before_ -= network_.now() - before;
}

void NodeRun::load(Round round) {
  const Result<void> loaded = shared_.checkpoints->load(
      node_.id(), round, [this](StateVisitor& visitor) { show_state(visitor); });
  if (!loaded)
    throw RunFailed(failure(Failure::Kind::kFile, node_, "checkpoint", loaded.error().message));
}

void NodeRun::take_round() {
  algorithm_->before_gradient(node_);
  if (objective_) compute_move();
  algorithm_->after_gradient(node_, u_.view());
  node_.end_round();
  tick();
  look(node_.round());
  save_if_due(node_.round());
}

void NodeRun::tick() const {
  const bool is_shown = node_.id() == 0 || (shared_.process && shared_.process->calls_roll);
  if (is_shown && shared_.tick) shared_.tick({node_.round(), last_loss_, bytes_sent()});
}

// What was done so far is measured and kept, as at the end.
void NodeRun::stop_early() {
  if (!shared_.observatory.watches(node_.round())) leave_sighting(node_.round());
  if (shared_.checkpoints != nullptr) save(node_.round());
}

void NodeRun::compute_move() {
  const PhaseScope compute(node_.timeline(), Phase::kCompute);
  const RngKey batch{
      .seed = config_.seed, .purpose = Purpose::kBatch, .node = node_.id(), .round = node_.round()};
  const double loss = objective_->gradient(node_.x(), batch, u_.view());
  losses_ += loss;
  last_loss_ = loss;
  ++batches_;
  if (!(loss <= config_.loss_limit)) {
    const bool finite = std::isfinite(loss);
    throw RunFailed(failure(finite ? Failure::Kind::kDiverged : Failure::Kind::kNonFinite, node_,
                            "loss",
                            fmt::format("node {} has diverged after {} rounds: its loss is {:.3g}",
                                        node_.id(), node_.round(), loss)));
  }
  {
    const ThreadLeft left(node_.timeline());
    network_.spend(config_.compute.step_time(config_.seed, node_.id(), node_.round()));
  }
  algorithm_->share_gradient(node_, u_.view());
  const double lr = shared_.experiment.schedule->at(node_.round());
  optimizer_.step(node_.x(), static_cast<float>(lr), u_.view());
}

void NodeRun::look(Round completed) {
  if (shared_.observatory.watches(completed)) leave_sighting(completed);
}

void NodeRun::leave_sighting(Round completed) {
  const PhaseScope other(node_.timeline(), Phase::kOther);
  Sighting sighting{.node = node_.id(),
                    .completed = completed,
                    .bytes_sent = bytes_sent(),
                    .payload_bytes = payload_bytes(),
                    .now = {},
                    .spent = spent(),
                    .edges = edge_events()};
  const Time before = network_.now();
  if (objective_ && shared_.tests_own_models)
    sighting.evaluation = objective_->evaluate(node_.x(), objective_->statistics());
  time_before_ -= network_.now() - before;  // looking is not part of the run
  sighting.now = now();
  if (batches_ > 0) sighting.train_loss = losses_ / static_cast<double>(batches_);
  losses_ = 0.0;
  batches_ = 0;
  shared_.observatory.leave(sighting, node_.x(),
                            objective_ ? objective_->statistics() : CVec(nullptr, 0));
}

void NodeRun::save_if_due(Round completed) {
  const Round interval = checkpoint_interval(shared_.experiment);
  if (shared_.checkpoints == nullptr || interval == 0) return;
  if (completed % interval == 0 || completed == config_.rounds) save(completed);
}

void NodeRun::save(Round completed) {
  const PhaseScope other(node_.timeline(), Phase::kOther);
  std::vector<NamedTensor> model;
  if (trains()) model = tensors_of(node_.layout(), node_.x());
  if (objective_ && objective_->statistics().size() > 0) {
    const auto more =
        tensors_of(shared_.experiment.task->statistics_layout(), objective_->statistics());
    model.insert(model.end(), more.begin(), more.end());
  }
  const Result<void> saved = shared_.checkpoints->save(
      node_.id(), completed, [this](StateVisitor& visitor) { show_state(visitor); }, model);
  if (!saved)
    throw RunFailed(failure(Failure::Kind::kFile, node_, "checkpoint", saved.error().message));
}

void NodeRun::show_state(StateVisitor& visitor) {
  const std::uint64_t bytes = bytes_sent();
  const std::uint64_t payload = payload_bytes();
  const auto nanoseconds = static_cast<std::uint64_t>(now().time_since_epoch().count());
  std::uint64_t seen_bytes = bytes;
  std::uint64_t seen_payload = payload;
  std::uint64_t seen_nanoseconds = nanoseconds;
  visitor.visit("bytes", seen_bytes);
  visitor.visit("payload_bytes", seen_payload);
  visitor.visit("nanoseconds", seen_nanoseconds);
  // Nothing is added unless the visitor has loaded them. What this process has sent and spent so
  // far does not count then; a difference below zero wraps around, and back.
  bytes_before_ += seen_bytes - bytes;
  payload_before_ += seen_payload - payload;
  time_before_ += Duration(static_cast<Duration::rep>(seen_nanoseconds - nanoseconds));
  show_spent(visitor);
  visitor.visit("x", node_.x());
  auto losses = std::bit_cast<std::uint64_t>(losses_);
  visitor.visit("losses", losses);
  losses_ = std::bit_cast<double>(losses);
  visitor.visit("batches", batches_);
  if (objective_) objective_->visit_state(visitor);
  optimizer_.visit_state(visitor);
  algorithm_->visit_state(visitor);
}

void NodeRun::show_spent(StateVisitor& visitor) {
  const auto show = [&](const std::string& name, Duration until_now, Duration& before) {
    const auto shown = static_cast<std::uint64_t>(until_now.count());
    std::uint64_t seen = shown;
    visitor.visit(name, seen);
    before += Duration(static_cast<Duration::rep>(seen - shown));
  };
  const TimeSpent until_now = spent();
  for (std::size_t i = 0; i < kPhaseCount; ++i) {
    show(fmt::format("nanoseconds.{}", name_of(static_cast<Phase>(i))), until_now.by_phase[i],
         spent_before_.by_phase[i]);
  }
  show("cpu_nanoseconds.compute", until_now.cpu_compute, spent_before_.cpu_compute);
  show("cpu_nanoseconds.total", until_now.cpu_total, spent_before_.cpu_total);
}

std::uint64_t NodeRun::bytes_sent() const {
  return bytes_before_ + network_.traffic().bytes();
}

std::uint64_t NodeRun::payload_bytes() const {
  return payload_before_ + network_.traffic().payload_bytes;
}

Time NodeRun::now() const {
  return network_.now() + time_before_;
}

TimeSpent NodeRun::spent() const {
  TimeSpent spent = node_.timeline().spent();
  return spent += spent_before_;
}

}  // namespace gossamer
