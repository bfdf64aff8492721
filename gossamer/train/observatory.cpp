#include "gossamer/train/observatory.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace gossamer {

Observatory::Observatory(const Experiment& experiment, std::vector<Round> watched,
                         Callback callback)
    : experiment_(experiment),
      meter_(make_meter(experiment)),
      watched_(std::move(watched)),
      callback_(std::move(callback)) {
  std::ranges::sort(watched_);
}

bool Observatory::watches(Round completed) const {
  return watched_.empty() || std::ranges::binary_search(watched_, completed);
}

void Observatory::leave(const Sighting& sighting, CVec x) {
  const std::lock_guard lock(mutex_);
  const auto [place, is_new] = pending_.try_emplace(sighting.completed);
  Pending& pending = place->second;
  if (is_new) {
    pending.missing = experiment_.endpoints();
    if (!spare_.empty()) {
      pending.models = std::move(spare_.back());
      spare_.pop_back();
    } else {
      for (NodeId id = 0; id < experiment_.config.nodes; ++id)
        pending.models.emplace_back(experiment_.layout().size());
    }
  }
  if (sighting.node < experiment_.config.nodes) {
    pending.models[sighting.node].view() = x;
    pending.spent += sighting.spent;
  }
  pending.bytes += sighting.bytes_sent;
  pending.latest = std::max(pending.latest, sighting.now);
  if (--pending.missing > 0) return;
  measure(sighting.completed, pending);
  spare_.push_back(std::move(pending.models));
  pending_.erase(place);
}

void Observatory::measure(Round completed, const Pending& pending) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  Measurement measurement = meter_->measure(pending.models);
  measurement.round = completed;
  measurement.bytes_sent_per_node =
      static_cast<double>(pending.bytes) / static_cast<double>(experiment_.config.nodes);
  const bool is_virtual = experiment_.config.network == "sim";
  const Duration elapsed =
      pending.latest.time_since_epoch() - (is_virtual ? Duration{} : measuring_);
  measurement.seconds = seconds(elapsed);
  measurement.spent = pending.spent / experiment_.config.nodes;
  callback_(measurement, pending.models);
  measuring_ += std::chrono::duration_cast<Duration>(Clock::now() - begin);
}

std::vector<Round> default_reports(Round rounds) {
  std::vector<Round> reports;
  for (Round decade = 1; decade <= rounds; decade *= 10) {
    for (const Round step : {1, 2, 5}) {
      if (step * decade < rounds) reports.push_back(step * decade);
    }
  }
  reports.push_back(rounds);
  return reports;
}

}  // namespace gossamer
