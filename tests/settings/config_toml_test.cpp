// Files of settings: their forms, and the file and line of every mistake.

#include <string>

#include "tests/support/temporary_file.hpp"
#include "tests/support/temporary_folder.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/settings/config.hpp"

namespace gossamer::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

RunConfig read(const std::string& text) {
  const TemporaryFile file(text);
  RunConfig config;
  const Result<void> done = read_config(config, file.path());
  EXPECT_TRUE(done) << done.error().message;
  return config;
}

// The sentence without the name of the file that it begins with.
std::string refusal(const std::string& text) {
  const TemporaryFile file(text);
  RunConfig config;
  const Result<void> done = read_config(config, file.path());
  if (done) return "not refused";
  EXPECT_THAT(done.error().message, StartsWith(file.path() + ": "));
  return done.error().message.substr(file.path().size() + 2);
}

TEST(ConfigFile, TakesTextNumbersAndLists) {
  const RunConfig config = read(R"(
nodes = 16
lr = 1
gamma = 0.25            # a key that may also be 'auto'
rounds = 1e3
l2 = 1e-4
algorithm = "choco"
report = [100, 300]
tolerance = [1e-2, "1e-4"]
seed = "7"
)");
  EXPECT_EQ(config.nodes, 16u);
  EXPECT_EQ(config.lr, 1.0);
  EXPECT_EQ(config.gamma, "0.25");
  EXPECT_EQ(config.rounds, 1000u);
  EXPECT_EQ(config.l2, 1e-4);
  EXPECT_THAT(config.report, ElementsAre(100, 300));
  EXPECT_THAT(config.tolerances, ElementsAre(1e-2, 1e-4));
  EXPECT_EQ(config.seed, 7u);
}

TEST(ConfigFile, TakesTablesDottedKeysAndInlineTablesAlike) {
  for (const char* text :
       {"[sim]\nlatency = \"10ms\"", "sim.latency = \"10ms\"", "sim = { latency = \"10ms\" }"}) {
    EXPECT_EQ(read(text).sim.latency, std::chrono::milliseconds(10)) << text;
  }
}

TEST(ConfigFile, TakesEscapesAndLiteralTexts) {
  EXPECT_EQ(read(R"(data = "a \"b\" \\ c\n\u00E9")").data, "a \"b\" \\ c\n\xC3\xA9");
  EXPECT_EQ(read(R"(data = 'C:\x')").data, "C:\\x");
}

TEST(ConfigFile, KeepsWhatItDoesNotMention) {
  const TemporaryFile file("nodes = 16\n");
  RunConfig config;
  config.seed = 3;
  ASSERT_TRUE(read_config(config, file.path()));
  EXPECT_EQ(config.seed, 3u);
}

TEST(ConfigFile, ReadsTheListsOfASimulation) {
  const RunConfig config = read(R"(
[sim]
bandwidth = "100Mbps"
[[sim.node]]
id = 3
compute = "50ms"
[[sim.link]]
between = [0, 3]
bandwidth = "10Mbps"
[[sim.link]]
between = [1, 2]
latency = "20ms"
[[sim.outage]]
between = [0, 1]
from = "5s"
until = "9s"
[[sim.outage]]
between = [1, 2]
from = "0"
[[sim.failure]]
node = 4
at = "1min"
)");
  EXPECT_EQ(config.sim.bandwidth, 12.5e6);
  EXPECT_THAT(config.compute.per_node,
              ElementsAre(std::pair<NodeId, Duration>(3, std::chrono::milliseconds(50))));
  ASSERT_EQ(config.sim.links.size(), 2u);
  EXPECT_EQ(config.sim.links[0].b, 3u);
  EXPECT_EQ(config.sim.links[0].bandwidth, 1.25e6);
  EXPECT_EQ(config.sim.links[0].latency, std::nullopt);
  EXPECT_EQ(config.sim.links[1].latency, std::chrono::milliseconds(20));
  ASSERT_EQ(config.sim.outages.size(), 2u);
  EXPECT_EQ(config.sim.outages[0].begin, Time(std::chrono::seconds(5)));
  EXPECT_EQ(config.sim.outages[0].end, Time(std::chrono::seconds(9)));
  EXPECT_EQ(config.sim.outages[1].end, std::nullopt);
  ASSERT_EQ(config.sim.failures.size(), 1u);
  EXPECT_EQ(config.sim.failures[0].node, 4u);
  EXPECT_EQ(config.sim.failures[0].at, Time(std::chrono::minutes(1)));
}

TEST(ConfigFile, SaysAListAsAWhole) {
  const TemporaryFile file("[[sim.failure]]\nnode = 1\nat = \"1s\"\n");
  RunConfig config;
  ASSERT_TRUE(read_config(config, file.path()));
  ASSERT_TRUE(read_config(config, file.path()));
  EXPECT_EQ(config.sim.failures.size(), 1u);
  const TemporaryFile none("sim.failure = []\n");
  ASSERT_TRUE(read_config(config, none.path()));
  EXPECT_TRUE(config.sim.failures.empty());
}

