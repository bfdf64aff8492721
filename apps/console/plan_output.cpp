#include "apps/console/plan_output.hpp"

#include <algorithm>
#include <cmath>

#include "apps/console/human.hpp"
#include "apps/processes/shell_quote.hpp"
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gossamer::cli {
namespace {

using Source = RoundsToTarget::Source;

std::string name_of_prospect(const Prospect& prospect) {
  const std::string method = prospect.method().text();
  if (!prospect.forecast.spectral_gap) return method;
  return fmt::format("{} on {}", method, prospect.forecast.candidate.topology);
}

std::string command_for(const PlanArguments& arguments, const Candidate& candidate) {
  const MethodSpec& method = candidate.method;
  const bool has_peers = !arguments.links.empty();
  std::string command =
      has_peers ? "gossamer launch --peers peers.toml -- train" : "gossamer train";
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) command += fmt::format(" {} {}", option, shell_word(value));
  };
  add("--task", arguments.task);
  add("--model", arguments.layers.empty() ? arguments.model : "model.pt");
  add("--data", arguments.data);
  add("--batch", arguments.batch);
  add("--partition", arguments.partition);
  add("--optimizer", arguments.optimizer);
  add("--lr", arguments.lr ? fmt::format("{}", *arguments.lr) : "");
  add("--nodes", has_peers ? "" : fmt::format("{}", arguments.nodes));
  add("--topology", candidate.topology == "ring" ? "" : candidate.topology);
  add("--algorithm", method.algorithm);
  add("--compressor", method.compressor == "identity" ? "" : method.compressor);
  add("--local-steps", method.local_steps == 1 ? "" : fmt::format("{}", method.local_steps));
  add("--gamma", method.gamma);
  return command;
}

std::string long_time(double seconds) {
  if (seconds < 120) return fmt::format("{:.3g} s", seconds);
  if (seconds < 2 * 3600.0) return fmt::format("{:.3g} min", seconds / 60);
  if (seconds < 2 * 86400.0) return fmt::format("{:.3g} h", seconds / 3600);
  return fmt::format("{:.3g} days", seconds / 86400);
}

// Behind a ~ where it was not seen.
std::string guessed(const RoundsToTarget& rounds, const std::string& text) {
  return rounds.source == Source::kExtrapolated ? "~" + text : text;
}

std::string rounds_text(const Prospect& prospect) {
  if (!prospect.pilot) return "not tried";
  const RoundsToTarget& rounds = prospect.pilot->to_target;
  if (rounds.source == Source::kNone) return "never";
  return guessed(rounds, fmt::format("{:.0f}", std::ceil(rounds.rounds)));
}

std::string time_text(const Prospect& prospect) {
  const auto seconds = prospect.seconds_to_target();
  return seconds ? guessed(prospect.pilot->to_target, long_time(*seconds)) : "";
}

/// One column of the table.
struct PlanColumn {
  std::string title;
  bool is_number = true;
  std::string (*text)(const Prospect& prospect);
};

std::vector<PlanColumn> plan_columns(const std::optional<Target>& target) {
  std::vector<PlanColumn> columns = {
      {"method", false, [](const Prospect& p) { return p.method().text(); }},
      {"graph", false,
       [](const Prospect& p) -> std::string {
         return p.forecast.spectral_gap ? p.forecast.candidate.topology : "-";
       }},
  };
  if (target) {
    columns.push_back({fmt::format("time to {}", text_of(*target)), true, time_text});
    columns.push_back({"rounds", true, rounds_text});
  }
  columns.insert(
      columns.end(),
      {{"s/round", true,
        [](const Prospect& p) { return fmt::format("{:.3g}", p.forecast.round.seconds); }},
       {"sent/round", true,
        [](const Prospect& p) { return human_bytes(p.forecast.round.bytes_per_node); }},
       {"limited by", false,
        [](const Prospect& p) { return std::string(name_of(p.forecast.limit)); }},
       {"mixing", true,
        [](const Prospect& p) -> std::string {
          const auto gap = p.forecast.spectral_gap;
          return gap ? fmt::format("{:.2g}", *gap) : "exact";
        }},
       {"proven gamma", true, [](const Prospect& p) -> std::string {
          const auto gamma = p.forecast.safe_gamma;
          return gamma ? fmt::format("{:.1g}", *gamma) : "";
        }}});
  return columns;
}

