#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gossamer/base/ids.hpp"
#include "gossamer/base/result.hpp"
#include "gossamer/base/time.hpp"
#include "gossamer/network/sim/compute_model.hpp"
#include "gossamer/network/sim/sim.hpp"

namespace gossamer {

/// All that decides a run, as a user says it. One seed and one config give one result.
struct RunConfig {
  // What is learned.
  std::string task = "network";  // or logistic, least-squares, quadratic, consensus, own-loop
  std::string data;              // a file or a folder; empty: the task's own
  std::size_t dim = 0;           // length of the model where the task lets one choose; 0: its own
  std::string matrix;            // RxC: the shape of a consensus model
  std::optional<double> decay;   // its singular values fall as 1 / k^decay; none: normal numbers
  std::optional<double> l2;
  double condition = 10.0;
  double noise = 0.0;
  std::string partition = "iid";
  std::string batch;                // samples per step, or full; empty: 32 for networks, else 1
  std::string sampling = "epochs";  // or global, replacement

  // Of networks.
  std::string model;             // lenet, resnet20, lstm, a TorchScript file; empty: lenet
  std::string loss;              // of a TorchScript file, and
  std::string input_shape;       // the pictures it takes
  std::string augment = "none";  // flip,crop=4
  std::size_t vocabulary = 10'000;

  // By whom, and how.
  NodeId nodes = 0;  // 0: what the graph or the file says, else 8
  std::string topology = "ring";
  std::string algorithm = "choco";
  std::string compressor = "identity";
  std::string gamma;     // a number or auto; empty: what the algorithm takes by default
  std::string ordering;  // atc or cwa; empty: the paper's own
  Round local_steps = 1;
  std::string optimizer = "sgd";
  std::optional<double> lr;
  std::string schedule = "constant";
  // One of these; without either, 5 epochs of a network, else 1000 rounds.
  Round rounds = 0;
  double epochs = 0.0;
  std::uint64_t seed = 0;

  // What is watched.
  std::vector<Round> report;              // rounds; empty: a few, and the last
  std::vector<double> tolerances;         // of consensus, in descending order
  double loss_limit = 1e8;                // a larger loss, or consensus error, counts as divergence
  std::optional<Round> checkpoint_every;  // 0: never; nothing: see checkpoint_interval()
  Duration patience = std::chrono::minutes(5);

  // Where it runs.
  std::string network = "inproc";     // or sim, mpi, tls
  std::string on_peer_loss = "stop";  // or drop
  std::string on_partition = "stop";  // or go-on
  Duration rejoin_for = std::chrono::minutes(10);
  std::string report_mean = "no";  // or yes: the averaged model at each report, not only at the end
  Duration peer_deadline = std::chrono::seconds(10);
  Round audit_every = 100;  // 0: never
  SimSetup sim;
  ComputeModel compute;
};

/// What a config is for: the two commands that run one, or a loop of somebody's own.
enum class Command { kTrain, kConsensus, kOwnLoop };

/// A setting of a RunConfig by its name, which is the same in TOML and on the command line.
struct ConfigKey {
  std::string name;
  std::string help;
  bool in_train = true;
  bool in_consensus = true;
  bool in_own_loop = false;
  /// Its value in a RunConfig that nobody has touched; empty if it has none.
  std::string preset = {};
};

/// All keys there are, in the order in which users read about them.
[[nodiscard]] std::span<const ConfigKey> config_keys();

/// Whether the command, or loop, takes this key.
[[nodiscard]] bool is_used_by(Command command, const ConfigKey& key);

/// Sets one key from text, as `--set` and options do. An unknown key is an error that suggests the
/// nearest one.
[[nodiscard]] Result<void> set_config(RunConfig& config, std::string_view key,
                                      std::string_view text);

/// Sets all that a TOML file says.
[[nodiscard]] Result<void> read_config(RunConfig& config, const std::string& path);

/// The whole config as TOML that read_config() reads to the same config.
[[nodiscard]] std::string config_text(const RunConfig& config, Command command);

/// The settings that decide what is computed, `key = value`, in a fixed order: not where the run
/// takes place, nor how long it is, nor what is watched. Two runs can go on from each other's
/// checkpoints if these are equal.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> identity_of(const RunConfig& config);

/// All of that in 32 bits, which messages between processes carry (FrameHeader::setup).
[[nodiscard]] std::uint32_t identity_digest(const RunConfig& config);

}  // namespace gossamer
