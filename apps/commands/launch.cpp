#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

#include "apps/command.hpp"
#include "apps/console/print_text.hpp"
#include "apps/launch/line_log.hpp"
#include "apps/launch/lines_of_peers.hpp"
#include "apps/launch/node_list.hpp"
#include "apps/launch/start_watch.hpp"
#include "apps/launch/table_of_peers.hpp"
#include "apps/processes/child_processes.hpp"
#include "apps/processes/shell_quote.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "gossamer/base/text/printable.hpp"
#include "gossamer/base/text/suggest.hpp"
#include "gossamer/base/text/units.hpp"
#include "gossamer/settings/peers.hpp"

namespace gossamer::cli {
namespace {

struct LaunchArguments {
  std::string peers;
  bool local = false;
  std::string program;
  std::string ssh = "ssh";
  std::string grace = "10s";
  std::string show = "auto";
  std::string log;
  std::vector<std::string> command;  // what each peer runs: train and its options
};

// Run by the shell of the other machine, with the program and its arguments as $1 and so on. Its
// input carries signals, one name per line, because ssh passes none on; the end of the input is
// that of the connection, and with it of the program. The shell becomes the program, so $$ is its
// number, until the watcher's parent is another: then it has ended, and the number is free.
constexpr const char* kRemoteScript =
    "exec 3<&0; "
    "( tell() { read -r _ _ _ parent _ </proc/self/stat; "
    "[ \"$parent\" != $$ ] || kill -s \"$1\" $$; }; "
    "while read -r name; do tell \"$name\"; done; tell TERM ) <&3 3<&- >/dev/null 2>&1 & "
    "exec \"$@\" 3<&- </dev/null";

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;)
    words.push_back(word);
  return words;
}

std::string own_program() {
  std::error_code error;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) throw BadInput("this program does not find itself; name it with --program");
  return path.string();
}

// What stands behind --, as it is.
std::vector<std::string> command_behind_dashes(const CLI::App& launch, const std::string& name) {
  std::vector<std::string> command = launch.remaining();
  if (command.empty() || command.front() != "--" || name.empty()) {
    const bool is_option =
        !command.empty() && command.front().starts_with('-') && command.front() != "--";
    throw BadInput(is_option
                       ? fmt::format("launch has no option '{}'; what is for the peers stands "
                                     "behind --, as: -- train --rounds 1000",
                                     command.front())
                       : "launch needs a command behind --, as: -- train --rounds 1000");
  }
  command.front() = name;
  return command;
}

void check_command(const std::vector<std::string>& command) {
  static const std::vector<std::string> kCommands = {"train", "doctor"};
  if (std::ranges::count(kCommands, command.front()) == 0)
    throw BadInput(unknown_name("command for peers", command.front(), kCommands));
  for (const std::string& argument : command) {
    const std::string name = argument.substr(0, argument.find('='));
    if (name == "--peers" || name == "--node" || name == "--network")
      throw BadInput(fmt::format("{} is given to each peer by launch itself", name));
  }
}

enum class Show { kLines, kTable };

// Who asks peers for something else than a table gets it as they print it.
Show shown_by(const LaunchArguments& arguments) {
  static const std::vector<std::string> kWays = {"auto", "lines", "table"};
  static const std::vector<std::string> kPlain = {"--json", "--compare", "--help", "-h"};
  if (std::ranges::count(kWays, arguments.show) == 0)
    throw BadInput(unknown_name("way to show peers", arguments.show, kWays));
  std::string obstacle = arguments.command.front() == "train" ? "" : arguments.command.front();
  for (const std::string& argument : arguments.command) {
    const std::string name = argument.substr(0, argument.find('='));
    if (std::ranges::count(kPlain, name) > 0) obstacle = name;
  }
  if (arguments.show == "table" && !obstacle.empty())
    throw BadInput(fmt::format("there is no table with {}: leave out --show table", obstacle));
  if (arguments.show == "auto" && ::isatty(STDOUT_FILENO) == 0) return Show::kLines;
  return arguments.show == "lines" || !obstacle.empty() ? Show::kLines : Show::kTable;
}

// Whether peers wait for each other, and then begin.
bool has_rounds(const LaunchArguments& arguments) {
  return arguments.command.front() == "train";
}

