// Networks that are interrupted and resumed: what only they have, running statistics and a carried
// state, comes back with a checkpoint. tests/train has the law of every algorithm.

#include <string>
#include <vector>

#include "tests/models/model_cases.hpp"
#include "tests/models/model_runs.hpp"
#include "tests/models/model_state.hpp"
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

// An epoch has 10 rounds of pictures, or 17 windows of text: half of 30 rounds ends within one.
void expect_resumed_run_equals_whole(const RunSettings& network) {
  const RunSettings settings =
      RunSettings{{"nodes", "2"},         {"batch", "4"},
                  {"algorithm", "choco"}, {"compressor", "sign"},
                  {"gamma", "0.3"},       {"optimizer", "nesterov:0.9,weight-decay=1e-4"},
                  {"lr", "0.02"},         {"report", "10,15,20,30"},
                  {"rounds", "30"}} +
      network;
  const ModelRun whole = run_model(*model_experiment(settings));

  const TemporaryFolder folder;
  const auto begun =
      model_experiment(settings + RunSettings{{"rounds", "15"}, {"checkpoint-every", "7"}});
  CheckpointStore store(folder.path(), identity_of(begun->config), begun->endpoints());
  RunOptions saving;
  saving.checkpoints = &store;
  const ModelRun first = run_model(*begun, saving);

  // All is made anew, as in another process.
  const auto resumed = model_experiment(settings);
  CheckpointStore found(folder.path(), identity_of(resumed->config), resumed->endpoints());
  const Result<Round> newest = found.newest();
  ASSERT_TRUE(newest) << newest.error().message;
  EXPECT_EQ(newest.value(), 15u);
  RunOptions going_on;
  going_on.checkpoints = &found;
  going_on.resume_from = newest.value();
  const ModelRun second = run_model(*resumed, going_on);

  EXPECT_TRUE(same_bits(second.outcome.model, whole.outcome.model));
  EXPECT_FALSE(same_bits(second.outcome.model, first.outcome.model));
  std::vector<std::string> rows = first.rows();
  for (const std::string& row : second.rows())
    rows.push_back(row);
  EXPECT_EQ(rows, whole.rows());
}

TEST(ModelResume, WithBatchNormIsTheRunThatWasNotInterrupted) {
  expect_resumed_run_equals_whole(
      {{"model", "resnet20"}, {"data", shared_idx(8)}, {"augment", "flip,crop=1"}});
}

TEST(ModelResume, OfALanguageModelIsTheRunThatWasNotInterrupted) {
  expect_resumed_run_equals_whole(
      {{"model", "lstm:layers=2,hidden=8,embedding=8,length=5,dropout=0.2"},
       {"data", shared_text()}});
}

}  // namespace
}  // namespace gossamer::testing
