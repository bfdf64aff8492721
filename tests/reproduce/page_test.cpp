// Pages about entries, as far as they can be judged without a browser; tests/e2e looks at one in
// it.

#include "gossamer/reproduce/page.hpp"

#include <string>
#include <string_view>
#include <vector>

#include "tests/reproduce/made.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gossamer/report/parts/assets.hpp"
#include "gossamer/reproduce/page/assets.hpp"

namespace gossamer::testing {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

std::string html_of(const Reproduction& reproduction) {
  const Result<std::string> html = entry_html(reproduction);
  EXPECT_TRUE(html) << html.error().message;
  return html ? html.value() : "";
}

// What the page's script is given: the content of the element, as a browser sees it.
json data_in(const std::string& html) {
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

TEST(EntryPage, TellsItsScriptWhatIsClaimedAndMeasured) {
  Reproduction reproduction = made("mine");
  reproduction.entry.claims[0].why = "for a reason";
  reproduction.entry.claims[0].differs = true;
  reproduction.entry.plots = {{"round", "error", true, "", {}},
                              {"payload_bytes_per_node", "error", false, "named", {"one"}}};
  const json data = data_in(html_of(reproduction));
  EXPECT_EQ(data["entry"], json::parse(R"({
    "name": "mine", "title": "a title", "paper": "a paper", "effort": "quick", "holds": true,
    "claims": [{"says": "it works", "claimed": "at most 2x", "measured": "1.5x", "number": 1.5,
                "standing": "differs", "why": "for a reason"}]})"));
  EXPECT_EQ(data["about"], "what was done");
  EXPECT_EQ(data["plots"], json::parse(R"([
    {"x": "round", "y": "error", "log": true},
    {"x": "payload_bytes_per_node", "y": "error", "log": false, "title": "named", "runs": ["one"]}
  ])"));
  EXPECT_EQ(data["runs"], json::parse(R"([{
    "name": "one", "config": "nodes = 4\n", "summary": {"outcome": "finished"},
    "metrics": [{"round": 1, "error": 0.5, "payload_bytes_per_node": 0}]}])"));
}

TEST(EntryPage, HoldsAllThatItIsMadeOfAndLoadsNothing) {
  const std::string html = html_of(made("mine"));
  EXPECT_EQ(count(html, report::chart_js()), 1u);
  for (const std::string_view part :
       {report::page_css(), reproduction_page::claims_css(), report::curves_js(), report::runs_js(),
        reproduction_page::claims_js(), reproduction_page::map_js(), reproduction_page::map_css(),
        reproduction_page::entry_js()})
    EXPECT_EQ(count(html, part), 1u) << part;
  EXPECT_EQ(count(html, "<h1>a title</h1>"), 1u);
  EXPECT_THAT(html, HasSubstr("\"default-src 'none'; "));
  for (const std::string_view part :
       {reproduction_page::entry_html(), reproduction_page::runs_html(),
        reproduction_page::claims_css(), reproduction_page::claims_js(),
        reproduction_page::map_css(), reproduction_page::map_js(), reproduction_page::entry_js(),
        reproduction_page::overview_js()}) {
    for (const char* loader : {"http://", "https://", "url(", "@import", "src=", "fetch("})
      EXPECT_EQ(count(part, loader), 0u) << loader;
  }
}

TEST(EntryPage, ShowsHostileTextAsText) {
  const std::string hostile = "</script></title><!--<script>&\"'\\ {{chart}}";
  Reproduction reproduction = made(hostile, hostile);
  reproduction.entry.title = reproduction.entry.paper = reproduction.entry.about = hostile;
  reproduction.entry.claims[0].why = hostile;
  reproduction.runs[0].series.name = hostile;
  reproduction.runs[0].config = hostile;
  const std::string html = html_of(reproduction);
  EXPECT_EQ(count(html, "</script"), 9u) << "data, and eight scripts";
  EXPECT_EQ(count(html, "</title"), 1u);
  EXPECT_EQ(count(html, "<!--"), 0u);
  EXPECT_EQ(count(html, report::chart_js()), 1u);
  EXPECT_EQ(data_in(html)["entry"]["claims"][0]["why"], hostile);

  const std::string overview = overview_html({{reproduction}});
  EXPECT_EQ(count(overview, "</script"), 4u) << "data, and three scripts";
  EXPECT_EQ(data_in(overview)["entries"][0]["name"], hostile);
}

TEST(OverviewPage, HasTheClaimsOfAllEntries) {
  const std::vector<Reproduction> two = {made("a"), made("b", "it fails", false)};
  const json data = data_in(overview_html(two));
  ASSERT_EQ(data["entries"].size(), 2u);
  EXPECT_EQ(data["entries"][0]["holds"], true);
  EXPECT_EQ(data["entries"][1]["holds"], false);
  EXPECT_EQ(data["entries"][1]["claims"][0]["standing"], "does not hold");
}

TEST(ReproductionJson, AlsoSaysHowRunsEnded) {
  const json object = json::parse(reproduction_json(made("mine")));
  EXPECT_EQ(object["name"], "mine");
  EXPECT_EQ(object["claims"][0]["number"], 1.5);
  EXPECT_EQ(object["runs"], json::parse(R"([{"name": "one", "outcome": "finished"}])"));
  Reproduction without = made("mine");
  without.verdicts[0].measured = std::nullopt;
  EXPECT_TRUE(json::parse(reproduction_json(without))["claims"][0]["number"].is_null());
}

}  // namespace
}  // namespace gossamer::testing
