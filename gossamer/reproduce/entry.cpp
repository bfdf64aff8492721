#include "gossamer/reproduce/entry.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "gossamer/base/file.hpp"
#include "gossamer/base/text/suggest.hpp"
#include "gossamer/events/figures.hpp"
#include "gossamer/reproduce/claim_reader.hpp"
#include "gossamer/reproduce/grid_reader.hpp"
#include "gossamer/settings/config_toml.hpp"

namespace gossamer {
namespace {

constexpr std::array kEfforts = {Effort::kQuick, Effort::kFull};

/// Reads the parts of one file, one after the other; the first refusal ends it.
class EntryReader {
 public:
  EntryReader(const toml::table& file, Effort effort)
      : file_(file), reader_(file, ""), effort_(effort) {}

  Result<Entry> read() {
    for (Result<void> (EntryReader::*const part)() :
         {&EntryReader::read_heading, &EntryReader::read_shared_settings, &EntryReader::read_runs,
          &EntryReader::read_grid_of_runs, &EntryReader::read_plots, &EntryReader::read_claims}) {
      if (const Result<void> done = (this->*part)(); !done) return done.error();
      // What follows may have no meaning without it.
      if (const Result<void> fine = reader_.so_far(); !fine) return fine.error();
    }
    if (const Result<void> done = reader_.finish(); !done) return done.error();
    return std::move(entry_);
  }

 private:
  Result<void> read_heading() {
    const auto text = [&](std::string_view key) { return reader_.text(key).value_or(""); };
    for (const auto& [key, member] :
         {std::pair("title", &Entry::title), std::pair("paper", &Entry::paper),
          std::pair("about", &Entry::about)}) {
      entry_.*member = text(key);
      reader_.require(!(entry_.*member).empty(), key);
    }
    entry_.needs = text("needs");
    const std::string command = text("command");
    if (command == "consensus") entry_.command = Command::kConsensus;
    if (!command.empty() && command != "train" && command != "consensus")
      reader_.refuse("command", "must be train or consensus");
    return read_times();
  }

  Result<void> read_times() {
    const toml::table* const takes = reader_.table("takes");
    if (takes == nullptr) return {};
    TomlTable times(*takes, "takes");
    for (const Effort effort : kEfforts) {
      const std::string time = times.text(name_of(effort)).value_or("");
      if (effort == effort_) entry_.takes = time;
    }
    return times.finish();
  }

  Result<void> read_shared_settings() {
    if (entry_.command == Command::kConsensus) shared_.task = "consensus";
    if (const Result<void> done = read_settings_of(reader_.table("settings"), shared_); !done)
      return done;
    for (const Effort effort : kEfforts) {
      // Those of the other effort are read as well, for their mistakes.
      RunConfig config = shared_;
      if (const Result<void> done = read_settings_of(reader_.table(name_of(effort)), config); !done)
        return done;
      if (effort == effort_) of_effort_ = config;
    }
    return {};
  }

  static Result<void> read_settings_of(const toml::table* table, RunConfig& config) {
    return table == nullptr ? Result<void>() : read_settings(config, *table);
  }

  Result<void> read_runs() {
    for (const toml::table* const table : reader_.tables("run")) {
      TomlTable run(*table, "run");
      PlannedRun planned{run.text("name").value_or(""), of_effort_};
      run.require(!planned.name.empty(), "name");
      if (const Result<void> done = read_settings_of(run.table("settings"), planned.config); !done)
        return done;
      const bool is_consensus = planned.config.task == "consensus";
      if (is_consensus != (entry_.command == Command::kConsensus))
        run.refuse("settings", "consensus is what command = \"consensus\" says, and nothing else");
      if (std::ranges::count(names_, planned.name) > 0)
        run.refuse("name", fmt::format("there are two runs '{}'", planned.name));
      names_.push_back(planned.name);
      const bool is_part = is_for(effort_, run);
      if (const Result<void> done = run.finish(); !done) return done;
      if (is_part) entry_.runs.push_back(std::move(planned));
    }
    if (names_.empty()) return toml_error(file_, "", "an entry needs a run: write [[run]]");
    return {};
  }

