// A run's folder, and the JSON that users read.

#include "gossamer/train/run_folder.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <sys/stat.h>

#include "tests/support/temporary_folder.hpp"
#include "tests/train/runs.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gossamer/base/file.hpp"
#include "gossamer/events/measurement_json.hpp"
#include "gossamer/train/metrics_file.hpp"

namespace gossamer::testing {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

std::string content_of(const std::string& path) {
  const auto bytes = read_file(path);
  return bytes ? std::string(bytes.value().begin(), bytes.value().end()) : "unreadable";
}

TEST(SummaryJson, SaysHowTheRunEndedAndWhatItWas) {
  const auto experiment = experiment_of({{"task", "quadratic"},
                                         {"dim", "5"},
                                         {"algorithm", "dpsgd"},
                                         {"rounds", "10"},
                                         {"seed", "3"}});
  const Recorded recorded = record(*experiment);
  const json object = json::parse(summary_json(*experiment, recorded.outcome));
  ASSERT_EQ(object.size(), 1u);
  const json& summary = object.at("summary");
  EXPECT_EQ(summary.at("outcome"), "finished");
  EXPECT_EQ(summary.at("round"), 10);
  EXPECT_EQ(summary.at("objective"), recorded.outcome.last->objective);
  EXPECT_EQ(summary.at("rounds"), 10);
  EXPECT_EQ(summary.at("algorithm"), "dpsgd");
  EXPECT_EQ(summary.at("compressor"), "identity");
  EXPECT_EQ(summary.at("topology"), "ring");
  EXPECT_EQ(summary.at("nodes"), 8);
  EXPECT_EQ(summary.at("gamma"), 1.0);
  EXPECT_EQ(summary.at("seed"), 3);
  EXPECT_EQ(summary.at("network"), "inproc");
  EXPECT_EQ(summary.at("optimum"), *experiment->task->optimum());
  EXPECT_EQ(summary.at("cpu_seconds_compute"), seconds(recorded.outcome.last->spent.cpu_compute));
  EXPECT_EQ(summary.at("cpu_seconds_total"), seconds(recorded.outcome.last->spent.cpu_total));
  EXPECT_EQ(summary.at("warnings"), json::array());
  EXPECT_FALSE(summary.contains("failure"));
}

TEST(SummaryJson, NamesAFailure) {
  const auto experiment =
      experiment_of({{"task", "quadratic"}, {"dim", "5"}, {"algorithm", "dpsgd"}});
  RunOutcome outcome;
  outcome.failure = Failure{Failure::Kind::kLost, 3, 17, "message of node 4", "node 3 lost node 4"};
  const json summary = json::parse(summary_json(*experiment, outcome)).at("summary");
  EXPECT_EQ(summary.at("outcome"), "lost");
  EXPECT_EQ(summary.at("failure"), (json{{"kind", "lost"},
                                         {"node", 3},
                                         {"round", 17},
                                         {"quantity", "message of node 4"},
                                         {"sentence", "node 3 lost node 4"}}));
}

class RunFolderTest : public ::testing::Test {
 protected:
  [[nodiscard]] std::string run() const { return folder.path("runs/one"); }

  [[nodiscard]] RunFolder begin() const {
    auto opened = RunFolder::open(run(), RunFolder::Use::kBegin);
    EXPECT_TRUE(opened) << opened.error().message;
    return opened.value();
  }

  [[nodiscard]] std::string refusal(RunFolder::Use use) const {
    const auto opened = RunFolder::open(run(), use);
    return opened ? "not refused" : opened.error().message;
  }

