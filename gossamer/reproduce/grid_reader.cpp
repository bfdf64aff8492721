#include "gossamer/reproduce/grid_reader.hpp"

#include <utility>

#include <fmt/format.h>

#include "gossamer/reproduce/claim_reader.hpp"

namespace gossamer {
namespace {

struct Cell {
  std::string column;
  std::string row;
};

std::vector<Cell> cells_of(const Grid& grid) {
  std::vector<Cell> cells;
  for (const std::string& row : grid.rows.values) {
    for (const std::string& column : grid.columns.values)
      cells.push_back({column, row});
  }
  return cells;
}

// `base` with another value of the axis' setting. Mistakes in the value are the axis'.
RunConfig with_setting(RunConfig base, const Grid::Axis& axis, const std::string& value,
                       TomlTable& table) {
  if (const Result<void> set = set_config(base, axis.key, value); !set)
    table.refuse("values", set.error().message);
  return base;
}

Result<Grid::Axis> read_axis(TomlTable& grid, std::string_view name, const RunConfig& base) {
  const toml::table* const table = grid.table(name);
  grid.require(table != nullptr, name);
  if (const Result<void> fine = grid.so_far(); !fine) return fine.error();
  TomlTable reader(*table, fmt::format("grid.{}", name));
  Grid::Axis axis{reader.text("key").value_or(""), reader.texts("values")};
  reader.require(!axis.key.empty(), "key");
  reader.require(!axis.values.empty(), "values");
  if (const Result<void> done = reader.finish(); !done) return done.error();
  for (const std::string& value : axis.values)
    (void)with_setting(base, axis, value, reader);
  if (const Result<void> done = reader.finish(); !done) return done.error();
  return axis;
}

Result<Grid> parse_grid(const toml::table& table, const Entry& entry) {
  TomlTable reader(table, "grid");
  Grid grid;
  grid.metric = reader.text("metric").value_or("");
  reader.require(!grid.metric.empty(), "metric");
  refuse_unknown_metric(reader, "metric", grid.metric, entry.command);
  refuse_real_seconds(reader, "metric", grid.metric, entry.runs);
  // Whether a setting can have a value does not depend on the run.
  const RunConfig base = entry.runs.empty() ? RunConfig{} : entry.runs.front().config;
  for (const auto& [name, axis] :
       {std::pair("columns", &grid.columns), std::pair("rows", &grid.rows)}) {
    Result<Grid::Axis> read = read_axis(reader, name, base);
    if (!read) return read.error();
    *axis = std::move(read).value();
  }
  if (const Result<void> done = reader.finish(); !done) return done.error();
  return grid;
}

std::vector<PlannedRun> multiplied(const std::vector<PlannedRun>& runs, const Grid& grid) {
  std::vector<PlannedRun> all;
  for (const PlannedRun& run : runs) {
    for (const auto& [column, row] : cells_of(grid)) {
      PlannedRun planned{Grid::run_name(run.name, column, row), run.config};
      const bool is_set = set_config(planned.config, grid.columns.key, column).ok() &&
                          set_config(planned.config, grid.rows.key, row).ok();
      expects(is_set, "read_axis() has refused what cannot be set");
      all.push_back(std::move(planned));
    }
  }
  return all;
}

std::vector<std::string> multiplied(const std::vector<std::string>& names, const Grid& grid) {
  std::vector<std::string> all;
  for (const std::string& name : names) {
    for (const auto& [column, row] : cells_of(grid))
      all.push_back(Grid::run_name(name, column, row));
  }
  return all;
}

}  // namespace

std::string Grid::run_name(const std::string& method, const std::string& column,
                           const std::string& row) {
  return fmt::format("{}, {}, {}", method, column, row);
}

Result<void> read_grid(TomlTable& file, Entry& entry, std::vector<std::string>& names) {
  const toml::table* const table = file.table("grid");
  if (table == nullptr) return {};
  Result<Grid> read = parse_grid(*table, entry);
  if (!read) return read.error();
  Grid& grid = entry.grid.emplace(std::move(read).value());
  for (const PlannedRun& run : entry.runs)
    grid.methods.push_back(run.name);
  entry.runs = multiplied(entry.runs, grid);
  names = multiplied(names, grid);
  return {};
}

}  // namespace gossamer
