// `gossamer train` with networks: what it prints and keeps.

#include <algorithm>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "tests/e2e/run_output.hpp"
#include "tests/support/model_data.hpp"
#include "tests/support/temporary_folder.hpp"
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/store/safetensors.hpp"

namespace gossamer::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Le;
using ::testing::Pair;

class ModelCommand : public ::testing::Test {
 protected:
  ModelCommand() {
    write_idx_pictures(folder_.path("pictures"), {.side = 8});
    write_text(folder_.path("text.txt"), small_text({}));
  }

  [[nodiscard]] Arguments train_pictures() const {
    return {"train",   "--model", "mlp:32", "--data", folder_.path("pictures"), "--nodes", "4",
            "--batch", "4",       "--lr",   "0.1"};
  }

  [[nodiscard]] std::string path(const std::string& inside) const { return folder_.path(inside); }

 private:
  TemporaryFolder folder_;
};

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

TEST_F(ModelCommand, SummarisesWhatTheModelsAreWorthAndCost) {
  const RunOutput output = run_json(
      train_pictures() + Arguments{"--algorithm", "choco", "--compressor", "sign", "--gamma", "0.4",
                                   "--epochs", "8", "--run-dir", path("run")});
  EXPECT_EQ(output.exit_code, 0) << output.err;
  EXPECT_EQ(output.rows.size(), 8u) << "one for each epoch";
  const nlohmann::json& summary = output.summary;
  EXPECT_THAT(keys_of(summary),
              IsSupersetOf({"test_accuracy_mean_model", "test_accuracy_nodes_mean",
                            "test_accuracy_nodes_worst", "train_loss", "consensus_distance",
                            "bytes_sent_per_node", "dense_bytes_per_node", "rounds", "epochs",
                            "seconds", "seconds_compute", "seconds_wait"}));
  EXPECT_EQ(summary.at("outcome"), "finished");
  EXPECT_EQ(summary.at("epochs"), 8.0);
  EXPECT_EQ(summary.at("rounds"), 8 * 80 / (4 * 4));
  EXPECT_GT(summary.at("test_accuracy_mean_model"), 0.5) << "of ten classes";
  EXPECT_LE(summary.at("test_accuracy_nodes_worst"), summary.at("test_accuracy_nodes_mean"));
  EXPECT_LT(summary.at("train_loss"), output.rows.front().at("train_loss"));
  EXPECT_GT(summary.at("seconds"), 0.0);
  EXPECT_GT(summary.at("seconds_compute"), 0.0);
  // A bit for a number, and for each of four tensors a scale: less by nearly 32.
  const double less = summary.at("dense_bytes_per_node").get<double>() /
                      summary.at("bytes_sent_per_node").get<double>();
  EXPECT_THAT(less, AllOf(Ge(20.0), Le(32.0)));
  for (const char* file : {"config.toml", "metrics.jsonl", "summary.json", "report.html"})
    EXPECT_TRUE(std::filesystem::exists(path("run/") + file)) << file;
  const auto model = read_safetensors(path("run/model.safetensors"));
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ(model.value().values.size(), 64u * 32 + 32 + 32 * 10 + 10);
}

// Without them nobody else could evaluate the model.
TEST_F(ModelCommand, KeepsRunningMeansWithTheModel) {
  const RunOutput output =
      run_json(train_pictures() + Arguments{"--model", "resnet20", "--rounds", "2", "--algorithm",
                                            "allreduce", "--run-dir", path("norms")});
  ASSERT_EQ(output.exit_code, 0) << output.err;
  const SafeTensors file = read_safetensors(path("norms/model.safetensors")).value();
  const auto find = [&](std::string_view name) {
    return std::ranges::find(file.tensors, name, &NamedTensor::name);
  };
  EXPECT_NE(find("conv1.weight"), file.tensors.end());
  const auto mean = find("norm1.running_mean");
  ASSERT_NE(mean, file.tensors.end());
  EXPECT_EQ(mean->shape, std::vector<std::size_t>{16});
  EXPECT_TRUE(std::ranges::any_of(mean->values, [](float value) { return value != 0.0f; }));
}

