// `gossamer mean`: what it writes, what it says about it, and what it refuses.

#include <filesystem>
#include <string>
#include <vector>

#include "tests/e2e/run_output.hpp"
#include "tests/support/temporary_folder.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/store/safetensors.hpp"

namespace gossamer::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

class MeanCommand : public ::testing::Test {
 protected:
  // A file with one tensor of these numbers.
  std::string model(const std::string& name, const std::vector<float>& values,
                    const TensorMetadata& metadata = {{"round", "40"}}) {
    const std::string path = folder.path(name);
    const std::vector<NamedTensor> tensors = {{"w", {values.size()}, values}};
    EXPECT_TRUE(write_safetensors(path, tensors, metadata));
    return path;
  }

  ProgramResult mean_of(const Arguments& files, const Arguments& more = {}) {
    return run_program(Arguments{"mean"} + files + Arguments{"--out", out} + more);
  }

  void expect_refused(const ProgramResult& result, const std::string& sentence) {
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err, "gossamer: " + sentence + "\n");
  }

  TemporaryFolder folder;
  std::string out = folder.path("mean.safetensors");
};

TEST_F(MeanCommand, WritesTheMeanAndWhatItIsOf) {
  const std::string a = model("a.safetensors", {1, 2, 3});
  const std::string b = model("b.safetensors", {3, 6, 4});
  const ProgramResult result = mean_of({a, b});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, out + "\n");
  EXPECT_EQ(result.err, "");
  const auto mean = read_safetensors(out);
  ASSERT_TRUE(mean) << mean.error().message;
  EXPECT_THAT(mean.value().values, ElementsAre(2.0f, 4.0f, 3.5f));
  EXPECT_EQ(mean.value().tensors[0].name, "w");
  EXPECT_THAT(mean.value().metadata,
              ElementsAre(Pair("model", "mean of " + a + ", " + b), Pair("round", "40")));
}

// In floats each one would be lost beside 2^25, and the mean be 2^22. It is 2^22 + 7/8, and floats
// are 1/2 apart there.
TEST_F(MeanCommand, RoundsOnce) {
  const float large = 0x1p25f;
  Arguments files = {model("large.safetensors", {large})};
  for (int i = 1; i < 8; ++i)
    files.push_back(model("one-" + std::to_string(i) + ".safetensors", {1}));
  EXPECT_EQ(mean_of(files).exit_code, 0);
  EXPECT_THAT(read_safetensors(out).value().values, ElementsAre(0x1p22f + 1));
}

// As a run leaves them: the mean of its nodes' models is the one that it has written itself.
TEST_F(MeanCommand, IsThatOfTheRun) {
  const std::string run = folder.path("run");
  const ProgramResult trained = run_program(
      {"train", "--task", "quadratic", "--dim", "20", "--nodes", "3", "--algorithm", "dpsgd",
       "--lr", "0.01", "--rounds", "10", "--checkpoint-every", "10", "--run-dir", run});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  const std::string round = run + "/checkpoints/round-000000010/";
  const ProgramResult result =
      mean_of({round + "node-00000.safetensors", round + "node-00001.safetensors",
               round + "node-00002.safetensors"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(read_safetensors(out).value().values,
            read_safetensors(round + "mean.safetensors").value().values);
}

TEST_F(MeanCommand, WarnsOfModelsOfDifferentRounds) {
  const std::string a = model("a.safetensors", {1});
  const std::string b = model("b.safetensors", {2}, {{"round", "60"}});
  const std::string c = model("c.safetensors", {3}, {});
  const ProgramResult result = mean_of({a, b, c});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "gossamer: warning: the models are of different rounds: '" + a +
                            "' of 40, '" + b + "' of 60, '" + c + "' of none\n");
  EXPECT_THAT(read_safetensors(out).value().metadata, ElementsAre(Pair("model", HasSubstr(a))));
}

TEST_F(MeanCommand, TakesOneModelAndSaysSo) {
  const std::string a = model("a.safetensors", {1, 2});
  const ProgramResult result = mean_of({a});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "gossamer: warning: '" + a + "' is the only model, and so the mean\n");
  EXPECT_THAT(read_safetensors(out).value().values, ElementsAre(1.0f, 2.0f));
}

TEST_F(MeanCommand, RefusesModelsOfDifferentForms) {
  const std::string a = model("a.safetensors", {1, 2});
  const std::string b = model("b.safetensors", {1, 2, 3});
  expect_refused(mean_of({a, b}),
                 "'" + a + "' and '" + b + "' hold models of different forms, which have no mean");
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST_F(MeanCommand, RefusesAFileThatIsGivenTwice) {
  const std::string a = model("a.safetensors", {1});
  const std::string again = folder.path("./a.safetensors");
  expect_refused(mean_of({a, again}), "'" + again + "' is given twice, and would count twice");
}

TEST_F(MeanCommand, LeavesTheModelsAlone) {
  const std::string a = model("a.safetensors", {1});
  const std::string b = model("b.safetensors", {2});
  for (const Arguments& more : {Arguments{}, Arguments{"--force"}}) {
    expect_refused(run_program(Arguments{"mean", a, b, "--out", b} + more),
                   "'" + b + "' is one of the models; their mean needs another file");
  }
  EXPECT_THAT(read_safetensors(b).value().values, ElementsAre(2.0f));
}

TEST_F(MeanCommand, WritesOverAFileOnlyIfTold) {
  const std::string a = model("a.safetensors", {1});
  const std::string b = model("b.safetensors", {2});
  model("mean.safetensors", {7});
  expect_refused(mean_of({a, b}),
                 "'" + out + "' is there already; --force writes the mean over it");
  EXPECT_THAT(read_safetensors(out).value().values, ElementsAre(7.0f));
  EXPECT_EQ(mean_of({a, b}, {"--force"}).exit_code, 0);
  EXPECT_THAT(read_safetensors(out).value().values, ElementsAre(1.5f));
}

TEST_F(MeanCommand, NamesAFileThatIsNotThere) {
  const ProgramResult result = mean_of({model("a.safetensors", {1}), folder.path("missing")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr(folder.path("missing")));
}

}  // namespace
}  // namespace gossamer::testing
