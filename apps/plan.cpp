#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/command.hpp"
#include "apps/human.hpp"
#include "apps/shell_quote.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gossamer/base/units.hpp"
#include "gossamer/plan/layer_shapes.hpp"
#include "gossamer/plan/machine.hpp"
#include "gossamer/plan/measured_links.hpp"
#include "gossamer/plan/planner.hpp"
#include "gossamer/train/experiment.hpp"

namespace gossamer::cli {
namespace {

struct PlanArguments {
  // The model.
  std::string model = "lenet";
  std::string data;
  std::string batch;
  std::string layers;
  std::string compute;
  NodeId nodes = 0;  // 0: as many as the network says, else 8
  std::uint64_t seed = 0;

  // The network; what is not given is as SimSetup has it.
  std::string bandwidth;
  std::string latency;
  std::string links;
  std::string platform;
  unsigned shared_cores = 0;
  double byte_cpu_ns = 0;

  // What is planned.
  std::string methods;
  std::vector<std::string> topologies;
  std::size_t top = 12;
  bool json = false;
};

template <typename T>
T parsed(const char* option, Result<T> result) {
  if (!result) throw BadInput(fmt::format("{}: {}", option, result.error().message));
  return std::move(result).value();
}

/// Nothing is trained here, so no step is needed.
class NoGamma final : public GammaSource {
 public:
  [[nodiscard]] Result<float> gamma_for(const Experiment&) override { return 1.0f; }
};

/// What is known of the machine and the model before anything is simulated.
struct Problem {
  std::unique_ptr<Experiment> experiment;  // nothing where only layers are given
  Layout layout;
  Duration gradient{};
  bool gradient_is_measured = false;
};

// Nodes that share cores also share caches: they are measured together.
NodeId measured_at_once(const PlanArguments& arguments) {
  constexpr NodeId kMost = 8;
  return arguments.shared_cores == 0 ? 1 : std::min(arguments.nodes, kMost);
}

Problem problem_of(const PlanArguments& arguments) {
  Problem problem;
  if (!arguments.layers.empty()) {
    problem.layout = parsed("--layers", parse_layers(arguments.layers));
    if (arguments.compute.empty()) {
      throw BadInput(
          "--layers says how large a model is, not how long a step takes: give that as --compute "
          "20ms, or a --model that can be measured");
    }
  } else {
    RunConfig config;
    config.model = arguments.model;
    config.data = arguments.data;
    config.batch = arguments.batch;
    config.nodes = arguments.nodes;
    config.algorithm = "dpsgd";
    config.seed = arguments.seed;
    NoGamma none;
    problem.experiment = value_or_throw(make_experiment(config, none));
    problem.layout = problem.experiment->layout();
  }
  if (!arguments.compute.empty()) {
    problem.gradient = parsed("--compute", parse_duration(arguments.compute));
  } else {
    problem.gradient = measure_gradient(*problem.experiment->task, measured_at_once(arguments),
                                        problem.experiment->optimizer);
    problem.gradient_is_measured = true;
  }
  return problem;
}

void refuse_two_networks(const PlanArguments& arguments) {
  const std::array<std::pair<const char*, bool>, 4> given = {{
      {"--links", !arguments.links.empty()},
      {"--platform", !arguments.platform.empty()},
      {"--bandwidth", !arguments.bandwidth.empty()},
      {"--latency", !arguments.latency.empty()},
  }};
  for (const std::size_t whole : {0u, 1u}) {
    if (!given[whole].second) continue;
    for (std::size_t other = whole + 1; other < given.size(); ++other) {
      if (!given[other].second) continue;
      throw BadInput(fmt::format("{} says all about the network: leave out {}", given[whole].first,
                                 given[other].first));
    }
  }
}

// Before anything is measured, which takes a while. Decides how many nodes there are.
SimSetup network_of(PlanArguments& arguments) {
  refuse_two_networks(arguments);
  constexpr NodeId kUsual = 8;
  SimSetup network;
  if (!arguments.links.empty()) {
    MeasuredLinks links = value_or_throw(read_measured_links(arguments.links));
    if (arguments.nodes != 0 && arguments.nodes != links.nodes) {
      throw BadInput(
          fmt::format("--nodes is {}, but {} has the links of {} nodes: leave out --nodes",
                      arguments.nodes, arguments.links, links.nodes));
    }
    arguments.nodes = links.nodes;
    network = std::move(links.network);
  }
  if (arguments.nodes == 0) arguments.nodes = kUsual;
  if (!arguments.bandwidth.empty())
    network.bandwidth = parsed("--bandwidth", parse_bandwidth(arguments.bandwidth));
  if (!arguments.latency.empty())
    network.latency = parsed("--latency", parse_duration(arguments.latency));
  network.platform_file = arguments.platform;
  return network;
}

void measure_processors(const PlanArguments& arguments, SimSetup& network) {
  network.processors =
      value_or_throw(measure_messages(std::max(NodeId{2}, measured_at_once(arguments))));
  network.processors.shared_cores = arguments.shared_cores;
  network.processors.seconds_per_byte += 1e-9 * arguments.byte_cpu_ns;
}

std::vector<Candidate> candidates_for(const PlanArguments& arguments) {
  std::vector<Candidate> usual = usual_candidates(arguments.nodes);
  if (arguments.methods.empty() && arguments.topologies.empty()) return usual;
  std::vector<MethodSpec> methods;
  std::vector<std::string> topologies = arguments.topologies;
  for (const Candidate& candidate : usual) {
    if (arguments.methods.empty() && std::ranges::count(methods, candidate.method) == 0)
      methods.push_back(candidate.method);
    if (arguments.topologies.empty() && std::ranges::count(topologies, candidate.topology) == 0)
      topologies.push_back(candidate.topology);
  }
  if (!arguments.methods.empty()) methods = parsed("--methods", parse_methods(arguments.methods));
  return value_or_throw(candidates_of(methods, topologies));
}

bool is_compressed(const Candidate& candidate) {
  const MethodSpec& method = candidate.method;
  return method.compressor != "identity" || method.algorithm.starts_with("powergossip");
}

// The fastest of those that are compressed, or of those that are not; the forecasts are sorted.
const Forecast* fastest(const std::vector<Forecast>& forecasts, bool compressed) {
  const auto found = std::ranges::find_if(forecasts, [&](const Forecast& forecast) {
    return is_compressed(forecast.candidate) == compressed &&
           forecast.candidate.method.local_steps == 1;
  });
  return found == forecasts.end() ? nullptr : &*found;
}

std::string command_for(const PlanArguments& arguments, const Candidate& candidate) {
  const MethodSpec& method = candidate.method;
  std::string command = "gossamer train";
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) command += fmt::format(" {} {}", option, shell_word(value));
  };
  if (arguments.layers.empty()) add("--model", arguments.model);
  add("--data", arguments.data);
  add("--batch", arguments.batch);
  add("--nodes", fmt::format("{}", arguments.nodes));
  add("--topology", candidate.topology == "ring" ? "" : candidate.topology);
  add("--algorithm", method.algorithm);
  add("--compressor", method.compressor == "identity" ? "" : method.compressor);
  add("--local-steps", method.local_steps == 1 ? "" : fmt::format("{}", method.local_steps));
  add("--gamma", method.gamma);
  return command;
}

