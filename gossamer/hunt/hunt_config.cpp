#include "gossamer/hunt/hunt_config.hpp"

#include "gossamer/algorithms/registry.hpp"

namespace gossamer {
namespace {

constexpr Round kCheckpointEvery = 20;
constexpr Round kAuditEvery = 30;

}  // namespace

RunConfig config_of(const Hunt& hunt) {
  RunConfig config;
  config.task = "quadratic";
  config.dim = 12;
  config.noise = 0.1;
  config.lr = 0.01;
  config.nodes = hunt.nodes;
  config.topology = hunt.topology;
  config.algorithm = hunt.algorithm;
  config.compressor = hunt.compressor;
  config.rounds = hunt.rounds;
  config.report = {hunt.rounds};
  config.seed = hunt.seed;
  config.network = "tls";
  config.on_peer_loss = "drop";
  config.patience = kHuntPatience;
  config.peer_deadline = kHuntDeadline;
  config.rejoin_for = 10 * kHuntPatience;
  config.audit_every = kAuditEvery;
  config.checkpoint_every = kCheckpointEvery;
  config.compute.per_step = hunt.compute;
  // A number, so that nothing is tuned.
  const Result<AlgorithmInfo> algorithm = find_algorithm(hunt.algorithm);
  if (algorithm && algorithm.value().gamma == Gamma::kTuned) config.gamma = "0.2";
  return config;
}

RunConfig other_config_of(const Hunt& hunt) {
  RunConfig config = config_of(hunt);
  config.lr = 0.02;
  return config;
}

}  // namespace gossamer
