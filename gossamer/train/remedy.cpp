#include "gossamer/train/remedy.hpp"

#include <vector>

#include <fmt/format.h>

#include "gossamer/experiment/checkpoint_interval.hpp"

namespace gossamer {
namespace {

std::string why_none(const Experiment& experiment, const CheckpointStore* checkpoints) {
  if (checkpoints == nullptr) return "the run has no folder, give --run-dir";
  const Round interval = checkpoint_interval(experiment);
  if (interval == 0) return "--checkpoint-every is 0";
  return fmt::format("the first comes after {} rounds", interval);
}

}  // namespace

std::string remedy_for(const Failure& failure, const Experiment& experiment,
                       const CheckpointStore* checkpoints, NodeId self) {
  if (failure.kind != Failure::Kind::kLost && failure.kind != Failure::Kind::kStalled) return {};
  std::vector<Round> saved;
  if (checkpoints != nullptr) saved = checkpoints->saved_by(self);
  // Whoever is left goes on, and takes this node in.
  if (experiment.config.on_peer_loss == "drop") {
    if (saved.empty()) return "start this node again to join those who go on";
    return fmt::format(
        "start this node with --resume to join those who go on, with its checkpoint of round {}",
        saved.back());
  }
  if (saved.empty()) {
    return fmt::format("there is no checkpoint to go on from: {}",
                       why_none(experiment, checkpoints));
  }
  return fmt::format(
      "start all nodes with --resume to go on from round {}, or from the newest before it that all "
      "of them have",
      saved.back());
}

}  // namespace gossamer
