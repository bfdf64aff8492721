#include "gossamer/train/tune_gamma.hpp"

#include "apps/command.hpp"
#include "apps/commands/run_arguments.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "gossamer/train/run_folder.hpp"

namespace gossamer::cli {
namespace {

/// Stands in while the experiment is made whose gamma is then tuned.
class NoGamma final : public GammaSource {
 public:
  [[nodiscard]] Result<float> gamma_for(const Experiment&) override { return 1.0f; }
};

void print_table(const GammaTuning& tuning) {
  fmt::print("{} nodes, {} numbers, {} rounds each\n\n{:>10}  {:>12}  {:>16}\n", tuning.nodes,
             tuning.dim, tuning.rounds, "gamma", "error",
             fmt::format("rounds to {:.0e}", kGammaGoal));
  for (const GammaTrial& trial : tuning.trials) {
    fmt::print("{:>10.4g}  {:>12}  {:>16}{}\n", trial.gamma,
               trial.error ? fmt::format("{:.3e}", *trial.error) : "diverges",
               trial.reached ? fmt::format("{}", *trial.reached) : "",
               trial.gamma == tuning.best ? "  <- best" : "");
  }
  fmt::print("\n--gamma {}\n", tuning.best);
}

void print_json(const GammaTuning& tuning) {
  nlohmann::ordered_json json{{"gamma", shortest_decimal(tuning.best)},
                              {"nodes", tuning.nodes},
                              {"dim", tuning.dim},
                              {"rounds", tuning.rounds}};
  for (const GammaTrial& trial : tuning.trials) {
    nlohmann::ordered_json row{{"gamma", shortest_decimal(trial.gamma)}};
    row["error"] = trial.error ? nlohmann::ordered_json(*trial.error) : nlohmann::ordered_json();
    row["reached"] =
        trial.reached ? nlohmann::ordered_json(*trial.reached) : nlohmann::ordered_json();
    json["trials"].push_back(row);
  }
  fmt::print("{}\n", json.dump());
}

std::vector<std::string> tuned_algorithms() {
  std::vector<std::string> names;
  for (const AlgorithmInfo& info : algorithms()) {
    if (info.gamma == Gamma::kTuned) names.push_back(info.name);
  }
  return names;
}

int run_tune_gamma(const RunArguments& arguments) {
  RunConfig base;
  base.task = "consensus";
  NoGamma none;
  const RunConfig config = value_or_throw(config_of(arguments, base));
  check(check_task(config, Command::kConsensus));
  const auto experiment = value_or_throw(make_experiment(config, none));
  if (experiment->algorithm.gamma != Gamma::kTuned)
    throw BadInput(fmt::format("{} has no gamma that needs tuning; {} do",
                               experiment->algorithm.name, fmt::join(tuned_algorithms(), " and ")));
  const GammaTuning tuning = value_or_throw(tune_gamma(*experiment));
  arguments.json ? print_json(tuning) : print_table(tuning);
  return kSuccess;
}

}  // namespace

void add_tune_gamma_command(CLI::App& program, Action& action) {
  CLI::App* const command = program.add_subcommand(
      "tune-gamma",
      "Tries 20 consensus steps on vectors of the model's size, and shows which works");
  const auto arguments = add_run_options(*command, Command::kConsensus);
  command->footer("Example:\n  gossamer tune-gamma --nodes 8 --compressor topk:0.01 --dim 2000");
  command->callback(
      [arguments, &action] { action = [arguments] { return run_tune_gamma(*arguments); }; });
}

}  // namespace gossamer::cli
