#include "apps/commands/report.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>

#include "apps/command.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "gossamer/base/file.hpp"
#include "gossamer/report/report_page.hpp"
#include "gossamer/topology/graph.hpp"
#include "gossamer/topology/registry.hpp"
#include "gossamer/train/run_folder.hpp"

namespace gossamer::cli {
namespace {

struct ReportArguments {
  std::vector<std::string> folders;
  std::string out;
};

struct StoredRun {
  RunConfig config;
  ReportedRun reported;
};

std::string text_of(const std::string& path) {
  const auto bytes = value_or_throw(read_file(path));
  return {bytes.begin(), bytes.end()};
}

std::string text_if_there(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path, error) ? text_of(path) : "";
}

StoredRun read_run(const std::string& path, const std::string& name) {
  const RunFolder folder = value_or_throw(RunFolder::open(path, RunFolder::Use::kRead));
  StoredRun run;
  check(read_config(run.config, folder.config_path()));
  // A run that goes on has no summary yet. A node that joined it behind the last reported round, or
  // was stopped before the first, has no metrics either.
  run.reported = {name, text_if_there(folder.metrics_path()), text_if_there(folder.summary_path()),
                  text_of(folder.config_path())};
  return run;
}

// What each run is called: its folder's own name, or all of the path where two would be the same.
std::vector<std::string> names_of(const std::vector<std::string>& folders) {
  std::vector<std::string> names;
  for (const std::string& folder : folders) {
    const auto path = std::filesystem::absolute(folder + "/").lexically_normal();
    names.push_back(path.parent_path().filename().string());
  }
  return std::set(names.begin(), names.end()).size() == names.size() ? names : folders;
}

std::string title_of(const std::vector<StoredRun>& runs) {
  const RunConfig& first = runs.front().config;
  if (runs.size() == 1)
    return fmt::format("{}: {} with {} on {}, {} nodes", first.task, first.algorithm,
                       first.compressor, first.topology, first.nodes);
  const bool one_task = std::ranges::all_of(
      runs, [&](const StoredRun& run) { return run.config.task == first.task; });
  return one_task ? fmt::format("{}: {} runs", first.task, runs.size())
                  : fmt::format("{} runs", runs.size());
}

struct NamedGraph {
  std::string topology;
  Graph graph;

  [[nodiscard]] bool operator==(const NamedGraph& other) const {
    return topology == other.topology && graph.nodes == other.graph.nodes &&
           graph.pairs == other.graph.pairs;
  }
};

Result<NamedGraph> graph_of_run(const RunConfig& config) {
  const auto nodes = config.nodes > 0 ? std::optional(config.nodes) : std::nullopt;
  const auto topology = make_topology(config.topology, nodes, config.seed);
  if (!topology) return topology.error();
  return NamedGraph{topology.value()->spec(), graph_of(*topology.value())};
}

// The graph that all runs have, if there is one.
std::optional<NamedGraph> shared_graph(const std::vector<StoredRun>& runs) {
  std::optional<NamedGraph> shared;
  for (const StoredRun& run : runs) {
    const Result<NamedGraph> graph = graph_of_run(run.config);
    if (!graph) {
      // The file of a graph may be gone; the curves are still worth a look.
      fmt::print(stderr, "gossamer: warning: the topology is not drawn: {}\n",
                 graph.error().message);
      return std::nullopt;
    }
    if (shared && !(*shared == graph.value())) return std::nullopt;
    shared = graph.value();
  }
  return shared;
}

int run_report(const ReportArguments& arguments) {
  const std::string path =
      arguments.out.empty() ? arguments.folders.front() + "/report.html" : arguments.out;
  write_report(arguments.folders, path);
  fmt::print("{}\n", path);
  return kSuccess;
}

}  // namespace

void write_report(const std::vector<std::string>& folders, const std::string& path) {
  const std::vector<std::string> names = names_of(folders);
  std::vector<StoredRun> runs;
  for (std::size_t i = 0; i < folders.size(); ++i)
    runs.push_back(read_run(folders[i], names[i]));
  ReportPage page;
  page.title = title_of(runs);
  if (const auto shared = shared_graph(runs)) {
    page.nodes = shared->graph.nodes;
    page.topology = shared->topology;
    for (const NodePair& pair : shared->graph.pairs)
      page.edges.emplace_back(pair.a, pair.b);
  }
  for (StoredRun& run : runs)
    page.runs.push_back(std::move(run.reported));
  check(write_file(path, as_bytes(value_or_throw(report_html(page)))));
}

void add_report_command(CLI::App& program, Action& action) {
  CLI::App* const command = program.add_subcommand(
      "report", "Makes one HTML page of runs: curves, figures, topology, configurations");
  const auto arguments = std::make_shared<ReportArguments>();
  command->add_option("RUN_DIR", arguments->folders, "Folders of runs, as --run-dir named them")
      ->option_text("...")
      ->required();
  command
      ->add_option("--out", arguments->out, "Where to write it [report.html in the first folder]")
      ->option_text("FILE");
  command->footer("Example:\n  gossamer report runs/sign runs/topk --out compared.html");
  command->callback(
      [arguments, &action] { action = [arguments] { return run_report(*arguments); }; });
}

}  // namespace gossamer::cli
