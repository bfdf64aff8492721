#include "gossamer/experiment/checkpoint_interval.hpp"

#include <algorithm>

#include "gossamer/base/text/options.hpp"
#include "gossamer/network/registry.hpp"

namespace gossamer {

Round checkpoint_interval(const Experiment& experiment) {
  const RunConfig& config = experiment.config;
  if (config.checkpoint_every) return *config.checkpoint_every;
  const bool has_processes = find_world(config.network).value().home == NodeHome::kOwnProcess;
  if (!has_processes || !can_resume(experiment)) return 0;
  constexpr Round kLeast = 100;
  constexpr Round kMostCheckpoints = 100;
  return std::max(kLeast, (config.rounds + kMostCheckpoints - 1) / kMostCheckpoints);
}

Result<void> can_resume(const Experiment& experiment) {
  NamedOptions named = split_spec(experiment.config.algorithm);
  return experiment.algorithm.can_resume(named.options);
}

}  // namespace gossamer