TEST_F(ModelCommand, ComparesMethodsInOneTableAndOneReport) {
  const Arguments compare =
      train_pictures() + Arguments{"--compare", "allreduce,choco/sign@0.4", "--epochs", "1"};
  const ProgramResult people = run_program(compare + Arguments{"--run-dir", path("compared")});
  EXPECT_EQ(people.exit_code, 0) << people.err;
  EXPECT_EQ(count_of(people.out, "\nmethod "), 1u) << people.out;
  const std::string table = people.out.substr(people.out.find("\nmethod "));
  EXPECT_THAT(table, AllOf(HasSubstr("accuracy"), HasSubstr("\nallreduce "),
                           HasSubstr("\nchoco/sign@0.4 "), HasSubstr("1.0x")));
  EXPECT_EQ(count_of(people.out, "report of all: "), 1u);
  const std::string report = file_text(path("compared/report.html"));
  EXPECT_THAT(report, AllOf(HasSubstr("allreduce"), HasSubstr("choco")));

  const ProgramResult programs = run_program(compare + Arguments{"--json"});
  const nlohmann::json last = json_lines(programs.out).back();
  ASSERT_TRUE(last.contains("comparison")) << last;
  ASSERT_EQ(last.at("comparison").size(), 2u);
  EXPECT_EQ(last.at("comparison")[1].at("method"), "choco/sign@0.4");
  EXPECT_EQ(last.at("comparison")[0].at("compressor"), "identity");
}

TEST_F(ModelCommand, PrintsThePerplexityOfALanguageModel) {
  const Arguments train = {"train",
                           "--model",
                           "lstm:layers=1,hidden=16,length=5",
                           "--data",
                           path("text.txt"),
                           "--nodes",
                           "2",
                           "--batch",
                           "4",
                           "--lr",
                           "2",
                           "--epochs",
                           "2",
                           "--algorithm",
                           "dpsgd"};
  const RunOutput output = run_json(train);
  EXPECT_EQ(output.exit_code, 0) << output.err;
  const nlohmann::json& summary = output.summary;
  EXPECT_DOUBLE_EQ(summary.at("perplexity_mean_model"),
                   std::exp(summary.at("test_loss").get<double>()));
  EXPECT_LE(summary.at("perplexity_nodes_mean"), summary.at("perplexity_nodes_worst"));
  EXPECT_LT(summary.at("perplexity_mean_model"), 20.0) << "better than guessing one of 20 words";
  EXPECT_FALSE(summary.contains("test_accuracy_mean_model"));
  EXPECT_THAT(run_program(train).out, HasSubstr("perplexity   of nodes      worst"));
}

// Wherever the run is stopped: the same model as a run that ends there, and goes on.
TEST_F(ModelCommand, StoppedByCtrlCKeepsWhatItHasAndGoesOn) {
  const Arguments run = train_pictures() + Arguments{"--algorithm", "choco", "--compressor", "sign",
                                                     "--gamma",     "0.4",   "--report",     "1"};
  bool is_interrupted = false;
  const ProgramResult stopped =
      run_program(run + Arguments{"--rounds", "1000000000", "--run-dir", path("stopped"), "--json"},
                  [&](const std::string& out, pid_t program) {
                    if (is_interrupted || out.find('\n') == std::string::npos) return;
                    is_interrupted = true;
                    ::kill(program, SIGINT);
                  });
  EXPECT_EQ(stopped.exit_code, 130);
  EXPECT_THAT(stopped.err, HasSubstr("stopped after"));
  const nlohmann::json summary = json_lines(stopped.out).back().at("summary");
  EXPECT_EQ(summary.at("outcome"), "stopped");
  const std::uint64_t rounds = summary.at("rounds");
  EXPECT_TRUE(
      std::filesystem::is_directory(path(fmt::format("stopped/checkpoints/round-{:09}", rounds))));
  const auto model = read_safetensors(path("stopped/model.safetensors"));
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_THAT(model.value().metadata, Contains(Pair("round", fmt::format("{}", rounds))));

  const std::string more = fmt::format("{}", rounds + 20);
  const ProgramResult resumed =
      run_program({"train", "--resume", path("stopped"), "--rounds", more, "--json"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  const ProgramResult whole =
      run_program(run + Arguments{"--rounds", more, "--run-dir", path("whole"), "--json"});
  EXPECT_EQ(whole.exit_code, 0) << whole.err;
  EXPECT_EQ(file_text(path("stopped/model.safetensors")),
            file_text(path("whole/model.safetensors")));
}

}  // namespace
}  // namespace gossamer::testing