// The first so many, and those that the verdict speaks of.
std::vector<std::size_t> shown_rows(const std::vector<Prospect>& prospects,
                                    const Recommendation& found, std::size_t top) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < prospects.size(); ++i) {
    const Prospect* const prospect = &prospects[i];
    if (i < top || prospect == found.best || prospect == found.compressed ||
        prospect == found.dense)
      rows.push_back(i);
  }
  return rows;
}

void print_table(const std::vector<Prospect>& prospects, const std::vector<PlanColumn>& columns,
                 const std::vector<std::size_t>& rows) {
  std::string title = "    ";
  std::vector<std::string> lines;
  for (const std::size_t row : rows)
    lines.push_back(fmt::format("{:>3}.", row + 1));
  for (const PlanColumn& column : columns) {
    std::vector<std::string> cells;
    std::size_t width = column.title.size();
    for (const std::size_t row : rows) {
      cells.push_back(column.text(prospects[row]));
      width = std::max(width, cells.back().size());
    }
    const auto add = [&](std::string& line, const std::string& cell) {
      line += fmt::format(fmt::runtime(column.is_number ? "  {:>{}}" : "  {:<{}}"), cell, width);
    };
    add(title, column.title);
    for (std::size_t i = 0; i < lines.size(); ++i)
      add(lines[i], cells[i]);
  }
  fmt::print("\n{}\n{}\n", title, fmt::join(lines, "\n"));
  if (rows.size() < prospects.size())
    fmt::print("      and {} more: --top {}\n", prospects.size() - rows.size(), prospects.size());
}

std::vector<std::string> explanations_of(const std::vector<Prospect>& prospects,
                                         const std::optional<Target>& target) {
  const auto any = [&](auto is) { return std::ranges::any_of(prospects, is); };
  std::vector<std::string> lines = {
      "A round is one step of every node. It sends so much by each, and is limited by what takes "
      "most of its time."};
  if (any([](const Prospect& p) { return p.forecast.spectral_gap.has_value(); })) {
    lines.emplace_back(
        "mixing: what share of their differences one exchange without compression takes from the "
        "nodes (the graph's spectral gap).");
  }
  if (any([](const Prospect& p) { return p.forecast.safe_gamma.has_value(); })) {
    lines.emplace_back(
        "proven gamma: the consensus step that theory proves. 100 to 1000 times as much works in "
        "practice; train finds it, as --gamma auto does.");
  }
  if (!target && any([](const Prospect& p) { return p.method().local_steps > 1; })) {
    lines.emplace_back(
        "Methods with *N talk once in N rounds only: their rounds are short, but more of them may "
        "be needed. --target-accuracy tries it out.");
  }
  if (any([](const Prospect& p) {
        return p.pilot && p.pilot->to_target.source == Source::kExtrapolated;
      }))
    lines.emplace_back("~: beyond what the short run saw, if its error goes on to fall as it did.");
  return lines;
}

// What theory says against candidates, once each; and what went wrong in pilots.
std::vector<std::string> warnings_of(const std::vector<Prospect>& prospects) {
  std::vector<std::string> warnings;
  for (const Prospect& prospect : prospects) {
    for (const std::string& warning : prospect.forecast.warnings) {
      const std::string line = fmt::format("{}: {}", prospect.method().text(), warning);
      if (std::ranges::count(warnings, line) == 0) warnings.push_back(line);
    }
    if (prospect.pilot && !prospect.pilot->trouble.empty())
      warnings.push_back(
          fmt::format("{}: {}", name_of_prospect(prospect), prospect.pilot->trouble));
  }
  return warnings;
}

std::string verdict_by_rounds(const Recommendation& found) {
  if (found.compressed == nullptr || found.dense == nullptr) return {};
  const double with = found.compressed->forecast.round.seconds;
  const double without = found.dense->forecast.round.seconds;
  if (!found.compression_pays()) {
    return fmt::format(
        "Compression does not pay here: a round of {} takes {:.3g} s without it, one of {} {:.3g} "
        "s "
        "with it. Most of it is {}.",
        name_of_prospect(*found.dense), without, name_of_prospect(*found.compressed), with,
        name_of(found.dense->forecast.limit));
  }
  return fmt::format(
      "Compression pays: a round of {} is {:.1f} times as fast as one of {}. Some more rounds may "
      "be needed with it: --target-accuracy 0.85 tries that out.",
      name_of_prospect(*found.compressed), found.gain, name_of_prospect(*found.dense));
}