  TemporaryFolder folder;
};

TEST_F(RunFolderTest, IsMadeWithAllFoldersAboveIt) {
  (void)begin();
  EXPECT_TRUE(std::filesystem::is_directory(run()));
}

TEST_F(RunFolderTest, WithARunInItIsNotOverwritten) {
  const auto leaves = [this](const char* name) {
    std::filesystem::remove_all(run());
    std::filesystem::create_directories(run());
    std::ofstream(run() + "/" + name) << "{}\n";
    return refusal(RunFolder::Use::kBegin);
  };
  for (const char* name : {"metrics.jsonl", "summary.json", "checkpoints"})
    EXPECT_THAT(leaves(name), HasSubstr("already holds a run")) << name;
}

TEST_F(RunFolderTest, IsOneProcessesOwnUntilAllCopiesAreGone) {
  {
    const RunFolder copy = begin();
    EXPECT_THAT(refusal(RunFolder::Use::kBegin), HasSubstr("is in use"));
    ASSERT_TRUE(copy.write_config(RunConfig{}, Command::kTrain));
    EXPECT_THAT(refusal(RunFolder::Use::kResume), HasSubstr("is in use"));
    EXPECT_THAT(refusal(RunFolder::Use::kBeginOrGoOn), HasSubstr("is in use"));
    EXPECT_EQ(refusal(RunFolder::Use::kRead), "not refused");
  }
  EXPECT_EQ(refusal(RunFolder::Use::kResume), "not refused");
}

TEST_F(RunFolderTest, SaysWhetherItHoldsARunAndHowThatEnded) {
  const auto open = [this] { return RunFolder::open(run(), RunFolder::Use::kBeginOrGoOn).value(); };
  EXPECT_FALSE(open().holds_run());
  ASSERT_TRUE(open().append_metrics("{}"));
  EXPECT_TRUE(open().holds_run());
  EXPECT_FALSE(open().has_finished());
  for (const char* summary :
       {R"({"summary":{"outcome":"stopped"}})", R"({"summary":"finished"})", "finished", "[]"}) {
    ASSERT_TRUE(open().write_summary(summary));
    EXPECT_FALSE(open().has_finished()) << summary;
  }
  ASSERT_TRUE(open().write_summary(R"({"summary":{"outcome":"finished"}})"));
  EXPECT_TRUE(open().has_finished());
}

TEST_F(RunFolderTest, WaitsForNoPipe) {
  std::filesystem::create_directories(run());
  ASSERT_EQ(::mkfifo((run() + "/events.jsonl").c_str(), 0600), 0);
  EXPECT_THAT(refusal(RunFolder::Use::kBegin), HasSubstr("is a pipe, and no regular file"));
}

TEST_F(RunFolderTest, OfARunThatCouldNotBeginCanBeUsedAgain) {
  ASSERT_TRUE(begin().write_config(RunConfig{}, Command::kTrain));
  EXPECT_EQ(refusal(RunFolder::Use::kBegin), "not refused");
}

TEST_F(RunFolderTest, WithoutARunCannotBeResumedOrRead) {
  EXPECT_THAT(refusal(RunFolder::Use::kResume), HasSubstr("holds no run to resume"));
  EXPECT_THAT(refusal(RunFolder::Use::kRead), HasSubstr("holds no run: it has no config.toml"));
  ASSERT_TRUE(begin().write_config(RunConfig{}, Command::kTrain));
  EXPECT_EQ(refusal(RunFolder::Use::kResume), "not refused");
  EXPECT_EQ(refusal(RunFolder::Use::kRead), "not refused");
}

TEST_F(RunFolderTest, ThatCannotBeMadeIsAnError) {
  std::ofstream(folder.path("runs")) << "a file";
  EXPECT_THAT(refusal(RunFolder::Use::kBegin), HasSubstr("cannot make the folder"));
}

TEST_F(RunFolderTest, KeepsTheConfigSoThatItReadsBack) {
  const RunFolder opened = begin();
  const RunConfig config = config_of({{"task", "quadratic"}, {"nodes", "5"}});
  ASSERT_TRUE(opened.write_config(config, Command::kTrain));
  RunConfig read;
  ASSERT_TRUE(read_config(read, opened.config_path()));
  EXPECT_EQ(config_text(read, Command::kTrain), config_text(config, Command::kTrain));
}

TEST_F(RunFolderTest, ForgetsMetricsAfterTheRoundThatARunResumesFrom) {
  const RunFolder opened = begin();
  for (const char* line : {R"({"round":10})", R"({"round":20})", R"({"round":30})", "half a li",
                           R"({"round":"10"})", R"({"other":1})", "7"})
    ASSERT_TRUE(opened.append_metrics(line));
  ASSERT_TRUE(opened.keep_metrics_until(20));
  EXPECT_EQ(content_of(run() + "/metrics.jsonl"), "{\"round\":10}\n{\"round\":20}\n");
}

TEST_F(RunFolderTest, KeepsALineOfEachMeasurementThatIsTold) {
  MetricsFile file(begin());
  Measurement first;
  Measurement second;
  second.round = 10;
  EXPECT_TRUE(file.wants(EventKind::kMeasured));
  EXPECT_FALSE(file.wants(EventKind::kRoundDone));
  file.take({0, 0, Time{}, Measured{first}});
  file.take({0, 10, Time{}, Measured{second}});
  EXPECT_EQ(content_of(run() + "/metrics.jsonl"), to_json(first) + "\n" + to_json(second) + "\n");
}

TEST_F(RunFolderTest, ForgetsTheMetricsOfARunThatBeginsAnew) {
  const RunFolder opened = begin();
  ASSERT_TRUE(opened.append_metrics(R"({"round":0})"));
  ASSERT_TRUE(opened.append_metrics(R"({"round":10})"));
  MetricsFile file(opened);
  file.take({0, 0, Time{}, Began{2, 20, 0, 0.0}});
  file.take({0, 0, Time{}, Measured{Measurement{}}});
  EXPECT_EQ(content_of(run() + "/metrics.jsonl"), to_json(Measurement{}) + "\n");
}

TEST_F(RunFolderTest, HasNoMetricsToForgetBeforeTheFirst) {
  ASSERT_TRUE(begin().keep_metrics_until(20));
  EXPECT_EQ(content_of(run() + "/metrics.jsonl"), "");
}

TEST_F(RunFolderTest, ThatIsGoneIsAnErrorForEveryFile) {
  const RunFolder opened = begin();
  std::filesystem::remove_all(run());
  EXPECT_FALSE(opened.append_metrics("{}"));
  EXPECT_THROW(MetricsFile(opened).take({0, 0, Time{}, Measured{}}), std::runtime_error);
  EXPECT_FALSE(opened.write_summary("{}"));
  EXPECT_FALSE(opened.write_config(RunConfig{}, Command::kTrain));
}

}  // namespace
}  // namespace gossamer::testing