// Whether compression pays here, in one sentence.
std::string verdict_on(const std::vector<Forecast>& forecasts) {
  const Forecast* const compressed = fastest(forecasts, true);
  const Forecast* const dense = fastest(forecasts, false);
  if (compressed == nullptr || dense == nullptr) return {};
  const double gain = dense->round.seconds / compressed->round.seconds;
  const auto name = [](const Forecast& forecast) { return forecast.candidate.method.text(); };
  if (gain < 1.1) {
    return fmt::format(
        "Compression does not pay here: {} takes {:.4g} s a round without it, {} {:.4g} s with it; "
        "most of a round is {}.",
        name(*dense), dense->round.seconds, name(*compressed), compressed->round.seconds,
        name_of(dense->limit));
  }
  return fmt::format("Compression pays: a round of {} is {:.1f} times as fast as one of {}.",
                     name(*compressed), gain, name(*dense));
}

std::string optional_number(std::optional<double> number) {
  return number ? fmt::format("{:.2g}", *number) : "-";
}

nlohmann::ordered_json json_of(const Forecast& forecast, const PlanArguments& arguments) {
  nlohmann::ordered_json row{{"method", forecast.candidate.method.text()},
                             {"topology", forecast.candidate.topology},
                             {"seconds_per_round", forecast.round.seconds},
                             {"bytes_per_node", forecast.round.bytes_per_node},
                             {"limit", name_of(forecast.limit)}};
  if (forecast.spectral_gap) row["spectral_gap"] = *forecast.spectral_gap;
  if (forecast.safe_gamma) row["safe_gamma"] = *forecast.safe_gamma;
  row["warnings"] = forecast.warnings;
  row["command"] = command_for(arguments, forecast.candidate);
  return row;
}

