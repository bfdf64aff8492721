#include "apps/console/reproduction_printer.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "apps/console/human.hpp"
#include <fmt/format.h>

#include "gossamer/events/figures.hpp"
#include "gossamer/reproduce/page.hpp"

namespace gossamer::cli {
namespace {

// What the runs of an entry are told apart by: what its first claim is about.
std::string metric_of(const Entry& entry) {
  const auto claim = std::ranges::find_if(
      entry.claims, [](const Claim& candidate) { return !candidate.metric.empty(); });
  return claim == entry.claims.end() ? "" : claim->metric;
}

std::string ending_of(const Entry& entry, const PerformedRun& run) {
  if (run.series.divergence)
    return fmt::format("diverged after {} rounds", run.series.divergence->round);
  if (run.series.measurements.empty()) return "";
  const Measurement& last = run.series.measurements.back();
  const std::string metric = metric_of(entry);
  const std::optional<double> value = figure(last, metric);
  return fmt::format("{} rounds, {} sent per node{}", last.round,
                     human_bytes(last.bytes_sent_per_node),
                     value ? fmt::format(", {} {:.3g}", metric, *value) : "");
}

struct ClaimColumn {
  std::string title;
  std::size_t width;
};

using ClaimRow = std::array<std::string, 4>;

void print_row(const std::array<ClaimColumn, 4>& columns, const ClaimRow& row) {
  std::array<std::vector<std::string>, 4> cells;
  std::size_t height = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    cells[i] = wrapped(row[i], columns[i].width);
    height = std::max(height, cells[i].size());
  }
  for (std::size_t line = 0; line < height; ++line) {
    std::string text;
    for (std::size_t i = 0; i < columns.size(); ++i)
      text +=
          fmt::format("  {:<{}}", line < cells[i].size() ? cells[i][line] : "", columns[i].width);
    fmt::print("{}\n", text.substr(0, text.find_last_not_of(' ') + 1));
  }
}

// Of each row of the grid a block, and in it a line for each method; the best of a cell has a star.
void print_grid(const Reproduction& reproduction) {
  const Grid& grid = *reproduction.entry.grid;
  const GridValues values = grid_values(reproduction);
  std::size_t width = 0;
  for (const std::string& method : grid.methods)
    width = std::max(width, method.size());
  std::string head = fmt::format("  {:<{}}", grid.metric, width + 2);
  for (const std::string& column : grid.columns.values)
    head += fmt::format("  {:>9} ", column);
  fmt::print("{}\n", head.substr(0, head.find_last_not_of(' ') + 1));
  for (std::size_t row = 0; row < grid.rows.values.size(); ++row) {
    fmt::print("  {} {}\n", grid.rows.key, grid.rows.values[row]);
    for (std::size_t method = 0; method < grid.methods.size(); ++method) {
      std::string line = fmt::format("    {:<{}}", grid.methods[method], width);
      for (std::size_t column = 0; column < grid.columns.values.size(); ++column) {
        const std::optional<double>& value = values[method][row][column];
        const bool is_best = std::ranges::none_of(values, [&](const auto& other) {
          return other[row][column] && (!value || *other[row][column] < *value);
        });
        line += value ? fmt::format("  {:>9.3g}{}", *value, is_best ? '*' : ' ')
                      : fmt::format("  {:>9} ", "diverged");
      }
      fmt::print("{}\n", line.substr(0, line.find_last_not_of(' ') + 1));
    }
  }
}

}  // namespace

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines = {""};
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > width)
      lines.emplace_back();
    if (!lines.back().empty()) lines.back() += ' ';
    lines.back() += word;
  }
  return lines;
}

void ReproductionPrinter::begin(const Entry& entry) {
  if (is_silent()) return;
  fmt::print("{}{}: {}\n{}\n\n", has_printed_ ? "\n" : "", entry.name, entry.title, entry.paper);
  std::fflush(stdout);
  has_printed_ = true;
}

void ReproductionPrinter::run(const Entry& entry, const PerformedRun& run, double seconds) {
  if (is_silent() || entry.grid) return;  // of a grid all cells are printed together
  std::size_t width = 0;
  for (const PlannedRun& planned : entry.runs)
    width = std::max(width, planned.name.size());
  fmt::print("  {:<{}}  {:>6.1f} s  {}\n", run.series.name, width, seconds, ending_of(entry, run));
  std::fflush(stdout);
}

void ReproductionPrinter::end(const Reproduction& reproduction) {
  if (is_silent()) {
    fmt::print("{}\n", reproduction_json(reproduction));
    std::fflush(stdout);
    return;
  }
  if (reproduction.entry.grid) print_grid(reproduction);
  const std::array<ClaimColumn, 4> columns = {
      ClaimColumn{"claim", 46}, {"claimed", 24}, {"measured", 22}, {"", 13}};
  fmt::print("\n");
  print_row(columns, {"claim", "claimed", "measured", ""});
  for (std::size_t i = 0; i < reproduction.verdicts.size(); ++i) {
    const Claim& claim = reproduction.entry.claims[i];
    print_row(columns, {claim.says, claim.claimed, reproduction.verdicts[i].text,
                        std::string(name_of(reproduction.standing(i)))});
  }
  std::fflush(stdout);
}

void ReproductionPrinter::skip(const Entry& entry, std::string_view why) {
  if (is_silent()) return;
  fmt::print("{}{}: not run: {}\n", has_printed_ ? "\n" : "", entry.name, why);
  has_printed_ = true;
}

}  // namespace gossamer::cli
