#include "gossamer/settings/config_fields.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gossamer/base/text/units.hpp"
#include "gossamer/network/registry.hpp"
#include "gossamer/settings/field_list.hpp"

namespace gossamer {
namespace {

ConfigKey train_only(std::string name, std::string help) {
  return {std::move(name), std::move(help), true, false, false, {}};
}

ConfigKey consensus_only(std::string name, std::string help) {
  return {std::move(name), std::move(help), false, true, false, {}};
}

ConfigKey both(std::string name, std::string help) {
  return {std::move(name), std::move(help), true, true, false, {}};
}

constexpr double kAny = std::numeric_limits<double>::max();
constexpr Round kManyRounds = 1'000'000'000'000;

void add_problem(FieldList& fields) {
  fields
      .text(train_only("task", "What to learn: network, logistic, least-squares or quadratic"),
            &RunConfig::task)
      .text(train_only(
                "model",
                "Network: lenet, lstm, FILE.pt, ...; gossamer list has all; lenet if not given"),
            &RunConfig::model)
      .text(both("data",
                 "fashion-mnist, a folder, a text, LIBSVM rows; for consensus a CSV row per node"),
            &RunConfig::data)
      .number<std::size_t>(
          both("dim", "Length of the model, for consensus, quadratic and built-in sets"),
          &RunConfig::dim, 0, std::size_t{1} << 31)
      .text(consensus_only("matrix", "Shape of the model, as 100x100, for consensus"),
            &RunConfig::matrix)
      .optional_number(consensus_only("decay",
                                      "Singular values of a random matrix fall as 1 / k^decay; "
                                      "normal numbers if not given"),
                       &RunConfig::decay, 0.0, 100.0)
      .optional_number(train_only("l2", "Weight of the squared norm; 1 / samples if not given"),
                       &RunConfig::l2, 0.0, kAny)
      .number(train_only("condition", "Largest curvature of the quadratic over its smallest"),
              &RunConfig::condition, 1.0, kAny)
      .number(train_only("noise", "Standard deviation of the quadratic's gradients"),
              &RunConfig::noise, 0.0, kAny)
      .text(train_only("partition", "Who gets which rows: contiguous, iid, sorted, dirichlet:0.1"),
            &RunConfig::partition)
      .text(train_only("batch", "Samples per step and node, or 'full'; 32 for networks, else 1"),
            &RunConfig::batch)
      .text(train_only(
                "sampling",
                "How samples are drawn: epochs, global (dealt out anew each epoch), replacement"),
            &RunConfig::sampling, {"epochs", "global", "replacement"})
      .text(
          train_only("augment", "What training does to pictures: none, flip, crop=4, flip,crop=4"),
          &RunConfig::augment)
      .number<std::size_t>(train_only("vocabulary", "Words that a language model knows"),
                           &RunConfig::vocabulary, 3, 10'000'000)
      .text(train_only(
                "loss",
                "Of a TorchScript file: cross-entropy or nll; what it says itself if not given"),
            &RunConfig::loss)
      .text(train_only("input-shape", "Of a TorchScript file: the pictures it takes, as 1x28x28"),
            &RunConfig::input_shape);
}

void add_method(FieldList& fields) {
  fields.of_own_loops(true)
      .add(
          both("nodes", "How many nodes; if not given, as many as the graph or the file has, or 8"),
          Form::kNumber,
          [](RunConfig& config, std::string_view value) {
            return set_number<NodeId>(config.nodes, value, 1, 1'000'000);
          },
          [](const RunConfig& config) -> std::optional<std::string> {
            if (config.nodes == 0) return std::nullopt;
            return fmt::format("{}", config.nodes);
          })
      .text(both("topology", "Who talks to whom: ring, torus:4x8, ..."), &RunConfig::topology)
      .text(both("algorithm", "What the nodes do: choco, powergossip:rank=2, ..."),
            &RunConfig::algorithm)
      .text(both("compressor", "How messages are compressed: sign, topk:0.01, ..."),
            &RunConfig::compressor)
      .text(both("gamma", "Consensus step size: a number, or 'auto' to tune it"), &RunConfig::gamma)
      .text(both("ordering", "Gossip after the gradient step (atc) or beside it (cwa)"),
            &RunConfig::ordering, {"atc", "cwa"})
      .number<Round>(train_only("local-steps", "Steps between two meetings"),
                     &RunConfig::local_steps, 1, 0xFFFFFFFF)
      .text(train_only("optimizer", "sgd, heavy-ball:0.9 or nesterov:0.9,weight-decay=1e-4,..."),
            &RunConfig::optimizer)
      .optional_number(train_only("lr", "Learning rate; 0.1 if not given"), &RunConfig::lr, 0.0,
                       kAny)
      .text(train_only("schedule", "constant, cosine, step:at=100/200, inverse:a=400,b=200"),
            &RunConfig::schedule)
      .number<std::uint64_t>(both("seed", "Decides every random number"), &RunConfig::seed, 0,
                             std::numeric_limits<std::int64_t>::max());
}

void add_watching(FieldList& fields) {
  // The last one given counts.
  fields.of_own_loops(false)
      .add(
          train_only("epochs",
                     "How often to see all the data; 5 for networks if no rounds are given"),
          Form::kNumber,
          [](RunConfig& config, std::string_view value) {
            const Result<void> set = set_number(config.epochs, value, 1e-6, 1e9);
            if (set) config.rounds = 0;
            return set;
          },
          [](const RunConfig& config) -> std::optional<std::string> {
            if (config.epochs == 0.0) return std::nullopt;
            return fmt::format("{}", config.epochs);
          })
      .of_own_loops(true)
      .add(
          both("rounds", "How many rounds; 1000 if neither these nor epochs are given"),
          Form::kNumber,
          [](RunConfig& config, std::string_view value) {
            const Result<void> set = set_number<Round>(config.rounds, value, 1, kManyRounds);
            if (set) config.epochs = 0.0;
            return set;
          },
          [](const RunConfig& config) -> std::optional<std::string> {
            if (config.rounds == 0 || config.epochs != 0.0) return std::nullopt;
            return fmt::format("{}", config.rounds);
          })
      .of_own_loops(false)
      .list<Round>(both("report", "Rounds to report, as 100,300,1000"), &RunConfig::report, 0,
                   kManyRounds)
      .list<double>(consensus_only("tolerance", "Errors whose first round is wanted, as 1e-2,1e-4"),
                    &RunConfig::tolerances, 0.0, kAny)
      .number(both("loss-limit", "A loss or an error above it counts as divergence"),
              &RunConfig::loss_limit, 0.0, kAny)
      .of_own_loops(true)
      .optional_number<Round>(
          train_only("checkpoint-every",
                     "Rounds between checkpoints; 0: none; 100 for processes with a --run-dir"),
          &RunConfig::checkpoint_every, 0, kManyRounds)
      .quantity(
          both("patience", "How long a node waits for a neighbour before it gives up"),
          [](auto& config) -> auto& { return config.patience; }, parse_duration, format_duration);
}

std::vector<std::string> world_names() {
  std::vector<std::string> names;
  for (const WorldInfo& world : worlds())
    names.emplace_back(world.name);
  return names;
}

void add_world(FieldList& fields) {
  fields
      .text(both("network", fmt::format("Where it runs: {}; gossamer list says what these are",
                                        fmt::join(world_names(), ", "))),
            &RunConfig::network, world_names())
      .text(train_only("on-peer-loss", "Of TLS peers: stop together, or drop the edge and go on"),
            &RunConfig::on_peer_loss, {"stop", "drop"})
      .of_own_loops(false)
      .text(train_only("on-partition",
                       "Of peers that drop others: a part of at most half of them waits (stop) "
                       "or goes on"),
            &RunConfig::on_partition, {"stop", "go-on"})
      .quantity(
          train_only("rejoin-for",
                     "How long a peer that is cut off tries to come back before it ends"),
          [](auto& config) -> auto& { return config.rejoin_for; }, parse_duration, format_duration)
      .text(train_only("report-mean",
                       "Of TLS peers: the averaged model at every report, or at the end alone"),
            &RunConfig::report_mean, {"no", "yes"})
      .of_own_loops(true)
      .quantity(
          train_only("peer-deadline", "How long a TLS peer may be silent before it is lost"),
          [](auto& config) -> auto& { return config.peer_deadline; }, parse_duration,
          format_duration)
      .number<Round>(train_only("audit-every",
                                "Rounds after which processes compare what they hold of each "
                                "other; 0: never"),
                     &RunConfig::audit_every, 0, kManyRounds)
      .quantity(
          both("sim.bandwidth", "Of each node's connection, each way, as 100Mbps"),
          [](auto& config) -> auto& { return config.sim.bandwidth; }, parse_bandwidth,
          format_bandwidth)
      .quantity(
          both("sim.latency", "From any node to any other, one way, as 10ms"),
          [](auto& config) -> auto& { return config.sim.latency; }, parse_duration, format_duration)
      .quantity(
          both("sim.compute", "Time of one gradient step, as 5ms"),
          [](auto& config) -> auto& { return config.compute.per_step; }, parse_duration,
          format_duration)
      .add(
          both("sim.straggler-probability", "How often a step is a straggler"), Form::kNumber,
          [](RunConfig& config, std::string_view text) {
            return set_number(config.compute.straggler_probability, text, 0.0, 1.0);
          },
          [](const RunConfig& config) {
            return fmt::format("{}", config.compute.straggler_probability);
          })
      .add(
          both("sim.straggler-factor", "How much longer a straggler takes"), Form::kNumber,
          [](RunConfig& config, std::string_view text) {
            return set_number(config.compute.straggler_factor, text, 1.0, 1e9);
          },
          [](const RunConfig& config) {
            return fmt::format("{}", config.compute.straggler_factor);
          })
      .add(
          both("sim.platform", "A SimGrid platform file instead"), Form::kText,
          [](RunConfig& config, std::string_view text) -> Result<void> {
            config.sim.platform_file = text;
            return {};
          },
          [](const RunConfig& config) -> std::optional<std::string> {
            if (config.sim.platform_file.empty()) return std::nullopt;
            return config.sim.platform_file;
          });
}

}  // namespace

const std::vector<Field>& config_fields() {
  static const std::vector<Field> all = [] {
    FieldList fields;
    add_problem(fields);
    add_method(fields);
    fields.that_decide(Decides::kNothing);
    add_watching(fields);
    add_world(fields);
    return fields.take();
  }();
  return all;
}

const Field* find_field(std::string_view name) {
  const auto field = std::ranges::find(config_fields(), name,
                                       [](const Field& candidate) { return candidate.key.name; });
  return field == config_fields().end() ? nullptr : &*field;
}

}  // namespace gossamer