// What one peer runs, wherever it does.
std::vector<std::string> program_of(const LaunchArguments& arguments, const Peer& peer, Show show) {
  const std::string preset = arguments.local ? own_program() : peer.program;
  std::vector<std::string> program = {arguments.program.empty() ? preset : arguments.program,
                                      arguments.command.front()};
  if (has_rounds(arguments)) {
    program.insert(program.end(), {"--network", "tls"});
    program.emplace_back(show == Show::kTable ? "--launched" : "--says-when-begun");
  }
  program.insert(program.end(), {"--peers", std::filesystem::absolute(arguments.peers).string(),
                                 "--node", fmt::format("{}", peer.id)});
  program.insert(program.end(), arguments.command.begin() + 1, arguments.command.end());
  return program;
}

ChildCommand command_of(const LaunchArguments& arguments, const Peer& peer, Show show) {
  const std::vector<std::string> program = program_of(arguments, peer, show);
  if (arguments.local) return {program, ChildCommand::SignalsBy::kKill};
  std::string remote = fmt::format("exec sh -c {} gossamer-launch", shell_quote(kRemoteScript));
  for (const std::string& argument : program)
    remote += " " + shell_quote(argument);
  std::vector<std::string> ssh = words_of(arguments.ssh);
  if (ssh.empty()) throw BadInput("--ssh must name a program");
  ssh.insert(ssh.end(), {"-T", "-o", "BatchMode=yes", "--", peer.ssh, remote});
  return {ssh, ChildCommand::SignalsBy::kInput};
}

std::string describe(const LaunchArguments& arguments, const Peer& peer, const ChildEnd& end) {
  if (end.signal != 0)
    return fmt::format("was ended by signal {} ({})", end.signal, ::strsignal(end.signal));
  std::string hint;
  if (!arguments.local && end.exit_code == 255)
    hint = fmt::format(": ssh to '{}' failed or was cut, or a signal ended the program there",
                       peer.ssh);
  if (!arguments.local && end.exit_code == 127)
    hint = fmt::format(": '{}' has no such program; name it with `program` in the peers file",
                       peer.ssh);
  return fmt::format("ended with exit code {}{}", end.exit_code, hint);
}

void print_ends(const LaunchArguments& arguments, const Peers& peers,
                const std::vector<ChildEnd>& ends) {
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (ends[i].code() != 0)
      fmt::print(stderr, "gossamer: node {} {}\n", peers[i].id,
                 describe(arguments, peers[i], ends[i]));
  }
}

// Each that failed and did not say why itself; those that ended alike on one line.
void print_ends(const LaunchArguments& arguments, const Peers& peers,
                const std::vector<ChildEnd>& ends, const TableOfPeers& table) {
  std::map<std::string, std::set<NodeId>> alike;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (ends[i].code() != 0 && !table.is_explained(peers[i].id))
      alike[describe(arguments, peers[i], ends[i])].insert(peers[i].id);
  }
  for (const auto& [what, nodes] : alike)
    print_text(stderr, fmt::format("gossamer: {} {}\n", named_nodes(nodes), what));
}

// What ended a run that had not begun. How the others ended is our doing.
void print_failed_start(const LaunchArguments& arguments, const Peers& peers,
                        const StartWatch::Failure& failure) {
  constexpr std::string_view kOurName = "gossamer: ";
  const Peer& peer = peers[failure.child];
  std::string why = describe(arguments, peer, failure.end);
  std::string_view words = failure.last_words;
  if (words.starts_with(kOurName)) words.remove_prefix(kOurName.size());
  // Where we know why, the peer does not: it is no peer's sentence.
  if (!words.empty() && why.find(':') == std::string::npos) why += fmt::format(": {}", words);
  print_text(stderr,
             fmt::format("gossamer: before the first round node {} {}{}\n", peer.id, printable(why),
                         peers.size() > 1 ? "; the others were ended" : ""));
}

