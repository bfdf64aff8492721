#include "gossamer/train/report_page.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gossamer/base/contract.hpp"
#include "gossamer/train/report/assets.hpp"

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

// JSON that stands in a script element. Only strings hold a '<', and without one nothing in there
// can end the element.
std::string text_in_script(const Json& json) {
  std::string text;
  for (const char c : json.dump(-1, ' ', false, Json::error_handler_t::replace))
    c == '<' ? text += "\\u003c" : text += c;
  return text;
}

std::string text_in_html(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '<':
        escaped += "&lt;";
        break;
      case '&':
        escaped += "&amp;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

struct Piece {
  std::string_view name;
  std::string_view text;
};

// The template with each {{name}} replaced. What was put in is not looked at again: it may hold
// anything.
std::string filled(std::string_view page, const std::vector<Piece>& pieces) {
  std::string html;
  while (!page.empty()) {
    const std::size_t open = std::min(page.find("{{"), page.size());
    html += page.substr(0, open);
    page.remove_prefix(open);
    if (page.empty()) break;
    const std::size_t close = page.find("}}");
    expects(close != std::string_view::npos, "page.html closes every {{");
    const auto piece = std::ranges::find(pieces, page.substr(2, close - 2), &Piece::name);
    expects(piece != pieces.end(), "page.html names only what a report has");
    html += piece->text;
    page.remove_prefix(close + 2);
  }
  return html;
}

}  // namespace

Result<std::string> report_html(const ReportPage& page) {
  if (page.runs.empty()) return Error{"a report needs a run to tell of"};
  Json data{{"runs", Json::array()}};
  for (const ReportedRun& run : page.runs) {
    Result<Json> told = data_of(run);
    if (!told) return told.error();
    data["runs"].push_back(std::move(told).value());
  }
  if (page.nodes > 0) data["graph"] = graph_of(page);
  return filled(report::page_html(), {{"title", text_in_html(page.title)},
                                      {"style", report::page_css()},
                                      {"data", text_in_script(data)},
                                      {"chart", report::chart_js()},
                                      {"numbers", report::numbers_js()},
                                      {"elements", report::elements_js()},
                                      {"curves", report::curves_js()},
                                      {"script", report::page_js()}});
}

}  // namespace gossamer