std::string verdict_by_target(const Recommendation& found, const Target& target) {
  if (found.best == nullptr) {
    return fmt::format(
        "None of the short runs came near {}: give more --pilot-rounds, another --lr, or another "
        "target.",
        text_of(target));
  }
  if (found.compressed == nullptr || found.dense == nullptr)
    return fmt::format("{} gets to {} in {}.", name_of_prospect(*found.best), text_of(target),
                       time_text(*found.best));
  if (!found.compression_pays()) {
    return fmt::format("Compression {} here: {} gets to {} in {} without it, {} in {} with it.",
                       found.gain < 1 ? "does not pay" : "makes little difference",
                       name_of_prospect(*found.dense), text_of(target), time_text(*found.dense),
                       name_of_prospect(*found.compressed), time_text(*found.compressed));
  }
  return fmt::format(
      "Compression pays: {} gets to {} in {}, {:.1f} times as fast as {} without it.",
      name_of_prospect(*found.compressed), text_of(target), time_text(*found.compressed),
      found.gain, name_of_prospect(*found.dense));
}

nlohmann::ordered_json json_of_prospect(const Prospect& prospect) {
  const Forecast& forecast = prospect.forecast;
  nlohmann::ordered_json row{{"method", forecast.candidate.method.text()},
                             {"topology", forecast.candidate.topology},
                             {"seconds_per_round", forecast.round.seconds},
                             {"bytes_per_node", forecast.round.bytes_per_node},
                             {"limit", name_of(forecast.limit)}};
  if (forecast.spectral_gap) row["spectral_gap"] = *forecast.spectral_gap;
  if (forecast.safe_gamma) row["safe_gamma"] = *forecast.safe_gamma;
  row["warnings"] = forecast.warnings;
  if (!prospect.pilot) return row;
  const Pilot& pilot = *prospect.pilot;
  if (const auto seconds = prospect.seconds_to_target()) {
    row["seconds_to_target"] = *seconds;
    row["rounds_to_target"] = pilot.to_target.rounds;
    row["is_extrapolated"] = pilot.to_target.source == Source::kExtrapolated;
  } else {
    row["seconds_to_target"] = nullptr;
  }
  nlohmann::ordered_json run = nlohmann::ordered_json::array();
  for (const ErrorAfter& point : pilot.run)
    run.push_back({{"round", point.round}, {"error", point.error}});
  row["pilot"] = {{"nodes", pilot.nodes}, {"gamma", pilot.gamma}, {"run", run}};
  if (!pilot.trouble.empty()) row["pilot"]["trouble"] = pilot.trouble;
  return row;
}

}  // namespace

std::string text_of(const Target& target) {
  return target.quantity == Target::Quantity::kAccuracy
             ? fmt::format("{:.4g} %", 100 * target.value)
             : fmt::format("a loss of {:.4g}", target.value);
}

std::string text_of(const Pilot& pilot, const Target& target) {
  if (!pilot.trouble.empty()) return pilot.trouble;
  if (pilot.run.empty()) return "nothing was measured";
  const ErrorAfter& last = pilot.run.back();
  return target.quantity == Target::Quantity::kAccuracy
             ? fmt::format("{} after {} rounds", human_percent(1 - last.error), last.round)
             : fmt::format("a loss of {:.4g} after {} rounds", last.error, last.round);
}

void print_plan(const PlanArguments& arguments, const std::vector<Prospect>& prospects,
                const std::optional<Target>& target) {
  const Recommendation found = recommend(prospects);
  print_table(prospects, plan_columns(target), shown_rows(prospects, found, arguments.top));
  fmt::print("\n");
  for (const std::string& line : explanations_of(prospects, target))
    fmt::print("{}\n", line);
  for (const std::string& line : warnings_of(prospects))
    fmt::print("warning: {}\n", line);
  const std::string verdict = target ? verdict_by_target(found, *target) : verdict_by_rounds(found);
  if (!verdict.empty()) fmt::print("\n{}\n", verdict);
  if (found.best == nullptr) return;
  fmt::print("\nRun {}{}:\n  {}\n", name_of_prospect(*found.best),
             arguments.layers.empty() ? "" : ", with your model as TorchScript",
             command_for(arguments, found.best->forecast.candidate));
}

void print_plan_json(const PlanArguments& arguments, const std::vector<Prospect>& prospects) {
  const Recommendation found = recommend(prospects);
  for (const Prospect& prospect : prospects) {
    nlohmann::ordered_json row = json_of_prospect(prospect);
    row["command"] = command_for(arguments, prospect.forecast.candidate);
    row["is_recommended"] = &prospect == found.best;
    fmt::print("{}\n", row.dump());
  }
}

}  // namespace gossamer::cli
