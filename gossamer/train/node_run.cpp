#include "gossamer/train/node_run.hpp"

#include <bit>
#include <cmath>

#include <fmt/format.h>

namespace gossamer {

NodeRun::NodeRun(Member& member, const SharedByLoops& shared)
    : member_(member),
      node_(member.node()),
      shared_(shared),
      config_(shared.experiment.config),
      optimizer_(shared.experiment.optimizer, shared.experiment.layout()),
      u_(shared.experiment.layout().size()) {
  const Experiment& experiment = shared.experiment;
  if (member.trains() && experiment.task) objective_ = experiment.task->objective_of(node_.id());
  member.keeps([this](StateVisitor& visitor) { show_state(visitor); });
  if (experiment.task)
    member.has_statistics(experiment.task->statistics_layout(), [this] { return statistics(); });
  if (objective_)
    member.joins_with([this](StateVisitor& visitor) { objective_->visit_state(visitor); });
}

void NodeRun::run() {
  set_first_model();
  const Beginning beginning = member_.begin();
  // Nobody is there to compare models with.
  if (beginning.how == Beginning::How::kStopped) return;
  if (beginning.how == Beginning::How::kFresh) look(0);
  while (member_.begin_round()) {
    std::optional<double> loss;
    if (objective_) loss = compute_move();
    member_.end_round(u_.view(), loss);
    look(node_.round());
  }
  // What was done so far is measured, as at the end.
  if (member_.stopped() && !shared_.observatory.watches(node_.round()))
    leave_sighting(node_.round());
}

// All nodes begin with one model: x^0 is a function of the seed, and nothing is broadcast.
void NodeRun::set_first_model() {
  const Experiment& experiment = shared_.experiment;
  if (experiment.task) {
    const RngKey key{.seed = config_.seed, .purpose = Purpose::kInit};
    experiment.task->objective_of(0)->initialize(key, node_.x());
  } else if (member_.trains()) {
    node_.x() = experiment.consensus->models[node_.id()].view();
  }
}

double NodeRun::compute_move() {
  const RngKey batch{
      .seed = config_.seed, .purpose = Purpose::kBatch, .node = node_.id(), .round = node_.round()};
  const double loss = objective_->gradient(node_.x(), batch, u_.view());
  losses_ += loss;
  ++batches_;
  judge(loss);
  member_.share_gradient(u_.view());
  const double lr = shared_.experiment.schedule->at(node_.round());
  optimizer_.step(node_.x(), static_cast<float>(lr), u_.view());
  return loss;
}

void NodeRun::judge(double loss) {
  if (loss <= config_.loss_limit) return;
  member_.fail(std::isfinite(loss) ? Failure::Kind::kDiverged : Failure::Kind::kNonFinite, "loss",
               fmt::format("node {} has diverged after {} rounds: its loss is {:.3g}", node_.id(),
                           node_.round(), loss));
}

void NodeRun::look(Round completed) {
  if (shared_.observatory.watches(completed)) leave_sighting(completed);
}

void NodeRun::leave_sighting(Round completed) {
  const PhaseScope other(node_.timeline(), Phase::kOther);
  const MemberStats before = member_.stats();
  std::optional<Evaluation> evaluation;
  if (objective_ && shared_.tests_own_models)
    evaluation = objective_->evaluate(node_.x(), objective_->statistics());
  mean_ = takes_mean() ? member_.mean_model() : MeanOfNodes{};
  member_.leave_out(member_.stats().now - before.now);  // looking is not part of the run
  Sighting sighting{.node = node_.id(),
                    .completed = completed,
                    .bytes_sent = before.bytes_sent,
                    .payload_bytes = before.payload_bytes,
                    .now = member_.stats().now,
                    .clock = member_.stats().clock,
                    .spent = before.spent,
                    .edges = {before.edges_lost, before.edges_back, before.copies_repaired},
                    .evaluation = evaluation,
                    .mean = mean_.numbers};
  if (batches_ > 0) sighting.train_loss = losses_ / static_cast<double>(batches_);
  losses_ = 0.0;
  batches_ = 0;
  shared_.observatory.leave(sighting, node_.x(), statistics());
}

bool NodeRun::takes_mean() const {
  // Where a run goes on without lost nodes, one that is stopped leaves alone.
  if (member_.stopped() && config_.on_peer_loss == "drop") return false;
  if (shared_.takes_mean == TakesMean::kAtReports) return true;
  const bool is_end = member_.stopped() == node_.round() || node_.round() == config_.rounds;
  return shared_.takes_mean == TakesMean::kAtTheEnd && is_end;
}

CVec NodeRun::statistics() const {
  return objective_ ? objective_->statistics() : CVec(nullptr, 0);
}

void NodeRun::show_state(StateVisitor& visitor) {
  auto losses = std::bit_cast<std::uint64_t>(losses_);
  visitor.visit("losses", losses);
  losses_ = std::bit_cast<double>(losses);
  visitor.visit("batches", batches_);
  if (objective_) objective_->visit_state(visitor);
  optimizer_.visit_state(visitor);
}

}  // namespace gossamer
