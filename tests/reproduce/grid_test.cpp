// Entries whose runs are the cells of a grid, from the file to the page.

#include "gossamer/reproduce/grid.hpp"

#include <string>
#include <vector>

#include "tests/reproduce/entries.hpp"
#include "tests/reproduce/reproduced.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gossamer/reproduce/page.hpp"

namespace gossamer::testing {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A message of 4 * 1000 + 56 bytes takes 4.056 s at 8 kbit/s: what a step takes beside it is
// nothing.
const std::string kTwoMethods = R"(
title = "a title"
paper = "a paper"
about = "what was done"
[settings]
task = "quadratic"
dim = 1000
nodes = 2
topology = "complete"
lr = 0.01
rounds = 2
network = "sim"
sim = { compute = "1ms" }
[[run]]
name = "whole"
settings = { algorithm = "dpsgd" }
[[run]]
name = "short"
settings = { algorithm = "dcd", compressor = "minmax:8" }
)";

const std::string kGrid = R"(
[grid]
metric = "seconds"
columns = { key = "sim.bandwidth", values = ["8kbps", "8Gbps"] }
rows = { key = "sim.latency", values = ["1ms", "2s"] }
)";

const std::string kClaimAboutACell = R"(
[[claim]]
says = "short messages are fast where bandwidth is low"
claimed = "faster"
measure = "value"
metric = "seconds"
run = "short, 8kbps, 1ms"
under = "whole, 8kbps, 1ms"
at_least = 2
)";

std::string refusal_of_grid(const std::string& grid, const std::string& runs = kTwoMethods) {
  const Result<Entry> entry =
      parse_entry("mine", "mine.toml", runs + grid + kClaimAboutACell, Effort::kQuick);
  return entry ? "not refused" : entry.error().message;
}

std::string with(std::string text, const std::string& part, const std::string& by) {
  const std::size_t place = text.find(part);
  EXPECT_NE(place, std::string::npos) << part;
  return text.replace(place, part.size(), by);
}

TEST(Grid, RunsEveryMethodInEveryCell) {
  const Entry entry = entry_of(kTwoMethods + kGrid + kClaimAboutACell);
  ASSERT_TRUE(entry.grid);
  EXPECT_THAT(entry.grid->methods, ElementsAre("whole", "short"));
  ASSERT_EQ(entry.runs.size(), 8u);
  EXPECT_EQ(entry.runs[1].name, "whole, 8Gbps, 1ms");
  EXPECT_EQ(entry.runs[6].name, "short, 8kbps, 2s");
  EXPECT_EQ(entry.runs[6].config.sim.bandwidth, 1000.0);
  EXPECT_EQ(entry.runs[6].config.sim.latency, std::chrono::seconds(2));
  EXPECT_EQ(entry.runs[6].config.algorithm, "dcd");
}

TEST(Grid, HasTheValuesOfItsCells) {
  const Reproduction reproduction = reproduced(entry_of(kTwoMethods + kGrid + kClaimAboutACell));
  EXPECT_TRUE(reproduction.holds()) << reproduction.verdicts[0].text;
  EXPECT_THAT(reproduction.verdicts[0].text, HasSubstr("x less time"));
  const GridValues values = grid_values(reproduction);
  ASSERT_EQ(values.size(), 2u);
  ASSERT_EQ(values[0].size(), 2u);
  ASSERT_EQ(values[0][0].size(), 2u);
  // Whole models, two rounds.
  EXPECT_NEAR(*values[0][0][0], 2 * 4.056, 0.05);
  EXPECT_NEAR(*values[0][1][1], 2 * 2.0, 0.05);
  EXPECT_LT(*values[1][0][0], *values[0][0][0] / 2);
}

TEST(Grid, IsDrawnInsteadOfItsRuns) {
  const Reproduction reproduction = reproduced(entry_of(kTwoMethods + kGrid + kClaimAboutACell));
  const json grid = json::parse(reproduction_json(reproduction)).at("grid");
  EXPECT_EQ(grid["metric"], "seconds");
  EXPECT_EQ(grid["columns"]["key"], "sim.bandwidth");
  EXPECT_EQ(grid["rows"]["values"], json({"1ms", "2s"}));
  EXPECT_EQ(grid["values"][1][0][0], *grid_values(reproduction)[1][0][0]);
  const std::string html = entry_html(reproduction).value();
  EXPECT_THAT(html, HasSubstr("\"grid\":{\"metric\":\"seconds\""));
  // One of each method, for its settings.
  EXPECT_THAT(html, HasSubstr("\"name\":\"short\""));
  EXPECT_THAT(html, ::testing::Not(HasSubstr("\"name\":\"short, 8")));
}

TEST(Grid, LeavesTheCellOfARunThatDivergedEmpty) {
  const std::string runs = with(kTwoMethods, "lr = 0.01\nrounds = 2", "lr = 1e6\nrounds = 50");
  const Reproduction reproduction = reproduced(entry_of(runs + kGrid + kClaimAboutACell));
  EXPECT_FALSE(grid_values(reproduction)[0][0][0]);
  EXPECT_TRUE(json::parse(reproduction_json(reproduction))["grid"]["values"][0][0][0].is_null());
  EXPECT_FALSE(reproduction.holds());
}

TEST(Grid, RefusesWhatCannotBeOne) {
  EXPECT_EQ(refusal_of_grid(kGrid), "not refused");
  EXPECT_THAT(refusal_of_grid(with(kGrid, "\"seconds\"", "\"secnds\"")),
              HasSubstr("did you mean 'seconds'?"));
  EXPECT_THAT(refusal_of_grid(with(kGrid, "sim.latency", "sim.latncy")),
              HasSubstr("grid.rows.values: "));
  EXPECT_THAT(refusal_of_grid(with(kGrid, "\"8Gbps\"", "\"-8Gbps\"")),
              HasSubstr("grid.columns.values: "));
  EXPECT_THAT(refusal_of_grid(with(kGrid, "[\"1ms\", \"2s\"]", "[]")),
              HasSubstr("grid.rows.values: is missing"));
  EXPECT_THAT(refusal_of_grid("[grid]\nmetric = \"seconds\"\n"),
              HasSubstr("grid.columns: is missing"));
  EXPECT_THAT(refusal_of_grid(with(kGrid, "metric", "metrics")), HasSubstr("grid.metric"));
  EXPECT_THAT(refusal_of_grid(kGrid, with(kTwoMethods, "\"sim\"", "\"inproc\"")),
              HasSubstr("set network = \"sim\""));
  EXPECT_THAT(refusal_of_grid(kGrid + "[[plot]]\nx = \"rounds\"\ny = \"objective\"\n"),
              HasSubstr("drawn as a map"));
  EXPECT_THAT(refusal_of_grid(with(kGrid, "8kbps", "9kbps")),
              HasSubstr("claim.run: unknown run 'short, 8kbps, 1ms'"));
}

}  // namespace
}  // namespace gossamer::testing
