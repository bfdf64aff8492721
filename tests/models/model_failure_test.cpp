// `gossamer train` with networks where something is wrong: exit codes, one sentence, and nothing
// half-written. network_refusal_test.cpp has the sentences.

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/e2e/run_output.hpp"
#include "tests/support/model_data.hpp"
#include "tests/support/temporary_folder.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> files_below(const std::string& folder) {
  std::vector<std::string> files;
  if (!std::filesystem::exists(folder)) return files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    // The lock of a folder outlives its holder, and holds nobody up.
    if (entry.is_regular_file() && entry.path().filename() != "lock")
      files.push_back(std::filesystem::relative(entry.path(), folder).string());
  }
  return files;
}

class ModelFailure : public ::testing::Test {
 protected:
  ModelFailure() { write_idx_pictures(pictures(), {.side = 8}); }

  [[nodiscard]] std::string pictures() const { return folder_.path("pictures"); }

  [[nodiscard]] std::string path(const std::string& inside) const { return folder_.path(inside); }

  [[nodiscard]] Arguments train(const std::string& model, const std::string& run_dir) const {
    return {"train",   "--model", model,     "--data", pictures(),  "--algorithm", "dpsgd",
            "--nodes", "2",       "--batch", "4",      "--run-dir", run_dir};
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(ModelFailure, OfAModelLeavesNothingBehind) {
  EXPECT_THAT(refusal_of(train("resnet2", path("run"))), HasSubstr("resnet20"));
  EXPECT_THAT(files_below(path("run")), IsEmpty());
  write_text(path("noise.pt"), std::string(1000, '\x5A'));
  EXPECT_THAT(refusal_of(train(path("noise.pt"), path("run"))), HasSubstr("TorchScript"));
  EXPECT_THAT(files_below(path("run")), IsEmpty());
}

TEST_F(ModelFailure, OfDataLeavesNothingBehind) {
  std::filesystem::resize_file(pictures() + "/train-images-idx3-ubyte", 1000);
  EXPECT_THAT(refusal_of(train("mlp:8", path("run"))), HasSubstr("promises"));
  EXPECT_THAT(files_below(path("run")), IsEmpty());
}

TEST_F(ModelFailure, OfARunFolderTouchesNothing) {
  write_text(path("file"), "in the way");
  EXPECT_THAT(refusal_of(train("mlp:8", path("file/run"))),
              AllOf(HasSubstr("cannot make the folder"), HasSubstr("file/run")));
  EXPECT_EQ(file_text(path("file")), "in the way");
}

TEST_F(ModelFailure, ByDivergenceIsAFailedRun) {
  const RunOutput output =
      run_json(train("mlp:8", path("run")) + Arguments{"--lr", "1e30", "--rounds", "4"});
  EXPECT_EQ(output.exit_code, 3);
  EXPECT_THAT(output.err, HasSubstr("diverged"));
  EXPECT_EQ(output.summary.at("outcome"), "non-finite");
  EXPECT_FALSE(std::filesystem::exists(path("run/model.safetensors")));
}

// Files may grow to 8 KiB, and a checkpoint has more: as on a disk that is full.
TEST_F(ModelFailure, OfTheDiskKeepsWhatWasReported) {
  Arguments command = {"/bin/sh", "-c", "trap '' XFSZ; ulimit -f 16; exec \"$@\"", "sh",
                       GOSSAMER_PROGRAM};
  command = command + train("mlp:64", path("run")) +
            Arguments{"--rounds", "6", "--report", "1,6", "--checkpoint-every", "2", "--json"};
  const ProgramResult result = run_command(command);
  EXPECT_EQ(result.exit_code, 3) << result.err;
  EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
  EXPECT_THAT(result.err, AllOf(HasSubstr("round-000000002"), HasSubstr("File too large")));
  const std::vector<nlohmann::json> rows = json_lines(result.out);
  ASSERT_EQ(rows.size(), 2u) << result.out;
  EXPECT_EQ(rows[0].at("round"), 1);
  EXPECT_EQ(rows[1].at("summary").at("outcome"), "file");
  EXPECT_EQ(rows[1].at("summary").at("failure").at("quantity"), "checkpoint");
  EXPECT_EQ(json_lines(file_text(path("run/metrics.jsonl"))).size(), 1u);
  EXPECT_EQ(nlohmann::json::parse(file_text(path("run/summary.json"))), rows[1]);
  for (const std::string& file : files_below(path("run"))) {
    EXPECT_EQ(file.find(".part"), std::string::npos) << file;
    EXPECT_FALSE(file.starts_with("checkpoints/")) << file;
  }
}

}  // namespace
}  // namespace gossamer::testing
