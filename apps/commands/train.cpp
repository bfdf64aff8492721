#include "apps/command.hpp"
#include "apps/commands/comparison.hpp"
#include "apps/commands/run_arguments.hpp"
#include "apps/commands/training_run.hpp"
#include "apps/processes/many_processes.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace gossamer::cli {

void add_train_command(CLI::App& program, Action& action) {
  CLI::App* const command =
      program.add_subcommand("train", "Trains one model on many nodes that gossip");
  const auto arguments = add_run_options(*command, Command::kTrain);
  command
      ->add_option("--run-dir", arguments->run_dir,
                   "Folder for the resolved config, metrics, report, model and checkpoints")
      ->option_text("DIR");
  command->add_option("--resume", arguments->resume, "Go on with the run in this folder")
      ->option_text("DIR");
  command
      ->add_option("--compare", arguments->compare,
                   "Several methods one after the other, as allreduce,choco/sign@0.4")
      ->option_text("METHODS");
  command
      ->add_option("--trace", arguments->trace,
                   "What every node did when, for chrome://tracing or Perfetto")
      ->option_text("FILE");
  command->add_option("--peers", arguments->peers, "Of --network tls: who and where all peers are")
      ->option_text("FILE");
  command->add_option("--node", arguments->node, "Of --network tls: which of the peers this is")
      ->option_text("I");
  command->add_flag("--insecure", arguments->insecure,
                    "Of --network tls: plain TCP, without keys; anybody can listen and join in");
  // What launch gives to peers, when it shows one table, and else: not for people, so no part of
  // the help.
  command->add_flag("--launched", arguments->launched)->group("");
  command->add_flag("--says-when-begun", arguments->says_when_begun)->group("");
  command->footer(simulation_keys() + R"(
Examples:
  gossamer train --model lenet --algorithm choco --compressor sign --gamma 0.4 --run-dir runs/one
  gossamer train --compare allreduce,choco/sign@0.4,powergossip --epochs 2 --run-dir runs/three
  gossamer train --task logistic --compressor topk:0.1 --gamma 0.3 --schedule inverse:a=400,b=200
  gossamer train --network tls --peers peers.toml --node 3 --compressor sign --on-peer-loss drop
  gossamer train --network sim --set sim.bandwidth=10Mbps --set sim.latency=20ms --run-dir runs/sim
  mpirun -n 8 gossamer train --algorithm choco --compressor sign --gamma 0.4 --run-dir runs/ranks)");
  command->callback([arguments, &action] {
    action = [arguments] {
      Processes processes = join_processes(*arguments);
      // Inside, so that what goes wrong is printed before the processes part.
      return guarded(
          [&] {
            return arguments->compare.empty() ? TrainingRun(*arguments, processes).run()
                                              : compare(*arguments, processes);
          },
          processes.are_many() ? fmt::format("node {}: ", processes.self()) : "");
    };
  });
}

}  // namespace gossamer::cli