TEST(ConfigFile, AMistakeIsNamedWithItsLine) {
  EXPECT_THAT(refusal("seed = 1\nnodess = 3\n"),
              AllOf(StartsWith("line 2: unknown key 'nodess'"), HasSubstr("mean 'nodes'?")));
  EXPECT_EQ(refusal("seed = 1\n\nnodes = 0\n"),
            "line 3: nodes: must be a whole number from 1 to 1000000, not '0'");
  EXPECT_THAT(refusal("[sim]\nlatency = \"soon\"\n"), StartsWith("line 2: sim.latency: 'soon'"));
  EXPECT_THAT(refusal("seed = 1\nnodes = = 3\n"), StartsWith("line 2, column "));
  EXPECT_THAT(refusal("seed = 1\nseed = 2\n"), StartsWith("line 2, column "));
}

TEST(ConfigFile, AnUnknownTableGetsTheNearestSuggested) {
  EXPECT_THAT(refusal("[simm]\nlatency = \"1ms\"\n"), HasSubstr("did you mean 'sim.latency'?"));
  EXPECT_THAT(refusal("[[sim.lnik]]\nbetween = [0, 1]\n"), HasSubstr("mean 'sim.link'?"));
  EXPECT_THAT(refusal("[sim.deep]\nlatency = \"1ms\"\n"), HasSubstr("unknown key 'sim.deep'"));
}

TEST(ConfigFile, AWrongTypeIsRefused) {
  EXPECT_EQ(refusal("nodes = true\n"), "line 1: nodes: must be one value, text or a number");
  EXPECT_EQ(refusal("nodes = [8]\n"), "line 1: nodes: must be one value, text or a number");
  EXPECT_EQ(refusal("algorithm = [\"choco\", \"dcd\"]\n"),
            "line 1: algorithm: must be one value, text or a number");
  EXPECT_EQ(refusal("data = 2020-01-01\n"), "line 1: data: must be one value, text or a number");
  EXPECT_EQ(refusal("report = [[1, 2]]\n"), "line 1: report: must be a list of numbers");
  EXPECT_EQ(refusal("report = [true]\n"), "line 1: report: must be a list of numbers");
  EXPECT_THAT(refusal("nodes = 8.5\n"), HasSubstr("not '8.5'"));
  EXPECT_THAT(refusal("nodes = inf\n"), HasSubstr("not 'inf'"));
  EXPECT_EQ(refusal("sim.link = 3\n"), "line 1: sim.link: is a list of tables: write [[sim.link]]");
  EXPECT_EQ(refusal("[sim.link]\nbetween = [0, 1]\n"),
            "line 1: sim.link: is a list of tables: write [[sim.link]]");
}

TEST(ConfigFile, AnEntryOfAListIsRefusedForWhatItLacks) {
  EXPECT_EQ(refusal("[[sim.link]]\nlatency = \"1ms\"\n"),
            "line 1: sim.link.between: must be two node ids, as [0, 1]");
  EXPECT_EQ(refusal("[[sim.outage]]\nbetween = [0, 1]\n"), "line 1: sim.outage.from: is missing");
  EXPECT_EQ(refusal("[[sim.failure]]\nnode = 1\n"), "line 1: sim.failure.at: is missing");
  EXPECT_EQ(refusal("[[sim.failure]]\nat = \"1s\"\n"),
            "line 1: sim.failure.node: must be the id of a node");
  EXPECT_EQ(refusal("[[sim.node]]\nid = 1\n"), "line 1: sim.node.compute: is missing");
}

TEST(ConfigFile, AnEntryOfAListIsRefusedForWhatIsWrongInIt) {
  EXPECT_EQ(refusal("[[sim.link]]\nbetween = [0, 1, 2]\n"),
            "line 2: sim.link.between: must be two node ids, as [0, 1]");
  EXPECT_EQ(refusal("[[sim.link]]\nbetween = [0, -1]\n"),
            "line 2: sim.link.between: must be the id of a node");
  EXPECT_EQ(refusal("[[sim.link]]\nbetween = [0, 1.5]\n"),
            "line 2: sim.link.between: must be the id of a node");
  EXPECT_THAT(refusal("[[sim.link]]\nbetween = [0, 1]\nbandwidth = 100\n"),
              StartsWith("line 3: sim.link.bandwidth: '100' is not a bandwidth"));
  EXPECT_THAT(refusal("[[sim.outage]]\nbetween = [0, 1]\nfrom = \"1s\"\nuntil = [1]\n"),
              StartsWith("line 4: sim.outage.until: "));
  EXPECT_THAT(refusal("[[sim.node]]\nid = \"1\"\ncompute = \"1s\"\n"),
              StartsWith("line 2: sim.node.id: must be the id of a node"));
}

TEST(ConfigFile, AnEntryOfAListIsRefusedForAKeyThatItHasNot) {
  EXPECT_THAT(refusal("[[sim.link]]\nbetween = [0, 1]\nlatenzy = \"1ms\"\n"),
              AllOf(StartsWith("line 3: sim.link: unknown key 'latenzy'"),
                    HasSubstr("did you mean 'latency'?")));
}

TEST(ConfigFile, ThatCannotBeReadIsAnErrorThatNamesIt) {
  const TemporaryFolder folder;
  for (const std::string& path : {folder.path("none.toml"), folder.path()}) {
    RunConfig config;
    const Result<void> done = read_config(config, path);
    ASSERT_FALSE(done);
    EXPECT_THAT(done.error().message, StartsWith("cannot read '" + path + "': "));
  }
}

}  // namespace
}  // namespace gossamer::testing
