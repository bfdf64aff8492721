#include "apps/command.hpp"
#include "apps/commands/run_arguments.hpp"
#include "apps/console/run_report.hpp"
#include "apps/processes/many_processes.hpp"
#include <CLI/CLI.hpp>

#include "gossamer/events/event_queue.hpp"
#include "gossamer/train/tune_gamma.hpp"

namespace gossamer::cli {
namespace {

int run_consensus(const RunArguments& arguments) {
  refuse_many_processes("consensus");
  RunConfig base;
  base.task = "consensus";
  const RunConfig config = value_or_throw(config_of(arguments, base));
  check(check_task(config, Command::kConsensus));
  GammaTuner tuner;
  const auto experiment = value_or_throw(make_experiment(config, tuner));
  RunReport report(*experiment,
                   arguments.json ? RunReport::Format::kJson : RunReport::Format::kTable);
  report.begin(0);
  EventQueue events({&report});
  RunOptions options;
  options.events = &events;
  const RunOutcome outcome = value_or_throw(run_experiment(*experiment, options));
  events.drain();
  return report.end(outcome);
}

}  // namespace

void add_consensus_command(CLI::App& program, Action& action) {
  CLI::App* const command = program.add_subcommand(
      "consensus", "Lets nodes agree on the mean of their vectors, and watches the error");
  const auto arguments = add_run_options(*command, Command::kConsensus);
  command->footer(simulation_keys() + R"(
Examples:
  gossamer consensus --nodes 25 --algorithm exact --gamma 1 --dim 2000 --rounds 300
  gossamer consensus --matrix 100x100 --algorithm powergossip --gamma auto --tolerance 1e-2 1e-4
  gossamer consensus --nodes 8 --data rows.csv --algorithm choco --compressor sign --gamma 1)");
  command->callback(
      [arguments, &action] { action = [arguments] { return run_consensus(*arguments); }; });
}

}  // namespace gossamer::cli
