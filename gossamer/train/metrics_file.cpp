#include "gossamer/train/metrics_file.hpp"

#include <stdexcept>

#include "gossamer/events/measurement_json.hpp"

namespace gossamer {

void MetricsFile::take(const Event& event) {
  const Measured& measured = std::get<Measured>(event.what);
  const Result<void> appended = folder_.append_metrics(to_json(measured.measurement));
  if (!appended) throw std::runtime_error(appended.error().message);
}

}  // namespace gossamer
