#include "gossamer/train/metrics_file.hpp"

#include <stdexcept>

#include "gossamer/events/measurement_json.hpp"

namespace gossamer {

void MetricsFile::take(const Event& event) {
  if (const Began* const began = std::get_if<Began>(&event.what)) return begin(began->from);
  const Measured& measured = std::get<Measured>(event.what);
  const Result<void> appended = folder_.append_metrics(to_json(measured.measurement));
  if (!appended) throw std::runtime_error(appended.error().message);
}

// All nodes of a process begin with the same round.
void MetricsFile::begin(Round from) {
  if (std::exchange(has_begun_, true)) return;
  const Result<void> kept = from == 0 ? folder_.forget_metrics() : folder_.keep_metrics_until(from);
  if (!kept) throw std::runtime_error(kept.error().message);
}

}  // namespace gossamer
