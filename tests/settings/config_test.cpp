// Settings by name: what is taken, what is refused, and that files repeat what was set.

#include "gossamer/settings/config.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/temporary_file.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/network/registry.hpp"

namespace gossamer::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// A value for every key that is not its default.
const std::map<std::string, std::string>& unusual_values() {
  static const std::map<std::string, std::string> values = {
      {"task", "quadratic"},
      {"data", "C:\\rows \"of\"\ttabs,\nlines and \x7F.svm"},
      {"dim", "17"},
      {"matrix", "3x4"},
      {"decay", "1.5"},
      {"l2", "1e-300"},
      {"condition", "3.5"},
      {"noise", "0.1"},
      {"partition", "dirichlet:0.3"},
      {"batch", "full"},
      {"nodes", "12"},
      {"topology", "torus:3x4"},
      {"algorithm", "powergossip:rank=2"},
      {"compressor", "topk:0.01+qsgd:4"},
      {"gamma", "auto"},
      {"ordering", "cwa"},
      {"local-steps", "4"},
      {"optimizer", "nesterov:0.9,exempt=bn|norm"},
      {"lr", "0.3333333333333333"},
      {"schedule", "inverse:a=400,b=200"},
      {"seed", "9223372036854775807"},
      {"sampling", "global"},
      {"model", "resnet20:norm=group"},
      {"augment", "flip,crop=4"},
      {"vocabulary", "33278"},
      {"loss", "nll"},
      {"input-shape", "3x32x32"},
      {"epochs", "0.125"},
      {"rounds", "123456789012"},
      {"report", "0,10,1000000000000"},
      {"tolerance", "0.01,1e-20"},
      {"loss-limit", "1e+300"},
      {"checkpoint-every", "7"},
      {"patience", "1500ms"},
      {"network", "sim"},
      {"on-peer-loss", "drop"},
      {"on-partition", "go-on"},
      {"rejoin-for", "1500ms"},
      {"report-mean", "yes"},
      {"peer-deadline", "1500ms"},
      {"audit-every", "7"},
      {"sim.bandwidth", "12.5Mbps"},
      {"sim.latency", "33us"},
      {"sim.compute", "5ms"},
      {"sim.straggler-probability", "0.125"},
      {"sim.straggler-factor", "10"},
      {"sim.platform", "cluster.xml"},
  };
  return values;
}

RunConfig unusual_config() {
  RunConfig config;
  for (const auto& [key, value] : unusual_values())
    EXPECT_TRUE(set_config(config, key, value)) << key;
  return config;
}

RunConfig read_back(const std::string& text) {
  const TemporaryFile file(text);
  RunConfig config;
  const Result<void> read = read_config(config, file.path());
  EXPECT_TRUE(read) << read.error().message << "\n" << text;
  return config;
}

// What both commands write: together every key.
std::vector<std::string> texts_of(const RunConfig& config) {
  return {config_text(config, Command::kTrain), config_text(config, Command::kConsensus)};
}

std::string refusal(std::string_view key, std::string_view text) {
  RunConfig config;
  const Result<void> set = set_config(config, key, text);
  EXPECT_FALSE(set) << key << " = " << text;
  EXPECT_EQ(texts_of(config), texts_of(RunConfig{})) << "a refusal changes nothing";
  return set ? "" : set.error().message;
}

TEST(Config, HasAValueToTestForEveryKey) {
  for (const ConfigKey& key : config_keys()) {
    EXPECT_TRUE(unusual_values().contains(key.name)) << key.name;
    EXPECT_FALSE(key.help.empty()) << key.name;
    EXPECT_TRUE(key.in_train || key.in_consensus) << key.name;
  }
  EXPECT_EQ(config_keys().size(), unusual_values().size());
}

TEST(Config, EveryKeyChangesTheTextOfAFile) {
  for (const auto& [key, value] : unusual_values()) {
    RunConfig config;
    ASSERT_TRUE(set_config(config, key, value)) << key;
    EXPECT_NE(texts_of(config), texts_of(RunConfig{})) << key;
  }
}

TEST(Config, TellsNoCheckpointsFromNothingSaidOfThem) {
  RunConfig config;
  EXPECT_EQ(read_back(config_text(config, Command::kTrain)).checkpoint_every, std::nullopt);
  ASSERT_TRUE(set_config(config, "checkpoint-every", "0"));
  EXPECT_EQ(read_back(config_text(config, Command::kTrain)).checkpoint_every, Round{0});
}

TEST(Config, EveryKeyRoundTripsThroughAFile) {
  for (const auto& [key, value] : unusual_values()) {
    RunConfig config;
    ASSERT_TRUE(set_config(config, key, value)) << key;
    for (const Command command : {Command::kTrain, Command::kConsensus}) {
      const std::string text = config_text(config, command);
      EXPECT_EQ(config_text(read_back(text), command), text) << key;
    }
  }
}