  Result<void> read_grid_of_runs() { return read_grid(reader_, entry_, names_); }

  Result<void> read_plots() {
    for (const toml::table* const table : reader_.tables("plot")) {
      TomlTable plot(*table, "plot");
      if (entry_.grid) plot.refuse("x", "the runs of a [grid] are drawn as a map, without curves");
      entry_.plots.push_back(plot_of(plot));
      if (const Result<void> done = plot.finish(); !done) return done;
    }
    return {};
  }

  Plot plot_of(TomlTable& table) {
    static const std::vector<std::pair<std::string, std::string>> axes = {
        {"rounds", "round"},
        {"bytes", "bytes_sent_per_node"},
        {"bits", "payload_bytes_per_node"},
        {"seconds", "seconds"},
        {"epoch", "epoch"}};
    Plot plot;
    const std::string x = table.text("x").value_or("");
    const auto axis = std::ranges::find(axes, x, &std::pair<std::string, std::string>::first);
    if (axis == axes.end()) {
      table.refuse("x", "must be rounds, bytes, bits, seconds or epoch");
    } else {
      plot.x = axis->second;
    }
    refuse_real_seconds(table, "x", x, entry_.runs);
    plot.y = table.text("y").value_or("");
    table.require(!plot.y.empty(), "y");
    refuse_unknown_metric(table, "y", plot.y, entry_.command);
    const std::string scale = table.text("scale").value_or("linear");
    plot.is_log = scale == "log";
    if (!plot.is_log && scale != "linear") table.refuse("scale", "must be log or linear");
    plot.title = table.text("title").value_or("");
    plot.runs = table.texts("runs");
    for (const std::string& run : plot.runs)
      refuse_unknown_run(table, "runs", run, names_);
    return plot;
  }

  Result<void> read_claims() {
    const std::vector<const toml::table*> tables = reader_.tables("claim");
    for (const toml::table* const table : tables) {
      TomlTable reader(*table, "claim");
      const bool is_part = is_for(effort_, reader);
      // A claim that is not part of this effort may name runs that are not either.
      Claim claim = read_claim(reader, entry_, is_part ? names_of_runs() : names_);
      if (const Result<void> done = reader.finish(); !done) return done;
      if (is_part) entry_.claims.push_back(std::move(claim));
    }
    if (tables.empty()) return toml_error(file_, "", "an entry needs a claim: write [[claim]]");
    return {};
  }

  // What has no `only` is part of every effort.
  static bool is_for(Effort effort, TomlTable& table) {
    const std::string only = table.text("only").value_or("");
    if (only.empty()) return true;
    for (const Effort each : kEfforts) {
      if (only == name_of(each)) return each == effort;
    }
    table.refuse("only", "must be quick or full");
    return false;
  }

  [[nodiscard]] std::vector<std::string> names_of_runs() const {
    std::vector<std::string> names;
    for (const PlannedRun& run : entry_.runs)
      names.push_back(run.name);
    return names;
  }

  const toml::table& file_;
  TomlTable reader_;
  Effort effort_;
  RunConfig shared_;
  RunConfig of_effort_;
  std::vector<std::string> names_;  // of all runs, also of those that are no part of this effort
  Entry entry_;
};

}  // namespace

std::string_view name_of(Effort effort) {
  return effort == Effort::kQuick ? "quick" : "full";
}

Result<Entry> parse_entry(std::string_view name, const std::string& source, std::string_view text,
                          Effort effort) {
  Entry entry;
  const Result<void> parsed =
      parse_toml(source, text, [&](const toml::table& file) -> Result<void> {
        Result<Entry> read = EntryReader(file, effort).read();
        if (!read) return read.error();
        entry = std::move(read).value();
        return {};
      });
  if (!parsed) return parsed.error();
  entry.name = name;
  return entry;
}

Result<Entry> read_entry(const std::string& path, Effort effort) {
  const auto file = read_file(path);
  if (!file) return file.error();
  const std::string text(file.value().begin(), file.value().end());
  return parse_entry(std::filesystem::path(path).stem().string(), path, text, effort);
}

}  // namespace gossamer
