// `gossamer report`: what it writes, where, and what it refuses. Where Chromium is installed, also
// what a reader sees.

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

class ReportCommand : public ::testing::Test {
 protected:
  // The folder of a short run, with other settings at the end.
  std::string trained(const std::string& name, const Arguments& settings = {}) {
    const std::string path = folder.path(name);
    const ProgramResult result = run_program(
        Arguments{"train", "--task", "quadratic", "--dim", "20", "--algorithm", "dpsgd", "--lr",
                  "0.01", "--rounds", "40", "--report", "10,20,40", "--run-dir", path} +
        settings);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return path;
  }

  // The page that `arguments` make.
  std::string reported(const Arguments& arguments) {
    const std::string path = folder.path("page.html");
    const ProgramResult result = run_program(Arguments{"report", "--out", path} + arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.out, path + "\n");
    warnings = result.err;
    return file_text(path);
  }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder.path(name), std::ios::binary) << text;
  }

  TemporaryFolder folder;
  std::string warnings;
};

TEST_F(ReportCommand, WritesAPageIntoTheFirstFolder) {
  const std::string run = trained("one");
  const ProgramResult result = run_program({"report", run});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, run + "/report.html\n");
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(file_text(run + "/report.html"),
              AllOf(HasSubstr("<h1>quadratic: dpsgd with identity on ring, 8 nodes</h1>"),
                    HasSubstr(R"("name":"one","config":"task = )"),
                    HasSubstr(R"("summary":{"outcome":"finished","round":40,)"),
                    HasSubstr(R"("metrics":[{"round":10,"objective":)"),
                    HasSubstr(R"("edges":[[0,1],[0,7],[1,2],)")));
}

TEST_F(ReportCommand, ComparesRuns) {
  const std::string page =
      reported({trained("one"), trained("two", {"--algorithm", "choco", "--gamma", "0.5"}) + "/"});
  EXPECT_THAT(page,
              AllOf(HasSubstr("<h1>quadratic: 2 runs</h1>"), HasSubstr(R"("name":"one")"),
                    HasSubstr(R"("name":"two")"), HasSubstr(R"("graph":{"topology":"ring")")));
}

TEST_F(ReportCommand, ShowsTheGraphOnlyIfAllRunsHaveIt) {
  const auto with = [this](const char* name, const char* graph, const char* seed) {
    return trained(name, {"--topology", graph, "--seed", seed});
  };
  const std::string ring = with("ring", "ring", "1");
  const std::string random = with("random", "erdos-renyi:0.5", "1");
  EXPECT_THAT(reported({ring, with("ring-2", "ring", "2")}), HasSubstr("\"graph\":"));
  EXPECT_THAT(reported({random, with("random-2", "erdos-renyi:0.5", "2")}),
              Not(HasSubstr("\"graph\":")));
  EXPECT_THAT(reported({ring, random}), Not(HasSubstr("\"graph\":")));
  EXPECT_EQ(warnings, "");
}

TEST_F(ReportCommand, TellsRunsOfOneNameApartByTheirPaths) {
  const std::string a = trained("a/run");
  const std::string b = trained("b/run");
  EXPECT_THAT(reported({a, b}), AllOf(HasSubstr("\"name\":\"" + a), HasSubstr("\"name\":\"" + b)));
}

TEST_F(ReportCommand, ShowsARunThatHasNotEnded) {
  const std::string run = trained("one");
  std::filesystem::remove(run + "/summary.json");
  EXPECT_THAT(reported({run}), HasSubstr(R"("summary":{},"metrics":[{"round":10)"));
}

// As of a peer that joins a run behind the last reported round.
TEST_F(ReportCommand, ShowsARunThatHasReportedNothing) {
  const std::string run = trained("one");
  std::filesystem::remove(run + "/metrics.jsonl");
  EXPECT_THAT(reported({run}), HasSubstr(R"("round":40,)"));
  EXPECT_THAT(file_text(folder.path("page.html")), HasSubstr(R"("metrics":[])"));
}

