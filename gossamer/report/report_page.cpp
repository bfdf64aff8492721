#include "gossamer/report/report_page.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gossamer/base/contract.hpp"
#include "gossamer/report/page_template.hpp"
#include "gossamer/report/parts/assets.hpp"

namespace gossamer {
namespace {

using Json = nlohmann::ordered_json;

// Beyond these a drawing is a grey disc, and the page gets heavy.
constexpr NodeId kMostNodesDrawn = 1024;
constexpr std::size_t kMostEdgesDrawn = 20'000;

Result<Json> metrics_of(const ReportedRun& run) {
  Json rows = Json::array();
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < run.metrics.size();) {
    const std::size_t end = std::min(run.metrics.find('\n', begin), run.metrics.size());
    const std::string_view line = std::string_view(run.metrics).substr(begin, end - begin);
    begin = end + 1;
    ++number;
    if (line.empty()) continue;
    Json row = Json::parse(line, nullptr, false);
    if (!row.is_object())
      return Error{
          fmt::format("line {} of the metrics of '{}' is no JSON object", number, run.name)};
    rows.push_back(std::move(row));
  }
  return rows;
}

Result<Json> summary_of(const ReportedRun& run) {
  if (run.summary.empty()) return Json::object();
  Json summary = Json::parse(run.summary, nullptr, false);
  // The file holds {"summary": {...}}, as `--json` prints it.
  if (summary.is_object() && summary.contains("summary")) summary = Json(summary["summary"]);
  if (!summary.is_object())
    return Error{fmt::format("the summary of '{}' is no JSON object", run.name)};
  return summary;
}

Result<Json> data_of(const ReportedRun& run) {
  Result<Json> metrics = metrics_of(run);
  if (!metrics) return metrics.error();
  Result<Json> summary = summary_of(run);
  if (!summary) return summary.error();
  return Json{{"name", run.name},
              {"config", run.config},
              {"summary", std::move(summary).value()},
              {"metrics", std::move(metrics).value()}};
}

Json graph_of(const ReportPage& page) {
  std::vector<std::size_t> degrees(page.nodes);
  for (const auto& [a, b] : page.edges) {
    expects(a < page.nodes && b < page.nodes, "an edge joins two nodes of its graph");
    ++degrees[a];
    ++degrees[b];
  }
  const auto [least, most] = std::ranges::minmax_element(degrees);
  Json graph{{"topology", page.topology},
             {"nodes", page.nodes},
             {"edge_count", page.edges.size()},
             {"least_neighbours", *least},
             {"most_neighbours", *most}};
  if (page.nodes <= kMostNodesDrawn && page.edges.size() <= kMostEdgesDrawn)
    graph["edges"] = page.edges;
  return graph;
}

// What is no text is shown as such, and refuses nobody.
std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

Result<std::string> runs_json(std::span<const ReportedRun> runs) {
  Json all = Json::array();
  for (const ReportedRun& run : runs) {
    Result<Json> told = data_of(run);
    if (!told) return told.error();
    all.push_back(std::move(told).value());
  }
  return text_of(all);
}

Result<std::string> report_html(const ReportPage& page) {
  if (page.runs.empty()) return Error{"a report needs a run to tell of"};
  const Result<std::string> runs = runs_json(page.runs);
  if (!runs) return runs.error();
  const std::string graph =
      page.nodes > 0 ? fmt::format(",\"graph\":{}", text_of(graph_of(page))) : "";
  const std::string data = fmt::format("{{\"runs\":{}{}}}", runs.value(), graph);
  return whole_page(
      {.brand = "Gossamer",
       .title = page.title,
       .main = {report::overview_html(), report::curves_html(), report::details_html()},
       .styles = {report::page_css()},
       .data = data,
       .scripts = {report::chart_js(), report::numbers_js(), report::elements_js(),
                   report::curves_js(), report::runs_js(), report::page_js()}});
}

}  // namespace gossamer
