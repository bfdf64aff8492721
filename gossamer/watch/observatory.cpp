#include "gossamer/watch/observatory.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "gossamer/network/registry.hpp"

namespace gossamer {

Lookout::Lookout(std::vector<Round> watched) : watched_(std::move(watched)) {
  std::ranges::sort(watched_);
}

Observatory::Observatory(const Experiment& experiment, std::vector<Round> watched,
                         Callback callback, std::optional<NodeId> only)
    : Lookout(std::move(watched)),
      experiment_(experiment),
      meter_(make_meter(experiment)),
      callback_(std::move(callback)),
      only_(only) {}

bool Lookout::watches(Round completed) const {
  return watched_.empty() || std::ranges::binary_search(watched_, completed);
}

void Observatory::leave(const Sighting& sighting, CVec x, CVec statistics) {
  const std::lock_guard lock(mutex_);
  auto round = pending_.find(sighting.completed);
  if (round == pending_.end()) round = pending_.emplace(sighting.completed, new_pending()).first;
  Pending& pending = round->second;
  if (sighting.node < experiment_.config.nodes) {
    const NodeId place = only_ ? 0 : sighting.node;
    pending.models[place].view() = x;
    FloatBuffer& kept = pending.statistics[place];
    if (kept.size() != static_cast<std::size_t>(statistics.size()))
      kept = FloatBuffer(static_cast<std::size_t>(statistics.size()));
    kept.view() = statistics;
    pending.evaluations[place] = sighting.evaluation;
    pending.train_losses[place] = sighting.train_loss;
    pending.mean.assign(sighting.mean.begin(), sighting.mean.end());
    pending.spent += sighting.spent;
  }
  pending.bytes += sighting.bytes_sent;
  pending.payload_bytes += sighting.payload_bytes;
  pending.edges += sighting.edges;
  pending.latest = std::max(pending.latest, sighting.now);
  pending.clock = std::max(pending.clock, sighting.clock);
  if (--pending.missing > 0) return;
  measure(sighting.completed, pending);
  spare_.push_back(std::move(pending));
  pending_.erase(round);
}

Observatory::Pending Observatory::new_pending() {
  const NodeId nodes = seen_nodes();
  Pending pending;
  pending.missing = only_ ? 1 : experiment_.endpoints();
  pending.evaluations.resize(nodes);
  pending.train_losses.resize(nodes);
  if (spare_.empty()) {
    pending.statistics.resize(nodes);
    for (NodeId id = 0; id < nodes; ++id)
      pending.models.emplace_back(experiment_.layout().size());
  } else {
    pending.models = std::move(spare_.back().models);
    pending.statistics = std::move(spare_.back().statistics);
    spare_.pop_back();
  }
  return pending;
}

void Observatory::measure(Round completed, const Pending& pending) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  const SeenModels seen{pending.models, pending.statistics, pending.mean, pending.evaluations,
                        pending.clock};
  Measurement measurement = meter_->measure(seen);
  if (only_) {
    measurement.is_own = pending.mean.empty();
    measurement.consensus_distance.reset();
    measurement.farthest_node = *only_;
  }
  measurement.round = completed;
  if (experiment_.rounds_per_epoch)
    measurement.epoch = static_cast<double>(completed) / *experiment_.rounds_per_epoch;
  if (pending.train_losses.front()) {
    // In the order of ids, so that the sum has the same bits in every run.
    double sum = 0.0;
    for (const std::optional<double>& own : pending.train_losses)
      sum += *own;
    measurement.train_loss = sum / static_cast<double>(seen_nodes());
  }
  const auto nodes = static_cast<double>(seen_nodes());
  measurement.bytes_sent_per_node = static_cast<double>(pending.bytes) / nodes;
  measurement.payload_bytes_per_node = static_cast<double>(pending.payload_bytes) / nodes;
  const bool is_virtual =
      find_world(experiment_.config.network).value().clock == WorldClock::kVirtual;
  const Duration elapsed =
      pending.latest.time_since_epoch() - (is_virtual ? Duration{} : measuring_);
  measurement.seconds = seconds(elapsed);
  measurement.spent = pending.spent / seen_nodes();
  measurement.edges = pending.edges;
  callback_(measurement, seen);
  measuring_ += std::chrono::duration_cast<Duration>(Clock::now() - begin);
}

std::vector<Round> default_reports(const Experiment& experiment) {
  const Round rounds = experiment.config.rounds;
  std::vector<Round> reports;
  if (experiment.config.task == "network") {
    for (double epoch = 1.0;; ++epoch) {
      const auto end = static_cast<Round>(std::ceil(epoch * *experiment.rounds_per_epoch));
      if (end >= rounds) break;
      reports.push_back(end);
    }
    reports.push_back(rounds);
    return reports;
  }
  for (Round decade = 1; decade <= rounds; decade *= 10) {
    for (const Round step : {1, 2, 5}) {
      if (step * decade < rounds) reports.push_back(step * decade);
    }
  }
  reports.push_back(rounds);
  return reports;
}

}  // namespace gossamer
