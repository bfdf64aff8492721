#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/command.hpp"
#include "apps/commands/option_value.hpp"
#include "apps/commands/plan_network.hpp"
#include "apps/console/plan_output.hpp"
#include "apps/console/waiting_line.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "gossamer/base/text/parse_number.hpp"
#include "gossamer/base/text/units.hpp"
#include "gossamer/experiment/experiment.hpp"
#include "gossamer/plan/layer_shapes.hpp"
#include "gossamer/plan/machine.hpp"
#include "gossamer/plan/planner.hpp"
#include "gossamer/plan/recommendation.hpp"

namespace gossamer::cli {
namespace {

/// Nothing is trained here, so no step is needed.
class NoStepNeeded final : public GammaSource {
 public:
  [[nodiscard]] Result<float> gamma_for(const Experiment&) override { return 1.0f; }
};

/// What is known of the machine and the model before anything is simulated.
struct Problem {
  RunConfig config;                        // of the task alone
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

RunConfig config_of(const PlanArguments& arguments) {
  RunConfig config;
  const std::array<std::pair<const char*, const std::string&>, 6> given = {{
      {"task", arguments.task},
      {"model", arguments.model},
      {"data", arguments.data},
      {"batch", arguments.batch},
      {"partition", arguments.partition},
      {"optimizer", arguments.optimizer},
  }};
  for (const auto& [key, text] : given) {
    if (!text.empty()) check(set_config(config, key, text));
  }
  if (config.task == "consensus") throw BadInput("consensus learns nothing: it cannot be planned");
  config.lr = arguments.lr;
  config.nodes = arguments.nodes;
  config.seed = arguments.seed;
  return config;
}

Problem problem_of(const PlanArguments& arguments) {
  Problem problem;
  if (!arguments.layers.empty()) {
    problem.layout = option_value("--layers", parse_layers(arguments.layers));
    if (arguments.compute.empty()) {
      throw BadInput(
          "--layers says how large a model is, not how long a step takes: give that as --compute "
          "20ms, or a --model that can be measured");
    }
  } else {
    RunConfig config = problem.config = config_of(arguments);
    config.algorithm = "dpsgd";
    NoStepNeeded none;
    problem.experiment = value_or_throw(make_experiment(config, none));
    problem.layout = problem.experiment->layout();
  }
  if (!arguments.compute.empty()) {
    problem.gradient = option_value("--compute", parse_duration(arguments.compute));
  } else {
    problem.gradient = measure_gradient(*problem.experiment->task, measured_at_once(arguments),
                                        problem.experiment->optimizer);
    problem.gradient_is_measured = true;
  }
  return problem;
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
  if (!arguments.methods.empty())
    methods = option_value("--methods", parse_methods(arguments.methods));
  return value_or_throw(candidates_of(methods, topologies));
}

std::optional<Target> target_of(const PlanArguments& arguments, const Problem& problem) {
  if (arguments.target_accuracy && arguments.target_loss)
    throw BadInput("--target-accuracy and --target-loss are two targets: give one");
  std::optional<Target> target;
  if (arguments.target_accuracy) target = {Target::Quantity::kAccuracy, *arguments.target_accuracy};
  if (arguments.target_loss) target = {Target::Quantity::kLoss, *arguments.target_loss};
  if (!target) return std::nullopt;
  const char* const option = arguments.target_loss ? "--target-loss" : "--target-accuracy";
  if (!problem.experiment) {
    throw BadInput(
        fmt::format("{} is found out by training: give a --model instead of --layers", option));
  }
  const Result<void> checked = check_target(*problem.experiment->task, *target);
  if (!checked) throw BadInput(fmt::format("{}: {}", option, checked.error().message));
  return target;
}

void print_beginning(const PlanArguments& arguments, const Problem& problem,
                     const SimSetup& network) {
  fmt::print(
      "{} numbers, {} nodes, {}\n"
      "a step takes {:.3g} ms{}; a message costs each end {:.3g} us and {:.2g} ns a byte\n",
      problem.layout.size(), arguments.nodes, network_text(arguments, network),
      1e3 * seconds(problem.gradient), problem.gradient_is_measured ? " on this machine" : "",
      1e6 * seconds(network.processors.per_message), 1e9 * network.processors.seconds_per_byte);
}

void fly_pilots(const PlanArguments& arguments, const Problem& problem, const Target& target,
                std::vector<Prospect>& prospects) {
  const PilotSetup setup{
      .config = problem.config, .target = target, .rounds = arguments.pilot_rounds};
  const std::vector<std::size_t> chosen = choose_pilots(prospects, arguments.pilots);
  if (!arguments.json) {
    fmt::print("\n{} short runs of {} rounds{}\n", chosen.size(), arguments.pilot_rounds,
               arguments.nodes > setup.most_nodes
                   ? fmt::format(", with {} nodes instead of {}: more of them on a sparse graph "
                                 "mix more slowly",
                                 setup.most_nodes, arguments.nodes)
                   : "");
  }
  for (const std::size_t i : chosen) {
    Prospect& prospect = prospects[i];
    prospect.pilot = run_pilot(prospect.forecast.candidate, setup);
    if (arguments.json) continue;
    fmt::print("  {}: {}\n", prospect.method().text(), text_of(*prospect.pilot, target));
    std::fflush(stdout);
  }
  rank(prospects);
}

int run_plan(PlanArguments arguments) {
  SimSetup network = planned_network(arguments);
  const std::vector<Candidate> candidates = candidates_for(arguments);
  const Problem problem = problem_of(arguments);
  const std::optional<Target> target = target_of(arguments, problem);
  measure_processors(arguments, network);
  Planner planner({.nodes = arguments.nodes,
                   .layout = problem.layout,
                   .gradient = problem.gradient,
                   .network = network,
                   .seed = arguments.seed});
  std::vector<Prospect> prospects;
  {
    WaitingLine line;
    for (const Candidate& candidate : candidates) {
      line.say(fmt::format("simulating {} of {}", prospects.size() + 1, candidates.size()));
      prospects.push_back({.forecast = value_or_throw(planner.forecast(candidate))});
    }
  }
  rank(prospects);
  // Only now: what is refused prints nothing but its sentence.
  if (!arguments.json) print_beginning(arguments, problem, network);
  if (target) fly_pilots(arguments, problem, *target, prospects);
  if (arguments.json) {
    print_plan_json(arguments, prospects);
  } else {
    print_plan(arguments, prospects, target);
  }
  return kSuccess;
}

// CLI11's own says the same in six decimals.
template <typename Number>
CLI::Validator between(Number least, Number most) {
  return {[=](const std::string& text) {
            const auto number = parse_number<Number>(text);
            const bool is_within = number && *number >= least && *number <= most;
            return is_within
                       ? ""
                       : fmt::format("it is a number from {} to {}, not {}", least, most, text);
          },
          ""};
}

}  // namespace

void add_plan_command(CLI::App& program, Action& action) {
  CLI::App* const command = program.add_subcommand(
      "plan", "Says what to run on a network: simulates methods with this machine's speed");
  const auto arguments = std::make_shared<PlanArguments>();
  PlanArguments& a = *arguments;
  command->add_option("--task", a.task, "What is learned, as for train [network]");
  command->add_option("--model", a.model, "Network, as for train [lenet]");
  command->add_option("--data", a.data, "As for train");
  command->add_option("--batch", a.batch, "Samples per step and node, as for train");
  command->add_option("--partition", a.partition, "How data are split, as for train [iid]");
  command->add_option("--optimizer", a.optimizer, "As for train [sgd]");
  command->add_option("--lr", a.lr, "Learning rate, as for train");
  command->add_option("--layers", a.layers, "Instead of a model: linear:784x256,linear:256x10");
  command->add_option("--compute", a.compute, "Time of a step, as 20ms; measured if not given");
  command->add_option("--nodes", a.nodes, "How many nodes [8, or those of --links]")
      ->check(between<NodeId>(2, 100'000));
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
      ->check(between(0.0, 1e9));
  command->add_option("--methods", a.methods, "Instead of the usual: allreduce,choco/sign,...");
  command->add_option("--topologies", a.topologies, "Instead of the usual: ring,torus")
      ->delimiter(',');
  command->add_option("--target-accuracy", a.target_accuracy,
                      "Try the best out, and rank them by the time to this accuracy, as 0.85");
  command->add_option("--target-loss", a.target_loss, "The same for a loss");
  command->add_option("--pilot-rounds", a.pilot_rounds, "Rounds of each trial [300]")
      ->check(between<Round>(8, 1'000'000));
  command->add_option("--pilots", a.pilots, "How many methods are tried out [5]")
      ->check(between<std::size_t>(1, 100));
  command->add_option("--seed", a.seed, "Of random graphs and of trials [0]");
  command->add_option("--top", a.top, "Rows of the table [12]");
  command->add_flag("--json", a.json, "One JSON object per candidate, the best first");
  command->footer(R"(Examples:
  gossamer plan --model lenet --nodes 16 --bandwidth 50Mbps --latency 20ms
  gossamer plan --model lenet --bandwidth 50Mbps --target-accuracy 0.85
  gossamer plan --layers linear:784x1024,linear:1024x10 --compute 5ms --nodes 1024
  gossamer launch --peers peers.toml -- doctor --json > links.jsonl
  gossamer plan --model lenet --links links.jsonl
  gossamer plan --model resnet20 --data cifar10 --platform cluster.xml --nodes 32)");
  command->callback(
      [arguments, &action] { action = [arguments] { return run_plan(*arguments); }; });
}

}  // namespace gossamer::cli
