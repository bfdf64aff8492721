// The page of a report, as far as it can be judged without a browser; tests/e2e looks at it in one.

#include "gossamer/report/report_page.hpp"

#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gossamer/base/contract.hpp"
#include "gossamer/report/parts/assets.hpp"

namespace gossamer::testing {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

ReportPage page_of(std::vector<ReportedRun> runs) {
  ReportPage page;
  page.title = "a title";
  page.runs = std::move(runs);
  return page;
}

std::string html_of(const ReportPage& page) {
  const Result<std::string> html = report_html(page);
  EXPECT_TRUE(html) << html.error().message;
  return html ? html.value() : "";
}

std::string refusal_of(const ReportPage& page) {
  const Result<std::string> html = report_html(page);
  return html ? "not refused" : html.error().message;
}

// What the page's script is given: the content of the element, as a browser sees it.
json data_of(const ReportPage& page) {
  const std::string html = html_of(page);
  const std::string_view opening = "<script type=\"application/json\" id=\"data\">";
  const std::size_t begin = html.find(opening) + opening.size();
  return json::parse(html.substr(begin, html.find("</script", begin) - begin));
}

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

// What goes into the page and is ours.
std::vector<std::string_view> own_parts() {
  return {report::page_css(),  report::numbers_js(), report::elements_js(),
          report::curves_js(), report::runs_js(),    report::page_js()};
}

const ReportedRun kRun = {"one", R"({"round":10,"objective":0.5})", "", "seed = 1\n"};

TEST(ReportPage, HoldsAllThatItIsMadeOf) {
  const std::string html = html_of(page_of({kRun}));
  EXPECT_THAT(report::chart_js(), HasSubstr("Chart.js v3."));
  EXPECT_GT(report::chart_js().size(), 100'000u);
  EXPECT_EQ(count(html, report::chart_js()), 1u);
  for (const std::string_view part : own_parts())
    EXPECT_EQ(count(html, part), 1u) << part;
  EXPECT_TRUE(html.starts_with("<!doctype html>"));
  EXPECT_TRUE(html.ends_with("</html>\n"));
  EXPECT_EQ(count(html, "<h1>a title</h1>"), 1u);
}

TEST(ReportPage, LoadsNothing) {
  EXPECT_THAT(html_of(page_of({kRun})), HasSubstr("\"default-src 'none'; "));
  std::vector<std::string_view> parts = own_parts();
  parts.push_back(report::frame_html());
  for (const std::string_view part : parts) {
    for (const char* loader : {"http://", "https://", "url(", "@import", "src=", "fetch("})
      EXPECT_EQ(count(part, loader), 0u) << loader;
  }
}

TEST(ReportPage, ShowsHostileTextAsText) {
  const std::string hostile = "</script></title><!--<script>&\"'\\ {{chart}}\u2028";
  const std::string quoted = json(hostile).dump();
  ReportPage page = page_of(
      {{hostile, "{" + quoted + ":" + quoted + "}", "{\"warnings\":[" + quoted + "]}", hostile}});
  page.title = hostile;
  page.nodes = 1;
  page.topology = hostile;

  const std::string html = html_of(page);
  EXPECT_EQ(count(html, "</script"), 7u) << "data, and six scripts";
  EXPECT_EQ(count(html, "</title"), 1u);
  EXPECT_EQ(count(html, "<!--"), 0u);
  EXPECT_EQ(count(html, report::chart_js()), 1u);
  EXPECT_THAT(html, HasSubstr("<title>&lt;/script>&lt;/title>"));

  const json data = data_of(page);
  EXPECT_EQ(data["runs"][0]["name"], hostile);
  EXPECT_EQ(data["runs"][0]["config"], hostile);
  EXPECT_EQ(data["runs"][0]["metrics"][0][hostile], hostile);
  EXPECT_EQ(data["runs"][0]["summary"]["warnings"][0], hostile);
  EXPECT_EQ(data["graph"]["topology"], hostile);
}

TEST(ReportPage, ReplacesBytesThatAreNoText) {
  EXPECT_EQ(data_of(page_of({{"one", "", "", "a\xff"}}))["runs"][0]["config"], "a\uFFFD");
}

TEST(ReportPage, KeepsWhatEachRunReported) {
  const ReportedRun convex = {"convex", "{\"round\":1,\"suboptimality\":0.5}\n{\"round\":2}\n",
                              R"({"summary":{"outcome":"finished","gamma":0.3}})", "nodes = 8"};
  const ReportedRun deep = {"deep", "{\"epoch\":1,\"train_loss\":null}",
                            R"({"epochs":1,"dense_bytes_per_node":80})", "nodes = 16"};
  const json runs = data_of(page_of({convex, deep}))["runs"];
  EXPECT_EQ(runs, json::parse(R"([
    {"name": "convex", "config": "nodes = 8", "summary": {"outcome": "finished", "gamma": 0.3},
     "metrics": [{"round": 1, "suboptimality": 0.5}, {"round": 2}]},
    {"name": "deep", "config": "nodes = 16", "summary": {"epochs": 1, "dense_bytes_per_node": 80},
     "metrics": [{"epoch": 1, "train_loss": null}]}])"));
}

TEST(ReportPage, TakesARunThatHasNotEnded) {
  EXPECT_EQ(data_of(page_of({kRun}))["runs"][0]["summary"], json::object());
}

TEST(ReportPage, RefusesABrokenLineOfMetricsByItsNumber) {
  for (const char* line : {"{\"round\":", "7", "[]", "{\"round\":NaN}", " "}) {
    ReportedRun run = kRun;
    run.metrics = "{\"round\":1}\n\n" + std::string(line) + "\n{\"round\":3}\n";
    EXPECT_EQ(refusal_of(page_of({kRun, run})), "line 3 of the metrics of 'one' is no JSON object")
        << line;
  }
}

TEST(ReportPage, RefusesASummaryThatIsNone) {
  for (const char* summary : {"{", "[1]", R"({"summary": 3})"}) {
    ReportedRun run = kRun;
    run.summary = summary;
    EXPECT_EQ(refusal_of(page_of({run})), "the summary of 'one' is no JSON object") << summary;
  }
}

TEST(ReportPage, NeedsARun) {
  EXPECT_EQ(refusal_of(page_of({})), "a report needs a run to tell of");
}

TEST(ReportPage, TellsTheFiguresOfAGraphAndItsEdges) {
  ReportPage page = page_of({kRun});
  EXPECT_FALSE(data_of(page).contains("graph"));
  page.nodes = 3;
  page.edges = {{0, 1}, {1, 2}};
  page.topology = "chain";
  EXPECT_EQ(
      data_of(page)["graph"],
      json::parse(R"({"topology": "chain", "nodes": 3, "edge_count": 2, "edges": [[0,1],[1,2]],
                            "least_neighbours": 1, "most_neighbours": 2})"));
  page.edges.emplace_back(2, 3);
  EXPECT_THROW((void)report_html(page), ContractViolation);
}

TEST(ReportPage, DrawsNoGraphThatWouldBeADisc) {
  const auto is_drawn = [](NodeId nodes, std::size_t edges) {
    ReportPage page = page_of({kRun});
    page.nodes = nodes;
    page.edges.assign(edges, {0, 1});
    const json graph = data_of(page)["graph"];
    EXPECT_EQ(graph["edge_count"], edges);
    return graph.contains("edges");
  };
  EXPECT_TRUE(is_drawn(1024, 20'000));
  EXPECT_FALSE(is_drawn(1025, 1));
  EXPECT_FALSE(is_drawn(1024, 20'001));
}

}  // namespace
}  // namespace gossamer::testing
