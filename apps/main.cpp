#include <optional>
#include <string>
#include <vector>

#include "apps/command.hpp"
#include "apps/commands/version.hpp"
#include <fmt/format.h>

#include "gossamer/base/text/suggest.hpp"
#include "gossamer/swarm/launched_rank.hpp"

namespace gossamer::cli {
namespace {

constexpr const char* kExamples = R"(Examples:
  gossamer train --algorithm choco --compressor sign
                                             8 nodes learn a built-in set, one bit per number
  gossamer consensus --nodes 25 --dim 2000 --algorithm exact
                                             25 nodes agree on the mean of their vectors
  gossamer tune-gamma --nodes 8 --dim 2000 --compressor topk:0.01
                                             which consensus step works
  gossamer report runs/one runs/two          a page with the curves of two runs
  gossamer reproduce consensus               what a paper claims, and what is measured here
  gossamer list                              what there is: compressors, algorithms, topologies
  gossamer topology ring --nodes 25          how fast a ring of 25 nodes mixes
  gossamer keys init keys --nodes 8          the keys of a cluster of 8 peers
  gossamer launch --peers peers.toml -- train --model lenet
                                             starts every peer over ssh
  gossamer bench compressors                 the speed of every compressor on this machine

Exit codes: 0 success, 1 internal error, 2 bad input, 3 a run failed.)";

// The innermost command that the user reached: its options and subcommands are the valid names
// there.
const CLI::App& chosen_command(const CLI::App& program) {
  const std::vector<CLI::App*> chosen = program.get_subcommands();
  return chosen.empty() ? program : chosen_command(*chosen.front());
}

std::vector<std::string> valid_names(const CLI::App& command, bool options) {
  std::vector<std::string> names;
  if (options) {
    for (const CLI::Option* option : command.get_options()) {
      if (option->get_group().empty()) continue;  // no help lists it
      for (const std::string& name : option->get_lnames())
        names.push_back("--" + name);
    }
  } else {
    for (const CLI::App* subcommand : command.get_subcommands(nullptr))
      names.push_back(subcommand->get_name());
  }
  return names;
}

std::string describe_extra(const CLI::App& program, const std::string& extra) {
  const CLI::App& command = chosen_command(program);
  const bool is_option = extra.starts_with("-");
  const std::vector<std::string> valid = valid_names(command, is_option);
  const bool is_root = &command == &program;
  if (!is_option && valid.empty())
    return fmt::format("{} takes no argument '{}'", command.get_name(), extra);
  const std::string kind = is_option ? "option" : "command";
  return unknown_name(is_root ? kind : fmt::format("{} of '{}'", kind, command.get_name()), extra,
                      valid);
}

// All ranks of a job refuse_usage the same command line: the first one says so, and decides the
// job's exit code.
int refuse_usage(const std::string& sentence) {
  const std::optional<LaunchedRank> launched = launched_rank();
  return launched && launched->rank > 0 ? kSuccess : fail(kBadInput, sentence);
}

int run(int argc, char** argv) {
  CLI::App program(
      "Trains one model on many machines that talk only to their neighbours, in compressed "
      "messages.",
      "gossamer");
  program.footer(kExamples);
  program.require_subcommand(0, 1);
  program.set_version_flag(
      "--version", [] { return version_text(); },
      "Versions of Gossamer and of what it is built on");

  Action action;
  add_train_command(program, action);
  add_consensus_command(program, action);
  add_tune_gamma_command(program, action);
  add_report_command(program, action);
  add_mean_command(program, action);
  add_reproduce_command(program, action);
  add_doctor_command(program, action);
  add_keys_command(program, action);
  add_launch_command(program, action);
  add_plan_command(program, action);
  add_list_command(program, action);
  add_topology_command(program, action);
  add_bench_command(program, action);
  add_hunt_command(program, action);

  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& request) {
    return program.exit(request);
  } catch (const CLI::ExtrasError&) {
    return refuse_usage(describe_extra(program, program.remaining(true).front()));
  } catch (const CLI::ParseError& error) {
    const CLI::App& command = chosen_command(program);
    return refuse_usage(
        fmt::format("{} (try 'gossamer{} --help')", error.what(),
                    &command == &program ? "" : fmt::format(" {}", command.get_name())));
  }
  if (!action) {
    fmt::print("{}", program.help());
    return kSuccess;
  }
  return action();
}

}  // namespace
}  // namespace gossamer::cli

int main(int argc, char** argv) {
  using namespace gossamer::cli;
  return guarded([&] { return run(argc, argv); });
}
