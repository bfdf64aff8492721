#include "gossamer/train/run.hpp"

#include "gossamer/train/follower.hpp"
#include "gossamer/train/node_run.hpp"
#include "gossamer/train/world_run.hpp"

namespace gossamer {

Result<RunOutcome> run_experiment(const Experiment& experiment, const RunOptions& options) {
  Follower follower(experiment, options);
  Observatory observatory(
      experiment, follower.watched(),
      [&](const Measurement& measurement, const SeenModels& seen) { follower(measurement, seen); });
  const SharedByLoops shared{experiment, observatory, options.tests_own_models};
  const Result<WorldEnd> end =
      run_world(experiment, options, [&](Member& member) { NodeRun(member, shared).run(); });
  if (!end) return end.error();
  if (const std::optional<Failure> cause = first_cause(end.value().failures))
    return follower.finish(*cause);
  if (end.value().unfinished) return follower.finish_without(*end.value().unfinished);
  if (options.stop != nullptr && options.stop->line())
    return follower.finish_early(*options.stop->line());
  return follower.finish();
}

}  // namespace gossamer