TEST(Config, AllKeysTogetherRoundTripThroughAFile) {
  RunConfig config = unusual_config();
  config.compute.per_node = {{3, std::chrono::milliseconds(50)}, {4, std::chrono::seconds(1)}};
  config.sim.links = {{0, 1, 1e6, std::nullopt}, {2, 3, std::nullopt, Duration(1)}};
  config.sim.outages = {{0, 1, Time(std::chrono::seconds(5)), Time(std::chrono::seconds(9))},
                        {4, 5, Time(Duration(7)), std::nullopt}};
  config.sim.failures = {{6, Time(std::chrono::minutes(2))}};
  const std::string text = config_text(config, Command::kTrain);
  const RunConfig read = read_back(text);
  EXPECT_EQ(config_text(read, Command::kTrain), text);
  // What the text says is also what was meant.
  EXPECT_EQ(read.data, config.data);
  EXPECT_EQ(read.l2, config.l2);
  EXPECT_EQ(read.lr, config.lr);
  EXPECT_EQ(read.seed, config.seed);
  EXPECT_EQ(read.report, config.report);
  EXPECT_EQ(read.patience, config.patience);
  EXPECT_EQ(read.sim.bandwidth, config.sim.bandwidth);
  EXPECT_EQ(read.compute.per_node, config.compute.per_node);
  ASSERT_EQ(read.sim.links.size(), 2u);
  EXPECT_EQ(read.sim.links[0].bandwidth, config.sim.links[0].bandwidth);
  EXPECT_EQ(read.sim.links[1].bandwidth, std::nullopt);
  EXPECT_EQ(read.sim.links[1].latency, Duration(1));
  ASSERT_EQ(read.sim.outages.size(), 2u);
  EXPECT_EQ(read.sim.outages[0].end, config.sim.outages[0].end);
  EXPECT_EQ(read.sim.outages[1].begin, Time(Duration(7)));
  EXPECT_EQ(read.sim.outages[1].end, std::nullopt);
  ASSERT_EQ(read.sim.failures.size(), 1u);
  EXPECT_EQ(read.sim.failures[0].node, 6u);
}

TEST(Config, SettingsOfASimulationAreKeptByARunOfThreads) {
  RunConfig config;
  config.sim.failures = {{6, Time(std::chrono::minutes(2))}};
  ASSERT_TRUE(set_config(config, "sim.latency", "10ms"));
  const RunConfig read = read_back(config_text(config, Command::kTrain));
  EXPECT_EQ(read.network, "inproc");
  EXPECT_EQ(read.sim.latency, std::chrono::milliseconds(10));
  EXPECT_EQ(read.sim.failures.size(), 1u);
}

TEST(Config, OfThreadsAloneSaysNothingOfASimulation) {
  EXPECT_THAT(config_text(RunConfig{}, Command::kTrain), ::testing::Not(HasSubstr("sim")));
}

TEST(Config, EveryOtherControlCharacterInATextSurvives) {
  RunConfig config;
  for (char c = 1; c < 0x20; ++c)
    config.data += c;
  EXPECT_EQ(read_back(config_text(config, Command::kTrain)).data, config.data);
}

TEST(Config, AnUnknownKeyGetsTheNearestSuggested) {
  EXPECT_THAT(refusal("nodess", "8"),
              AllOf(HasSubstr("unknown key 'nodess'"), HasSubstr("did you mean 'nodes'?")));
  EXPECT_THAT(refusal("sim.bandwith", "8"), HasSubstr("did you mean 'sim.bandwidth'?"));
  EXPECT_THAT(refusal("", "8"), HasSubstr("unknown key ''"));
}

TEST(Config, ABadNumberIsRefusedWithItsKeyItsValueAndWhatIsValid) {
  EXPECT_EQ(refusal("nodes", "0"), "nodes: must be a whole number from 1 to 1000000, not '0'");
  EXPECT_EQ(refusal("nodes", "8 "), "nodes: must be a whole number from 1 to 1000000, not '8 '");
  EXPECT_EQ(refusal("nodes", "-1"), "nodes: must be a whole number from 1 to 1000000, not '-1'");
  EXPECT_EQ(refusal("nodes", ""), "nodes: must be a whole number from 1 to 1000000, not ''");
  EXPECT_EQ(refusal("lr", "fast"), "lr: must be a number from 0 on, not 'fast'");
  EXPECT_EQ(refusal("lr", "inf"), "lr: must be a number from 0 on, not 'inf'");
  EXPECT_EQ(refusal("lr", "nan"), "lr: must be a number from 0 on, not 'nan'");
  EXPECT_EQ(refusal("lr", "-0.1"), "lr: must be a number from 0 on, not '-0.1'");
  EXPECT_EQ(refusal("l2", "-1"), "l2: must be a number from 0 on, not '-1'");
  EXPECT_EQ(refusal("condition", "0.5"), "condition: must be a number from 1 on, not '0.5'");
  EXPECT_EQ(refusal("sim.straggler-probability", "1.5"),
            "sim.straggler-probability: must be a number from 0 to 1, not '1.5'");
  EXPECT_THAT(refusal("rounds", "1e3"), HasSubstr("rounds: must be a whole number from 1 to"));
  EXPECT_THAT(refusal("seed", "9223372036854775808"), HasSubstr("not '9223372036854775808'"));
}

