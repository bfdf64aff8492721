// `gossamer reproduce`: what it prints, writes and refuses, on entries of the test's own; those
// that come with the program are run by tests/reproduce. Where Chromium is installed, also what a
// reader sees.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/e2e/run_output.hpp"
#include "tests/support/temporary_folder.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// Two runs, one of which diverges, and two claims; the first one holds if `at_most` is 4 or more.
std::string entry_with(const std::string& at_most) {
  return R"(
title = "Gossip on <i>four"
paper = "nobody, nowhere"
about = "One paragraph.\n\nAnd another."
command = "consensus"
takes = { quick = "no time", full = "no time" }
[settings]
nodes = 4
dim = 5
algorithm = "exact"
rounds = 1000
[[run]]
name = "plain"
settings = { gamma = 1, rounds = 30 }
[[run]]
name = "wild"
settings = { gamma = 5 }
[[plot]]
x = "rounds"
y = "error"
scale = "log"
[[plot]]
x = "bits"
y = "error"
runs = ["plain"]
[[claim]]
says = "It takes few rounds"
claimed = "few"
run = "plain"
measure = "rounds-to"
metric = "error"
target = 1e-3
at_most = )" +
         at_most + R"(
[[claim]]
says = "A step of 5 diverges"
claimed = "stalls"
run = "wild"
measure = "diverges"
differs = true
why = "Steps above 1.5 do."
)";
}

// Two methods on four simulated networks: whole models, which overlap with computing, and short
// ones.
const std::string kGridEntry = R"(
title = "Who wins where"
paper = "nobody, nowhere"
about = "Two by two."
[settings]
task = "quadratic"
dim = 1000
nodes = 4
lr = 0.01
rounds = 3
network = "sim"
sim = { compute = "10ms" }
[[run]]
name = "whole"
settings = { algorithm = "dpsgd" }
[[run]]
name = "short"
settings = { algorithm = "dcd", compressor = "minmax:8" }
[grid]
metric = "seconds"
columns = { key = "sim.bandwidth", values = ["8kbps", "8Gbps"] }
rows = { key = "sim.latency", values = ["1ms", "9ms"] }
[[claim]]
says = "Short messages pay where bandwidth is low"
claimed = "they do"
measure = "value"
metric = "seconds"
run = "short, 8kbps, 9ms"
under = "whole, 8kbps, 9ms"
at_least = 2
)";

class ReproduceCommand : public ::testing::Test {
 protected:
  std::string written(const std::string& name, const std::string& text) const {
    const std::string path = folder.path(name);
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  Arguments with_pages(const Arguments& arguments) const {
    return Arguments{"reproduce", "--out", folder.path("pages")} + arguments;
  }

  TemporaryFolder folder;
};

TEST_F(ReproduceCommand, ListsWhatThereIs) {
  const ProgramResult result = run_program({"reproduce"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, AllOf(HasSubstr("consensus"), HasSubstr("powergossip"),
                                HasSubstr("Koloskova"), HasSubstr("quick: "), HasSubstr("--all")));
}

TEST_F(ReproduceCommand, PrintsWhatIsClaimedAndMeasuredAndWritesAPage) {
  const std::string entry = written("mine.toml", entry_with("4"));
  const ProgramResult result = run_program(with_pages({entry}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("mine: Gossip on <i>four\nnobody, nowhere\n"), HasSubstr("30 rounds"),
                    HasSubstr("It takes few rounds"), HasSubstr("4 rounds"), HasSubstr("holds\n"),
                    HasSubstr("differs\n"), HasSubstr("page: " + folder.path("pages/mine.html"))));
  EXPECT_TRUE(std::filesystem::exists(folder.path("pages/mine.html")));
  EXPECT_FALSE(std::filesystem::exists(folder.path("pages/index.html")));
}

TEST_F(ReproduceCommand, PrintsAGridAsOneTable) {
  const ProgramResult result = run_program(with_pages({written("grid.toml", kGridEntry)}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out,
              HasSubstr("\n  seconds      8kbps       8Gbps\n  sim.latency 1ms\n    whole "));
  EXPECT_THAT(result.out, HasSubstr("\n  sim.latency 9ms\n"));
  EXPECT_THAT(result.out, Not(HasSubstr("whole, 8kbps")));
  // Whoever waits for nothing but the gradient is best where bandwidth is high.
  EXPECT_THAT(result.out, HasSubstr("  0.03*\n"));
  EXPECT_EQ(std::ranges::count(result.out, '*'), 4);
}

TEST_F(ReproduceCommand, ExitsWithThreeIfAClaimDoesNotHold) {
  const ProgramResult result = run_program(with_pages({written("mine.toml", entry_with("3"))}));
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.out, HasSubstr("does not hold\n"));
  EXPECT_EQ(result.err, "gossamer: 1 of 2 claims does not hold\n");
  EXPECT_TRUE(std::filesystem::exists(folder.path("pages/mine.html")));
}

TEST_F(ReproduceCommand, PrintsAnObjectPerEntry) {
  const std::string one = written("one.toml", entry_with("4"));
  const std::string two = written("two.toml", entry_with("3"));
  const ProgramResult result = run_program(with_pages({one, two, "--json"}));
  EXPECT_EQ(result.exit_code, 3);
  const std::vector<nlohmann::json> lines = json_lines(result.out);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].at("name"), "one");
  EXPECT_EQ(lines[0].at("holds"), true);
  EXPECT_EQ(lines[0].at("claims")[0].at("number"), 4);
  EXPECT_EQ(lines[0].at("runs")[1].at("outcome"), "diverged");
  EXPECT_EQ(lines[1].at("claims")[0].at("standing"), "does not hold");
  EXPECT_TRUE(std::filesystem::exists(folder.path("pages/index.html")));
}