TEST_F(ReportCommand, DoesWithoutAGraphWhoseFileIsGone) {
  write("graph.txt", "0 1\n1 2\n");
  const std::string run = trained("one", {"--topology", "file:" + folder.path("graph.txt")});
  EXPECT_THAT(reported({run}), HasSubstr("\"nodes\":3,\"edge_count\":2,"));
  std::filesystem::remove(folder.path("graph.txt"));
  EXPECT_THAT(reported({run}), Not(HasSubstr("\"graph\":")));
  EXPECT_THAT(warnings,
              HasSubstr("warning: the topology is not drawn: cannot open the graph file"));
}

TEST_F(ReportCommand, RefusesWhatItCannotUse) {
  EXPECT_THAT(refusal_of({"report"}), HasSubstr("RUN_DIR"));
  EXPECT_THAT(refusal_of({"report", folder.path("nowhere")}),
              HasSubstr("nowhere' holds no run: it has no config.toml"));
  const std::string run = trained("one");
  EXPECT_THAT(refusal_of({"report", run, "--out", folder.path("nowhere/page.html")}),
              HasSubstr("cannot write"));
  std::filesystem::remove(run + "/report.html");  // that training wrote
  write("one/metrics.jsonl", "{\"round\":10}\n{\"round\"");
  EXPECT_THAT(refusal_of({"report", run}),
              HasSubstr("line 2 of the metrics of 'one' is no JSON object"));
  EXPECT_FALSE(std::filesystem::exists(run + "/report.html"));
}

#ifdef GOSSAMER_CHROMIUM
// The page after its script ran, as HTML. Everything that the browser's console says is a failure.
std::string rendered(const std::string& page, const std::string& profile) {
  const ProgramResult result = run_command(
      {GOSSAMER_CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
       "--enable-logging=stderr", "--user-data-dir=" + profile, "--dump-dom", "file://" + page});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, Not(HasSubstr("CONSOLE")));
  return result.out;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

TEST_F(ReportCommand, DrawsWhatRunsOfDifferentKindsHave) {
  const std::string convex = trained("convex", {"--seed", "3"});
  const std::string deep = trained("<b>deep", {"--seed", "3"});
  write("<b>deep/metrics.jsonl",
        R"({"round":98,"epoch":1,"train_loss":2.0,"test_accuracy_mean_model":0.5,"seconds":2,)"
        R"("seconds_compute":1.5,"seconds_wait":0.5,"bytes_sent_per_node":12345678})"
        "\n");
  write("<b>deep/summary.json",
        R"({"summary":{"test_accuracy_mean_model":0.5,"dense_bytes_per_node":123456780}})");
  (void)reported({convex, deep});

  const std::string page = rendered(folder.path("page.html"), folder.path("profile"));
  const std::string seen = page.substr(0, page.find("id=\"data\""));
  // Accuracy, loss, suboptimality, objective, consensus distance.
  EXPECT_EQ(count(seen, "<canvas"), 5u);
  EXPECT_EQ(count(seen, "<circle"), 8u);
  EXPECT_EQ(count(seen, "<details>"), 2u);
  EXPECT_EQ(count(seen, "<b>"), 0u);
  for (const char* text :
       {"&lt;b&gt;deep", ">12.3 MB<", ">10 ×<", ">50.0 %<", ">epochs<", "gradients: 1.5 s, 75.0 %"})
    EXPECT_THAT(seen, HasSubstr(text));
  EXPECT_THAT(seen, Not(HasSubstr("Perplexity")));
}

TEST_F(ReportCommand, DrawsNothingOfWhatIsNotThere) {
  const std::string run = trained("one");
  write("one/config.toml", "nodes = 1025\ntopology = \"ring\"\n");
  write("one/metrics.jsonl", "");
  std::filesystem::remove(run + "/summary.json");
  (void)reported({run});
  const std::string page = rendered(folder.path("page.html"), folder.path("profile"));
  const std::string seen = page.substr(0, page.find("id=\"data\""));
  for (const char* part : {"<canvas", "<svg", "id=\"curves\"", "id=\"time\""})
    EXPECT_EQ(count(seen, part), 0u) << part;
  EXPECT_THAT(seen, AllOf(HasSubstr("<dd>1,025</dd>"), HasSubstr("<details>")));
}
#endif

}  // namespace
}  // namespace gossamer::testing