void print_table(const std::vector<Forecast>& forecasts, std::size_t top) {
  fmt::print("\n{:>4} {:<28} {:<18} {:>10} {:>12} {:<10} {:>9} {:>11}\n", "", "method", "topology",
             "s/round", "sent/node", "limit", "gap", "safe gamma");
  for (std::size_t i = 0; i < forecasts.size() && i < top; ++i) {
    const Forecast& forecast = forecasts[i];
    fmt::print("{:>3}. {:<28} {:<18} {:>10.4g} {:>12} {:<10} {:>9} {:>11}\n", i + 1,
               forecast.candidate.method.text(),
               forecast.spectral_gap ? forecast.candidate.topology : "-", forecast.round.seconds,
               human_bytes(forecast.round.bytes_per_node), name_of(forecast.limit),
               optional_number(forecast.spectral_gap), optional_number(forecast.safe_gamma));
  }
  if (forecasts.size() > top)
    fmt::print("     and {} more: --top {}\n", forecasts.size() - top, forecasts.size());
}

int run_plan(PlanArguments arguments) {
  SimSetup network = network_of(arguments);
  const std::vector<Candidate> candidates = candidates_for(arguments);
  const Problem problem = problem_of(arguments);
  measure_processors(arguments, network);
  if (!arguments.json) {
    fmt::print(
        "{} numbers, {} nodes; a step takes {:.3g} ms{}; a message costs {:.3g} us and {:.2g} ns a "
        "byte at each end\n",
        problem.layout.size(), arguments.nodes, 1e3 * seconds(problem.gradient),
        problem.gradient_is_measured ? " on this machine" : "",
        1e6 * seconds(network.processors.per_message), 1e9 * network.processors.seconds_per_byte);
  }
  Planner planner({.nodes = arguments.nodes,
                   .layout = problem.layout,
                   .gradient = problem.gradient,
                   .network = network,
                   .seed = arguments.seed});
  std::vector<Forecast> forecasts;
  for (const Candidate& candidate : candidates)
    forecasts.push_back(value_or_throw(planner.forecast(candidate)));
  std::ranges::stable_sort(forecasts, {}, [](const Forecast& f) { return f.round.seconds; });
  if (arguments.json) {
    for (const Forecast& forecast : forecasts)
      fmt::print("{}\n", json_of(forecast, arguments).dump());
    return kSuccess;
  }
  print_table(forecasts, arguments.top);
  fmt::print("\n{}\nThe fastest round:\n  {}\n", verdict_on(forecasts),
             command_for(arguments, forecasts.front().candidate));
  return kSuccess;
}

}  // namespace

void add_plan_command(CLI::App& program, Action& action) {
  CLI::App* const command = program.add_subcommand(
      "plan", "Says what to run on a network: simulates methods with this machine's speed");
  const auto arguments = std::make_shared<PlanArguments>();
  PlanArguments& a = *arguments;
  command->add_option("--model", a.model, "Network, as for train [lenet]");
  command->add_option("--data", a.data, "As for train");
  command->add_option("--batch", a.batch, "Samples per step and node");
  command->add_option("--layers", a.layers, "Instead of a model: linear:784x256,linear:256x10");
  command->add_option("--compute", a.compute, "Time of a step, as 20ms; measured if not given");
  command->add_option("--nodes", a.nodes, "How many nodes [8, or those of --links]")
      ->check(CLI::Range(2, 100'000));
  command->add_option("--bandwidth", a.bandwidth, "Of each node, each way, as 50Mbps [1Gbps]");
  command->add_option("--latency", a.latency, "From node to node, one way, as 20ms [100us]");
  command->add_option("--links", a.links, "The links of all peers, from doctor --json, instead")
      ->option_text("FILE");
  command->add_option("--platform", a.platform, "A SimGrid platform instead")->option_text("FILE");
  command->add_option("--shared-cores", a.shared_cores,
                      "Cores of one computer that all nodes share, as containers; 0: none");
  command
      ->add_option("--byte-cpu", a.byte_cpu_ns,
                   "Nanoseconds that a byte costs each end beyond what loopback does [0]")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--methods", a.methods, "Instead of the usual: allreduce,choco/sign,...");
  command->add_option("--topologies", a.topologies, "Instead of the usual: ring,torus")
      ->delimiter(',');
  command->add_option("--seed", a.seed, "Of random graphs [0]");
  command->add_option("--top", a.top, "Rows of the table [12]");
  command->add_flag("--json", a.json, "One JSON object per candidate, the fastest first");
  command->footer(R"(Examples:
  gossamer plan --model lenet --nodes 16 --bandwidth 50Mbps --latency 20ms
  gossamer plan --layers linear:784x1024,linear:1024x10 --compute 5ms --nodes 1024
  gossamer launch --peers peers.toml -- doctor --json > links.jsonl
  gossamer plan --model lenet --links links.jsonl
  gossamer plan --model resnet20 --data cifar10 --platform cluster.xml --nodes 32)");
  command->callback(
      [arguments, &action] { action = [arguments] { return run_plan(*arguments); }; });
}

}  // namespace gossamer::cli
