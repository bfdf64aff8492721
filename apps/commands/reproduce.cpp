#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "apps/command.hpp"
#include "apps/console/progress_bar.hpp"
#include "apps/console/reproduction_printer.hpp"
#include "apps/processes/many_processes.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "gossamer/base/file.hpp"
#include "gossamer/events/event_queue.hpp"
#include "gossamer/reproduce/page.hpp"
#include "gossamer/reproduce/registry.hpp"
#include "gossamer/reproduce/results_table.hpp"
#include "gossamer/swarm/interruption.hpp"

namespace gossamer::cli {
namespace {

struct ReproduceArguments {
  std::vector<std::string> names;
  bool all = false;
  bool quick = false;
  bool full = false;
  bool json = false;
  std::string out = "reproduce";
  std::string table;

  [[nodiscard]] Effort effort() const { return full ? Effort::kFull : Effort::kQuick; }
};

int list_entries() {
  for (const StoredEntry& stored : stored_entries()) {
    const Entry quick = value_or_throw(find_entry(stored.name, Effort::kQuick));
    const Entry full = value_or_throw(find_entry(stored.name, Effort::kFull));
    const auto time = [](const Entry& entry) {
      return entry.runs.empty() ? "not run" : entry.takes.empty() ? "?" : entry.takes;
    };
    fmt::print("{:<20} {}\n{:<20} {}\n{:<20} quick: {}, full: {}\n", stored.name, quick.title, "",
               quick.paper, "", time(quick), time(full));
  }
  fmt::print("\nrun some by their names, or all of them with --all\n");
  return kSuccess;
}

// Names of entries, or paths of files.
std::vector<Entry> chosen_entries(const ReproduceArguments& arguments) {
  std::vector<std::string> names = arguments.names;
  if (arguments.all) {
    for (const StoredEntry& stored : stored_entries())
      names.emplace_back(stored.name);
  }
  std::vector<Entry> entries;
  std::set<std::string> seen;
  for (const std::string& name : names) {
    entries.push_back(value_or_throw(name.ends_with(".toml")
                                         ? read_entry(name, arguments.effort())
                                         : find_entry(name, arguments.effort())));
    if (!seen.insert(entries.back().name).second)
      throw BadInput(
          fmt::format("there are two entries '{}': name each once", entries.back().name));
  }
  return entries;
}

std::string text_in(const std::string& path) {
  const auto bytes = value_or_throw(read_file(path));
  return {bytes.begin(), bytes.end()};
}

/// One call of the command: runs entries one after the other, and keeps what they showed.
class ReproduceCommand {
 public:
  explicit ReproduceCommand(const ReproduceArguments& arguments)
      : arguments_(arguments),
        printer_(arguments.json ? ReproductionPrinter::Format::kJson
                                : ReproductionPrinter::Format::kTable) {}

  int run() {
    const std::vector<Entry> entries = chosen_entries(arguments_);
    prepare_places();
    for (const Entry& entry : entries) {
      if (const std::optional<std::string> reason = reason_to_skip(entry)) {
        if (!arguments_.all) throw BadInput(fmt::format("{}: {}", entry.name, *reason));
        printer_.skip(entry, *reason);
        continue;
      }
      if (const std::optional<int> code = run_entry(entry)) return *code;
    }
    keep_overview();
    keep_table();
    return verdict();
  }

 private:
  // What would be noticed after minutes is noticed before.
  void prepare_places() const {
    std::error_code error;
    std::filesystem::create_directories(arguments_.out, error);
    if (error)
      throw BadInput(
          fmt::format("cannot make the folder '{}': {}", arguments_.out, error.message()));
    if (!arguments_.table.empty()) (void)updated_table();
  }

  [[nodiscard]] std::optional<std::string> reason_to_skip(const Entry& entry) const {
    if (entry.runs.empty()) return "it is for --full alone";
    std::error_code error;
    if (!entry.needs.empty() && !std::filesystem::exists(entry.needs, error)) {
      return fmt::format(
          "it needs '{}', which is not in this folder: docs/reproduce.md says what it is",
          entry.needs);
    }
    return std::nullopt;
  }