int run_launch(const LaunchArguments& arguments) {
  check_command(arguments.command);
  const Show show = shown_by(arguments);
  const Peers peers = value_or_throw(read_peers(arguments.peers));
  const Result<Duration> grace = parse_duration(arguments.grace);
  if (!grace) throw BadInput(fmt::format("--kill-after: {}", grace.error().message));
  std::vector<ChildCommand> commands;
  std::vector<NodeId> nodes;
  for (const Peer& peer : peers) {
    commands.push_back(command_of(arguments, peer, show));
    nodes.push_back(peer.id);
  }
  std::optional<LineLog> log;
  if (!arguments.log.empty()) log = value_or_throw(LineLog::open(arguments.log));
  LineLog* const kept = log ? &*log : nullptr;

  LinesOfPeers lines(nodes, kept);
  std::optional<TableOfPeers> table;
  if (show == Show::kTable) table.emplace(nodes, kept);
  ChildListener& shown = table ? static_cast<ChildListener&>(*table) : lines;
  StartWatch start(nodes.size(), shown);
  const std::vector<ChildEnd> ends = value_or_throw(run_children(
      commands, grace.value(), has_rounds(arguments) ? static_cast<ChildListener&>(start) : shown));
  if (table) table->finish();
  int worst = kSuccess;
  if (start.failure()) {
    print_failed_start(arguments, peers, *start.failure());
    worst = start.failure()->end.code();
  } else {
    if (table) {
      print_ends(arguments, peers, ends, *table);
    } else {
      print_ends(arguments, peers, ends);
    }
    for (const ChildEnd& end : ends)
      worst = std::max(worst, end.code());
  }
  if (log && !log->error().empty()) {
    fmt::print(stderr, "gossamer: {}\n", log->error());
    worst = std::max<int>(worst, kBadInput);
  }
  return worst;
}

}  // namespace

void add_launch_command(CLI::App& program, Action& action) {
  CLI::App* const command =
      program.add_subcommand("launch", "Starts every peer of a peers file, here or over ssh");
  const auto arguments = std::make_shared<LaunchArguments>();
  command->add_option("--peers", arguments->peers, "The peers; docs/tutorials/02-many-machines.md")
      ->option_text("FILE")
      ->required();
  command->add_flag("--local", arguments->local, "All of them on this machine, without ssh");
  command
      ->add_option("--program", arguments->program,
                   "What to start [here: this program; over ssh: `program` of the peer]")
      ->option_text("FILE");
  command->add_option("--ssh", arguments->ssh, "What to use for ssh, with its options [ssh]")
      ->option_text("COMMAND");
  command
      ->add_option("--kill-after", arguments->grace,
                   "How long peers have to end after the second Ctrl-C [10s]")
      ->option_text("TIME");
  command
      ->add_option(
          "--show", arguments->show,
          "One table of all peers, or the lines of each; auto: a table on a terminal [auto]")
      ->option_text("auto|table|lines");
  command->add_option("--log", arguments->log, "Keep the lines of all peers in this file too")
      ->option_text("FILE");
  const auto name = std::make_shared<std::string>();
  command->add_option("COMMAND", *name, "What each peer runs: train or doctor, behind --")
      ->option_text("-- COMMAND ...");
  command->prefix_command();  // what follows it is not for us
  command->footer(
      R"(Each peer gets the command's options, --peers FILE, --node I and, to train, --network tls.
Over ssh the peers file must lie under the same path on every machine, and ssh must not ask
for a password. Ctrl-C interrupts all peers, a second one terminates them. The exit code is
the largest of any peer. If one fails before the first round all are ended, with its code.

On a terminal, training is one table: the mean over peers of what each reports, what happens,
told once with those who say it, as [0-2], and a bar that follows the slowest. Elsewhere, and
with --show lines, every line of output begins with the node that printed it, as [3]. --log
keeps those lines either way, behind what the file has.

Examples:
  gossamer launch --peers peers.toml -- doctor
  gossamer launch --peers peers.toml -- train --model lenet --epochs 5 --run-dir /data/runs/one
  gossamer launch --peers peers.toml --log one.log -- train --model lenet --epochs 5
  gossamer launch --peers here.toml --local -- train --task logistic --rounds 2000)");
  command->callback([arguments, command, name, &action] {
    arguments->command = command_behind_dashes(*command, *name);
    action = [arguments] { return run_launch(*arguments); };
  });
}

}  // namespace gossamer::cli