TEST_F(ReproduceCommand, PutsResultsBetweenTheMarkersOfAFile) {
  const std::string entry = written("mine.toml", entry_with("4"));
  const std::string begin =
      "<!-- results: made by gossamer reproduce --all --quick --update-table README.md -->\n";
  const std::string table = written("README.md", "# a\n" + begin + "<!-- end of results -->\nb\n");
  for (int times = 0; times < 2; ++times) {
    ASSERT_EQ(run_program(with_pages({entry, "--update-table", table})).exit_code, 0);
    EXPECT_EQ(file_text(table), "# a\n" + begin + R"(
**`mine`** Gossip on \<i>four (nobody, nowhere)

| claim | the paper | here | |
|---|---|---|---|
| It takes few rounds | few | 4 rounds | holds |
| A step of 5 diverges | stalls | diverges after 6 rounds | differs (1) |

<details><summary>Why</summary>

(1) Steps above 1.5 do.

</details>

<!-- end of results -->
b
)");
  }
}

TEST_F(ReproduceCommand, RefusesWhatItCannotUseBeforeItRunsAnything) {
  const std::string entry = written("mine.toml", entry_with("4"));
  const auto refused = [&](const Arguments& arguments) {
    return refusal_of(with_pages(arguments));
  };
  EXPECT_THAT(refused({"consenus"}), HasSubstr("did you mean 'consensus'?"));
  EXPECT_THAT(refused({folder.path("none.toml")}), HasSubstr("none.toml"));
  EXPECT_THAT(refused({entry, "--quick", "--full"}), HasSubstr("not both"));
  EXPECT_THAT(refused({entry, "--all"}), HasSubstr("leave out the names"));
  EXPECT_THAT(refused({entry, entry}), HasSubstr("two entries 'mine'"));
  EXPECT_THAT(refused({"--update-table", entry}), HasSubstr("name entries, or --all"));
  EXPECT_THAT(refused({entry, "--update-table", entry}), HasSubstr("it has no room for results"));
  EXPECT_THAT(refused({"epsilon"}), HasSubstr("it is for --full alone"));
  EXPECT_THAT(refused({"epsilon", "--full"}), HasSubstr("it needs 'epsilon_normalized'"));
  EXPECT_THAT(refused({written("bad.toml", "title = 3\n")}),
              HasSubstr("bad.toml: line 1: title: must be a text"));
  EXPECT_THAT(refusal_of({"reproduce", entry, "--out", entry + "/pages"}),
              HasSubstr("cannot make the folder"));
}

TEST_F(ReproduceCommand, NamesTheRunThatCannotBegin) {
  std::string text = entry_with("4");
  text.replace(text.find("gamma = 5"), 9, "topology = \"torus:3x3\"");
  const ProgramResult result = run_program(with_pages({written("mine.toml", text)}));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("gossamer: mine: run 'wild': "));
}

#ifdef GOSSAMER_CHROMIUM
class ReproducePages : public ReproduceCommand {
 protected:
  // What a reader sees of a page, as HTML. Everything that the browser's console says is a failure.
  std::string seen(const std::string& name) {
    const ProgramResult result =
        run_command({GOSSAMER_CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu",
                     "--disable-dev-shm-usage", "--enable-logging=stderr",
                     "--user-data-dir=" + folder.path("profile"), "--dump-dom",
                     "file://" + folder.path("pages/" + name)});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_THAT(result.err, Not(HasSubstr("CONSOLE")));
    return result.out.substr(0, result.out.find("id=\"data\""));
  }

  static std::size_t times(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
      ++found;
    return found;
  }
};

TEST_F(ReproducePages, ShowClaimsCurvesRunsAndSettings) {
  const std::string good = written("good.toml", entry_with("4"));
  const std::string bad = written("bad.toml", entry_with("3"));
  ASSERT_EQ(run_program(with_pages({good, bad})).exit_code, 3);

  const std::string page = seen("good.html");
  EXPECT_EQ(times(page, "<canvas"), 2u);
  EXPECT_EQ(times(page, "<details>"), 2u);
  EXPECT_EQ(times(page, "<i>"), 0u);
  for (const char* text :
       {"<h1>Gossip on &lt;i&gt;four</h1>", "nobody, nowhere", "1 of 2 claims hold, 1 differs",
        "It takes few rounds", ">4 rounds<", "Steps above 1.5 do.", "<p>One paragraph.</p>",
        "<p>And another.</p>", "gossamer reproduce good", "the run has diverged"})
    EXPECT_THAT(page, HasSubstr(text));

  const std::string overview = seen("index.html");
  EXPECT_EQ(times(overview, "<tr class="), 4u);
  EXPECT_THAT(overview, AllOf(HasSubstr("href=\"good.html\""), HasSubstr("href=\"bad.html\""),
                              HasSubstr("1 of 4 claims does not hold")));
}

TEST_F(ReproducePages, ShowAGridAsMaps) {
  ASSERT_EQ(run_program(with_pages({written("grid.toml", kGridEntry)})).exit_code, 0);
  const std::string page = seen("grid.html");
  EXPECT_EQ(times(page, "<table class=\"map\">"), 3u);
  EXPECT_EQ(times(page, "<strong>whole</strong>"), 2u);
  EXPECT_EQ(times(page, "<strong>short</strong>"), 2u);
  EXPECT_EQ(times(page, "<canvas"), 0u);
  EXPECT_EQ(times(page, "<details>"), 2u);
  for (const char* text : {"Who wins where", "Seconds of each", "× ahead", ">0.03 s<"})
    EXPECT_THAT(page, HasSubstr(text));
}
#endif

}  // namespace
}  // namespace gossamer::testing