  // An exit code, where this is the end of it.
  std::optional<int> run_entry(const Entry& entry) {
    printer_.begin(entry);
    std::vector<PerformedRun> runs;
    for (const PlannedRun& planned : entry.runs) {
      const auto begin = std::chrono::steady_clock::now();
      const auto experiment = value_or_throw(prepare(entry, planned, tasks_));
      runs.push_back(perform_one(entry, planned, *experiment));
      const PerformedRun& run = runs.back();
      if (run.stopped_after) return fail(kStopped, "stopped");
      if (run.failure)
        return fail(kRunFailed, fmt::format("{}: run '{}': {}", entry.name, planned.name,
                                            run.failure->sentence));
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
      printer_.run(entry, run, took.count());
    }
    done_.push_back(conclude(entry, arguments_.effort(), std::move(runs)));
    printer_.end(done_.back());
    keep_page(entry.name, value_or_throw(entry_html(done_.back())));
    return std::nullopt;
  }

  [[nodiscard]] PerformedRun perform_one(const Entry& entry, const PlannedRun& planned,
                                         const Experiment& experiment) const {
    ProgressBar bar(experiment, 0,
                    arguments_.json ? BottomLine::Show::kNever : BottomLine::Show::kIfTerminal);
    Interruption interruption;
    RunOptions options;
    options.stop = &interruption.line();
    options.stop->attend();
    EventQueue events({&bar});
    options.events = &events;
    return value_or_throw(perform(entry, planned, experiment, options));
  }

  void keep_page(const std::string& name, const std::string& html) const {
    const std::string path = fmt::format("{}/{}.html", arguments_.out, name);
    check(write_file(path, as_bytes(html)));
    if (!arguments_.json) fmt::print("\npage: {}\n", path);
  }

  void keep_overview() const {
    if (done_.size() > 1) keep_page("index", overview_html(done_));
  }

  [[nodiscard]] std::string updated_table() const {
    const auto others = arguments_.all ? OtherSections::kDrop : OtherSections::kKeep;
    const Result<std::string> updated = with_results(text_in(arguments_.table), done_, others);
    if (!updated) throw BadInput(fmt::format("{}: {}", arguments_.table, updated.error().message));
    return updated.value();
  }

  void keep_table() const {
    if (!arguments_.table.empty()) check(write_file(arguments_.table, as_bytes(updated_table())));
  }

  [[nodiscard]] int verdict() const {
    std::size_t failed = 0;
    std::size_t all = 0;
    for (const Reproduction& reproduction : done_) {
      all += reproduction.verdicts.size();
      failed += static_cast<std::size_t>(
          std::ranges::count(reproduction.verdicts, false, &Verdict::holds));
    }
    if (failed == 0) return kSuccess;
    return fail(kRunFailed, fmt::format("{} of {} claims {} not hold", failed, all,
                                        failed == 1 ? "does" : "do"));
  }

  const ReproduceArguments& arguments_;
  ReproductionPrinter printer_;
  TaskKeeper tasks_;
  std::vector<Reproduction> done_;
};

int run_reproduce(const ReproduceArguments& arguments) {
  refuse_many_processes("reproduce");
  if (arguments.quick && arguments.full) throw BadInput("--quick or --full, not both");
  if (arguments.all && !arguments.names.empty())
    throw BadInput("--all runs every entry: leave out the names");
  if (!arguments.all && arguments.names.empty()) {
    if (!arguments.table.empty())
      throw BadInput("--update-table writes what was run: name entries, or --all");
    return list_entries();
  }
  return ReproduceCommand(arguments).run();
}

}  // namespace

void add_reproduce_command(CLI::App& program, Action& action) {
  CLI::App* const command = program.add_subcommand(
      "reproduce", "Runs what papers claim, and says whether it holds here; without names, lists");
  const auto arguments = std::make_shared<ReproduceArguments>();
  command->add_option("NAME", arguments->names, "Entries, or .toml files of one's own")
      ->option_text("...");
  command->add_flag("--all", arguments->all, "Every entry there is");
  command->add_flag("--quick", arguments->quick, "What shows the claims in minutes [the default]");
  command->add_flag("--full", arguments->full, "As long and as large as in the papers");
  command->add_option("--out", arguments->out, "Where the pages go [reproduce]")
      ->option_text("DIR");
  command
      ->add_option("--update-table", arguments->table,
                   "Puts the results into a Markdown file, between its markers")
      ->option_text("FILE");
  command->add_flag("--json", arguments->json, "One JSON object per entry");
  command->footer(R"(Exit code 3: a claim does not hold, or a run failed.

Examples:
  gossamer reproduce                          what there is, and how long it takes
  gossamer reproduce consensus powergossip    two entries; reproduce/index.html compares them
  gossamer reproduce --all --quick --update-table README.md
  gossamer reproduce my-claims.toml --full    an entry of one's own: docs/reproduce.md)");
  command->callback(
      [arguments, &action] { action = [arguments] { return run_reproduce(*arguments); }; });
}

}  // namespace gossamer::cli
