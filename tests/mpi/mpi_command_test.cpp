// `mpirun gossamer train`, as users start it.
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/e2e/run_output.hpp"
#include "tests/support/model_data.hpp"
#include "tests/support/temporary_folder.hpp"
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/base/folder_lock.hpp"

namespace gossamer::testing {
namespace {

using ::testing::HasSubstr;

class MpiCommand : public ::testing::Test {
 protected:
  static ProgramResult run_ranks(int ranks, const Arguments& arguments,
                                 const ProgramWatcher& watcher = {}) {
    return run_command(Arguments{GOSSAMER_MPIEXEC, GOSSAMER_MPIEXEC_FLAG, fmt::format("{}", ranks),
                                 GOSSAMER_PROGRAM} +
                           arguments,
                       watcher);
  }

  static Arguments train() {
    return {"train", "--task",  "quadratic", "--dim",        "20",   "--algorithm",
            "choco", "--noise", "0.1",       "--lr",         "0.01", "--rounds",
            "50",    "--gamma", "0.3",       "--compressor", "sign"};
  }

  [[nodiscard]] std::string path(const std::string& inside) const { return folder_.path(inside); }

 private:
  TemporaryFolder folder_;
};

std::vector<std::string> own_lines(const std::string& err) {
  std::vector<std::string> lines;
  std::istringstream in(err);
  // The launcher has something to say about exit codes too.
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("gossamer: ")) lines.push_back(line);
  }
  return lines;
}

std::string only_line(const ProgramResult& result) {
  const std::vector<std::string> lines = own_lines(result.err);
  EXPECT_EQ(lines.size(), 1u) << result.err;
  return lines.empty() ? "" : lines.front();
}

TEST_F(MpiCommand, PrintsAndKeepsWhatOneProcessDoes) {
  const ProgramResult ranks =
      run_ranks(4, train() + Arguments{"--json", "--run-dir", path("ranks"), "--trace",
                                       path("trace.json"), "--checkpoint-every", "20"});
  EXPECT_EQ(ranks.exit_code, 0) << ranks.err;
  const ProgramResult threads =
      run_program(train() + Arguments{"--json", "--run-dir", path("threads"), "--nodes", "4"});
  std::vector<nlohmann::json> of_ranks = json_lines(ranks.out);
  std::vector<nlohmann::json> of_threads = json_lines(threads.out);
  ASSERT_FALSE(of_ranks.empty());
  EXPECT_EQ(of_ranks.back().at("summary").at("network"), "mpi");
  of_ranks.pop_back();
  of_threads.pop_back();
  EXPECT_EQ(without_seconds(of_ranks), without_seconds(of_threads));
  EXPECT_EQ(file_text(path("ranks/model.safetensors")),
            file_text(path("threads/model.safetensors")));
  EXPECT_FALSE(file_text(path("ranks/model.safetensors")).empty());
  for (const char* file : {"report.html", "summary.json", "config.toml"})
    EXPECT_TRUE(std::filesystem::exists(path(std::string("ranks/") + file))) << file;
  EXPECT_THAT(file_text(path("trace.json")), HasSubstr(R"("name":"node 3")"));
}

#ifdef GOSSAMER_HAS_TORCH
TEST_F(MpiCommand, TrainsModelsAsOneProcessDoes) {
  write_idx_pictures(path("pictures"), {.side = 8});
  const Arguments networks = {
      "train", "--model",      "mlp:32", "--data",      path("pictures"), "--batch",
      "4",     "--epochs",     "2",      "--algorithm", "choco",          "--gamma",
      "0.4",   "--compressor", "sign"};
  const ProgramResult ranks = run_ranks(3, networks + Arguments{"--run-dir", path("ranks")});
  EXPECT_EQ(ranks.exit_code, 0) << ranks.err;
  ASSERT_EQ(
      run_program(networks + Arguments{"--nodes", "3", "--run-dir", path("threads")}).exit_code, 0);
  const std::string model = file_text(path("threads/model.safetensors"));
  EXPECT_FALSE(model.empty());
  EXPECT_EQ(file_text(path("ranks/model.safetensors")), model);
}
#endif

// Begun by ranks, gone on with by threads, and the other way round.
TEST_F(MpiCommand, GoesOnWithARunOfAnotherWorld) {
  const Arguments first = train() + Arguments{"--checkpoint-every", "10", "--rounds", "20"};
  ASSERT_EQ(run_ranks(4, first + Arguments{"--run-dir", path("a")}).exit_code, 0);
  ASSERT_EQ(run_program(first + Arguments{"--run-dir", path("b"), "--nodes", "4"}).exit_code, 0);
  const ProgramResult threads =
      run_program({"train", "--resume", path("a"), "--rounds", "50", "--network", "inproc"});
  EXPECT_EQ(threads.exit_code, 0) << threads.err;
  const ProgramResult ranks = run_ranks(4, {"train", "--resume", path("b"), "--rounds", "50"});
  EXPECT_EQ(ranks.exit_code, 0) << ranks.err;
  ASSERT_EQ(run_program(train() + Arguments{"--run-dir", path("c"), "--nodes", "4"}).exit_code, 0);
  const std::string whole = file_text(path("c/model.safetensors"));
  EXPECT_FALSE(whole.empty());
  EXPECT_EQ(file_text(path("a/model.safetensors")), whole);
  EXPECT_EQ(file_text(path("b/model.safetensors")), whole);
}

