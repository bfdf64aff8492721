#include "gossamer/reproduce/page.hpp"

#include <set>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gossamer/reproduce/page/assets.hpp"
#include "gossamer/train/figures.hpp"
#include "gossamer/train/page_template.hpp"
#include "gossamer/train/report/assets.hpp"
#include "gossamer/train/report_page.hpp"

namespace gossamer {
namespace {

using Json = nlohmann::ordered_json;

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
    for (const Figure& figure : figures_of(measurement, series.command)) {
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

}  // namespace

std::string reproduction_json(const Reproduction& reproduction) {
  Json json = json_of(reproduction);
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
  const std::set<std::string> drawn = drawn_figures(entry);
  std::vector<ReportedRun> reported;
  for (const PerformedRun& run : reproduction.runs)
    reported.push_back({run.series.name, metrics_of(run.series, drawn), run.summary, run.config});
  const Result<std::string> runs = runs_json(reported);
  if (!runs) return runs.error();
  Json plots = Json::array();
  for (const Plot& plot : entry.plots)
    plots.push_back(json_of(plot));
  const std::string data = fmt::format(R"({{"entry":{},"about":{},"plots":{},"runs":{}}})",
                                       text_of(json_of(reproduction)), text_of(Json(entry.about)),
                                       text_of(plots), runs.value());
  return fill_page(reproduction_page::entry_html(),
                   {{"title", text_in_html(entry.title)},
                    {"style", report::page_css()},
                    {"claims-style", reproduction_page::claims_css()},
                    {"data", json_in_script(data)},
                    {"chart", report::chart_js()},
                    {"numbers", report::numbers_js()},
                    {"elements", report::elements_js()},
                    {"curves", report::curves_js()},
                    {"runs", report::runs_js()},
                    {"claims", reproduction_page::claims_js()},
                    {"script", reproduction_page::entry_js()}});
}

std::string overview_html(std::span<const Reproduction> reproductions) {
  Json entries = Json::array();
  for (const Reproduction& reproduction : reproductions)
    entries.push_back(json_of(reproduction));
  return fill_page(reproduction_page::overview_html(),
                   {{"style", report::page_css()},
                    {"claims-style", reproduction_page::claims_css()},
                    {"data", json_in_script(text_of(Json{{"entries", entries}}))},
                    {"elements", report::elements_js()},
                    {"claims", reproduction_page::claims_js()},
                    {"script", reproduction_page::overview_js()}});
}

}  // namespace gossamer