TEST(Config, ARefusedNumberLeavesTheOneThatWasSet) {
  RunConfig config;
  ASSERT_TRUE(set_config(config, "lr", "0.5"));
  ASSERT_FALSE(set_config(config, "lr", "fast"));
  EXPECT_EQ(config.lr, 0.5);
}

TEST(Config, ABadListIsRefusedWithTheNumberThatIsWrong) {
  EXPECT_THAT(refusal("report", "100,many"),
              AllOf(HasSubstr("report: must be a whole number from 0"), HasSubstr("not 'many'")));
  EXPECT_THAT(refusal("report", "100,,300"), HasSubstr("not ''"));
  EXPECT_EQ(refusal("tolerance", "1e-2,-1"), "tolerance: must be a number from 0 on, not '-1'");
}

TEST(Config, ABadChoiceIsRefusedWithAllThatThereAre) {
  EXPECT_EQ(refusal("network", "simm"),
            "network: unknown value 'simm'; did you mean 'sim'? Valid: inproc, sim, mpi, tls");
  EXPECT_EQ(refusal("ordering", "before"), "ordering: unknown value 'before'; valid: atc, cwa");
}

// What a world lists as its options are settings, and all of the simulation's are listed.
TEST(Config, HasTheOptionsOfEveryWorld) {
  std::set<std::string> listed;
  for (const WorldInfo& world : worlds()) {
    std::istringstream options{std::string(world.options)};
    for (std::string option; std::getline(options >> std::ws, option, ',');)
      listed.insert(option);
  }
  std::set<std::string> settings;
  for (const ConfigKey& key : config_keys()) {
    settings.insert(key.name);
    EXPECT_TRUE(!key.name.starts_with("sim.") || listed.contains(key.name)) << key.name;
  }
  EXPECT_THAT(listed, ::testing::IsSubsetOf(settings));
}

TEST(Config, ABadQuantityIsRefusedWithAnExample) {
  EXPECT_THAT(refusal("sim.bandwidth", "100"),
              AllOf(HasSubstr("sim.bandwidth: '100'"), HasSubstr("100Mbps")));
  EXPECT_THAT(refusal("sim.latency", "-5ms"), AllOf(HasSubstr("'-5ms'"), HasSubstr("10ms")));
  EXPECT_THAT(refusal("patience", "soon"), AllOf(HasSubstr("patience: 'soon'"), HasSubstr("5min")));
}

TEST(Config, AnEmptyListForgetsWhatWasListed) {
  RunConfig config;
  ASSERT_TRUE(set_config(config, "report", "1,2"));
  ASSERT_TRUE(set_config(config, "report", ""));
  EXPECT_TRUE(config.report.empty());
}

TEST(ConfigIdentity, LeavesOutWhereTheRunTakesPlaceHowLongItIsAndWhatIsWatched) {
  const std::vector<std::string> free = {
      "rounds",      "report",           "tolerance",     "loss-limit",  "patience",    "network",
      "sim.latency", "checkpoint-every", "sim.bandwidth", "sim.compute", "sim.platform"};
  for (const std::string& key : free) {
    RunConfig config;
    ASSERT_TRUE(set_config(config, key, unusual_values().at(key)));
    EXPECT_EQ(identity_of(config), identity_of(RunConfig{})) << key;
    EXPECT_EQ(identity_digest(config), identity_digest(RunConfig{})) << key;
  }
}

TEST(ConfigIdentity, HasEveryKeyThatDecidesWhatIsComputed) {
  const std::vector<std::string> deciding = {
      "task",      "data",  "dim",      "matrix",      "l2",          "condition", "noise",
      "partition", "batch", "nodes",    "topology",    "algorithm",   "seed",      "compressor",
      "gamma",     "lr",    "ordering", "local-steps", "optimizer",   "schedule",  "sampling",
      "model",     "loss",  "augment",  "vocabulary",  "input-shape", "decay"};
  for (const std::string& key : deciding) {
    RunConfig config;
    ASSERT_TRUE(set_config(config, key, unusual_values().at(key)));
    const auto identity = identity_of(config);
    EXPECT_NE(identity, identity_of(RunConfig{})) << key;
    EXPECT_NE(identity_digest(config), identity_digest(RunConfig{})) << key;
    EXPECT_TRUE(std::ranges::count(identity, std::pair(key, unusual_values().at(key)))) << key;
  }
  EXPECT_EQ(identity_of(RunConfig{}).size(), deciding.size());
}

}  // namespace
}  // namespace gossamer::testing