TEST_F(MpiCommand, StopsWithACheckpointWhenAsked) {
  bool asked = false;
  const ProgramResult result =
      run_ranks(3, train() + Arguments{"--rounds", "100000000", "--run-dir", path("run")},
                [&](const std::string& out, pid_t launcher) {
                  // The row of round 100 is followed by many.
                  if (asked || out.find("\n      100 ") == std::string::npos) return;
                  asked = true;
                  ::kill(launcher, SIGTERM);
                });
  EXPECT_TRUE(asked);
  EXPECT_NE(result.exit_code, 0);
  EXPECT_THAT(only_line(result), HasSubstr("stopped after"));
  EXPECT_TRUE(std::filesystem::exists(path("run/model.safetensors")));
  EXPECT_EQ(run_program({"train", "--resume", path("run"), "--network", "inproc", "--rounds", "1"})
                .err.find("has no complete checkpoint"),
            std::string::npos);
}

TEST_F(MpiCommand, SaysOnceWhyARunFailed) {
  const ProgramResult result = run_ranks(4, train() + Arguments{"--lr", "1e6"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(only_line(result), HasSubstr("diverged"));
}

TEST_F(MpiCommand, GivesACoordinatorTheLastRank) {
  const Arguments coordinated = {"train", "--task", "quadratic",   "--dim",         "20",
                                 "--lr",  "0.01",   "--algorithm", "qsparse-async", "--rounds",
                                 "30",    "--json"};
  const ProgramResult ranks = run_ranks(3, coordinated);
  EXPECT_EQ(ranks.exit_code, 0) << ranks.err;
  const ProgramResult threads = run_program(coordinated + Arguments{"--nodes", "2"});
  std::vector<nlohmann::json> of_ranks = json_lines(ranks.out);
  std::vector<nlohmann::json> of_threads = json_lines(threads.out);
  ASSERT_FALSE(of_ranks.empty());
  EXPECT_EQ(of_ranks.back().at("summary").at("nodes"), 2);
  of_ranks.pop_back();
  of_threads.pop_back();
  EXPECT_EQ(without_seconds(of_ranks), without_seconds(of_threads));
}

TEST_F(MpiCommand, RefusesOtherNumbersOfNodes) {
  const ProgramResult result = run_ranks(2, train() + Arguments{"--nodes", "3"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(only_line(result), HasSubstr("mpirun -n 3"));
}

TEST_F(MpiCommand, RefusesNetworksOfOneProcess) {
  const ProgramResult result = run_ranks(2, train() + Arguments{"--network", "sim"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(only_line(result), HasSubstr("leave out mpirun"));
  const ProgramResult consensus = run_ranks(2, {"consensus", "--dim", "5"});
  EXPECT_EQ(consensus.exit_code, 2);
  EXPECT_THAT(only_line(consensus), HasSubstr("one process"));
}

TEST_F(MpiCommand, SaysWhoHasOtherSettings) {
  // Two programs in one job, as mpirun can start them.
  const ProgramResult result =
      run_ranks(1, train() + Arguments{":", GOSSAMER_MPIEXEC_FLAG, "1", GOSSAMER_PROGRAM} +
                       train() + Arguments{"--seed", "5"});
  EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_THAT(only_line(result), HasSubstr("node 1: it was started with other settings"));
}

TEST_F(MpiCommand, SaysOnceThatAnotherRunHasTheFolder) {
  const Arguments kept = train() + Arguments{"--run-dir", path("run")};
  std::filesystem::create_directories(path("run"));
  {
    const Result<FolderLock> other = FolderLock::take(path("run"));
    ASSERT_TRUE(other);
    const ProgramResult result = run_ranks(3, kept);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_THAT(only_line(result), HasSubstr("' is in use by a run that has not ended"));
  }
  const ProgramResult alone = run_ranks(3, kept);
  EXPECT_EQ(alone.exit_code, 0) << alone.err;
}

TEST_F(MpiCommand, SaysHowToStartRanks) {
  const ProgramResult result = run_program(train() + Arguments{"--network", "mpi"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(only_line(result), HasSubstr("mpirun -n 8 gossamer train"));
}

TEST_F(MpiCommand, StaysOneProcessWhereOneWasStarted) {
  const ProgramResult one = run_ranks(1, train() + Arguments{"--nodes", "3", "--json"});
  EXPECT_EQ(one.exit_code, 0) << one.err;
  EXPECT_EQ(json_lines(one.out).back().at("summary").at("network"), "inproc");
}

}  // namespace
}  // namespace gossamer::testing
