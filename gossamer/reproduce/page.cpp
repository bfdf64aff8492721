#include "gossamer/reproduce/page.hpp"

#include <set>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gossamer/events/figures.hpp"
#include "gossamer/report/page_template.hpp"
#include "gossamer/report/parts/assets.hpp"
#include "gossamer/report/report_page.hpp"
#include "gossamer/reproduce/page/assets.hpp"

namespace gossamer {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kBrand = "Gossamer reproduces";

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json json_of(const Reproduction& reproduction) {
  const Entry& entry = reproduction.entry;
  Json json{{"name", entry.name},
            {"title", entry.title},
            {"paper", entry.paper},
            {"effort", name_of(reproduction.effort)},
            {"holds", reproduction.holds()},
            {"claims", Json::array()}};
  for (std::size_t i = 0; i < entry.claims.size(); ++i) {
    const Claim& claim = entry.claims[i];
    const Verdict& verdict = reproduction.verdicts[i];
    Json told{{"says", claim.says},
              {"claimed", claim.claimed},
              {"measured", verdict.text},
              {"number", verdict.measured ? Json(*verdict.measured) : Json()},
              {"standing", name_of(reproduction.standing(i))}};
    if (!claim.why.empty()) told["why"] = claim.why;
    json["claims"].push_back(std::move(told));
  }
  return json;
}

// All else that was measured would make the page several times as large.
std::set<std::string> drawn_figures(const Entry& entry) {
  std::set<std::string> drawn = {"round"};
  for (const Plot& plot : entry.plots)
    drawn.insert({plot.x, plot.y});
  return drawn;
}

// A JSON object per line, as in metrics.jsonl.
std::string metrics_of(const RunSeries& series, const std::set<std::string>& drawn) {
  std::string lines;
  for (const Measurement& measurement : series.measurements) {
    Json row = Json::object();
    for (const Figure& figure : figures_of(measurement)) {
      if (drawn.contains(figure.name)) row[figure.name] = figure.value;
    }
    lines += text_of(row) + "\n";
  }
  return lines;
}

Json json_of(const Plot& plot) {
  Json json{{"x", plot.x}, {"y", plot.y}, {"log", plot.is_log}};
  if (!plot.title.empty()) json["title"] = plot.title;
  if (!plot.runs.empty()) json["runs"] = plot.runs;
  return json;
}

Json json_of(const Grid::Axis& axis) {
  return {{"key", axis.key}, {"values", axis.values}};
}

// Values by method, row and column; null where a run diverged.
Json grid_json(const Reproduction& reproduction) {
  const Grid& grid = *reproduction.entry.grid;
  Json values = Json::array();
  for (const auto& of_method : grid_values(reproduction)) {
    Json rows = Json::array();
    for (const auto& row : of_method) {
      Json cells = Json::array();
      for (const std::optional<double>& value : row)
        cells.push_back(value ? Json(*value) : Json());
      rows.push_back(std::move(cells));
    }
    values.push_back(std::move(rows));
  }
  return {{"metric", grid.metric},
          {"columns", json_of(grid.columns)},
          {"rows", json_of(grid.rows)},
          {"methods", grid.methods},
          {"values", std::move(values)}};
}

ReportedRun reported(const std::string& name, const PerformedRun& run,
                     const std::set<std::string>& drawn) {
  return {name, metrics_of(run.series, drawn), run.summary, run.config};
}

// Of a grid one run of each method, that of the first cell: settings of the others are the same but
// for the two that the map shows.
std::vector<ReportedRun> reported_runs(const Reproduction& reproduction) {
  const Entry& entry = reproduction.entry;
  const std::set<std::string> drawn = drawn_figures(entry);
  std::vector<ReportedRun> all;
  if (!entry.grid) {
    for (const PerformedRun& run : reproduction.runs)
      all.push_back(reported(run.series.name, run, drawn));
    return all;
  }
  const std::size_t cells = entry.grid->rows.values.size() * entry.grid->columns.values.size();
  for (std::size_t method = 0; method < entry.grid->methods.size(); ++method)
    all.push_back(
        reported(entry.grid->methods[method], reproduction.runs.at(method * cells), drawn));
  return all;
}

}  // namespace

std::string reproduction_json(const Reproduction& reproduction) {
  Json json = json_of(reproduction);
  if (reproduction.entry.grid) json["grid"] = grid_json(reproduction);
  json["runs"] = Json::array();
  for (const PerformedRun& run : reproduction.runs) {
    Json told{{"name", run.series.name}};
    told.update(Json::parse(run.summary).at("summary"));
    json["runs"].push_back(std::move(told));
  }
  return text_of(json);
}

Result<std::string> entry_html(const Reproduction& reproduction) {
  const Entry& entry = reproduction.entry;
  const Result<std::string> runs = runs_json(reported_runs(reproduction));
  if (!runs) return runs.error();
  Json plots = Json::array();
  for (const Plot& plot : entry.plots)
    plots.push_back(json_of(plot));
  const Json grid = entry.grid ? grid_json(reproduction) : Json();
  const std::string data = fmt::format(
      R"({{"entry":{},"about":{},"plots":{},"grid":{},"runs":{}}})", text_of(json_of(reproduction)),
      text_of(Json(entry.about)), text_of(plots), text_of(grid), runs.value());
  return whole_page(
      {.brand = kBrand,
       .title = entry.title,
       .main = {reproduction_page::entry_html(), report::curves_html(),
                reproduction_page::runs_html()},
       .styles = {report::page_css(), reproduction_page::claims_css(),
                  reproduction_page::map_css()},
       .data = data,
       .scripts = {report::chart_js(), report::numbers_js(), report::elements_js(),
                   report::curves_js(), report::runs_js(), reproduction_page::claims_js(),
                   reproduction_page::map_js(), reproduction_page::entry_js()}});
}

std::string overview_html(std::span<const Reproduction> reproductions) {
  Json entries = Json::array();
  for (const Reproduction& reproduction : reproductions)
    entries.push_back(json_of(reproduction));
  const std::string data = text_of(Json{{"entries", entries}});
  return whole_page({.brand = kBrand,
                     .title = "What the papers say, and what is measured here",
                     .main = {},
                     .styles = {report::page_css(), reproduction_page::claims_css()},
                     .data = data,
                     .scripts = {report::elements_js(), reproduction_page::claims_js(),
                                 reproduction_page::overview_js()}});
}

}  // namespace gossamer
