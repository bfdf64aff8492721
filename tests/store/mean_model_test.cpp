// The mean of models, in memory and in files.

#include "gossamer/store/mean_model.hpp"

#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/temporary_folder.hpp"
#include "tests/support/vectors.hpp"
#include "tests/train/runs.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/train/run_folder.hpp"

namespace gossamer::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

Layout two_blocks() {
  Layout layout;
  layout.add("weight", {2, 3});
  layout.add("bias", {2});
  return layout;
}

class MeanModelTest : public ::testing::Test {
 protected:
  std::string put(const std::string& name, const Layout& layout, const std::vector<float>& x) {
    const Result<void> written =
        write_safetensors(folder.path(name), tensors_of(layout, view(x)), {});
    EXPECT_TRUE(written) << written.error().message;
    return folder.path(name);
  }

  TemporaryFolder folder;
};

SpanningTree chain_of(NodeId nodes) {
  std::vector<NodePair> pairs;
  for (NodeId id = 0; id + 1 < nodes; ++id)
    pairs.push_back({id, id + 1});
  return spanning_tree(make_graph(nodes, pairs), 0);
}

// The sum of its root is that of all in the order of ids, as it is for files.
SpanningTree star_of(NodeId nodes) {
  std::vector<NodePair> pairs;
  for (NodeId id = 1; id < nodes; ++id)
    pairs.push_back({0, id});
  return spanning_tree(make_graph(nodes, pairs), 0);
}

TEST_F(MeanModelTest, IsRoundedOnce) {
  // In single precision 2^24 + 1 is 2^24.
  std::vector<FloatBuffer> models;
  for (const float value : {0x1.0p24f, 1.0f, 1.0f, 2.0f})
    models.emplace_back(1).view() = value;
  EXPECT_THAT(mean_model(models, chain_of(4)), ElementsAre(0x1.0p22f + 1.0f));
}

TEST_F(MeanModelTest, HasTheSameBitsFromFilesAndFromMemory) {
  std::vector<FloatBuffer> models;
  std::vector<std::string> paths;
  for (const std::uint64_t i : {0, 1, 2}) {
    const std::vector<float> x = normal_vector(8, i);
    models.emplace_back(8).view() = view(x);
    paths.push_back(put(std::to_string(i), two_blocks(), x));
  }
  ASSERT_TRUE(write_mean_model(paths, folder.path("mean"), {{"round", "5"}}));
  const Result<SafeTensors> mean = read_safetensors(folder.path("mean"));
  ASSERT_TRUE(mean) << mean.error().message;
  EXPECT_EQ(mean.value().values, mean_model(models, star_of(3)));
  EXPECT_THAT(mean.value().metadata, ElementsAre(Pair("round", "5")));
  EXPECT_EQ(mean.value().tensors.at(0).name, "weight");
  EXPECT_THAT(mean.value().tensors.at(0).shape, ElementsAre(2, 3));
  EXPECT_EQ(mean.value().tensors.at(1).values.size(), 2u);
}

TEST_F(MeanModelTest, RefusesModelsOfDifferentFormsAndFilesThatAreMissing) {
  const std::string one = put("one", two_blocks(), normal_vector(8, 1));
  const std::string other = put("other", Layout::flat(8), normal_vector(8, 2));
  const auto refusal = [&](const std::vector<std::string>& paths) {
    const Result<void> written = write_mean_model(paths, folder.path("mean"), {});
    return written ? "not refused" : written.error().message;
  };
  EXPECT_THAT(refusal({one, other}), AllOf(HasSubstr(one), HasSubstr(other)));
  EXPECT_THAT(refusal({one, folder.path("none")}), HasSubstr("none"));
  EXPECT_THAT(refusal({folder.path("none"), one}), HasSubstr("none"));
  EXPECT_FALSE(std::filesystem::exists(folder.path("mean")));
}

TEST_F(MeanModelTest, OfARunIsThatOfItsLastCheckpointOnEitherNetwork) {
  for (const char* network : {"inproc", "sim"}) {
    const auto experiment = experiment_of({{"task", "quadratic"},
                                           {"dim", "7"},
                                           {"nodes", "3"},
                                           {"algorithm", "qsparse-async"},
                                           {"local-steps", "4"},
                                           {"noise", "0.1"},
                                           {"rounds", "6"},
                                           {"checkpoint-every", "3"},
                                           {"network", network}});
    auto run = RunFolder::open(folder.path(network), RunFolder::Use::kBegin);
    ASSERT_TRUE(run);
    CheckpointStore store(run.value().checkpoints_path(), identity_of(experiment->config),
                          experiment->endpoints());
    const Recorded recorded = record(*experiment, {.report = {}, .checkpoints = &store});
    ASSERT_TRUE(run.value().write_model(*experiment, recorded.outcome));

    const auto model = read_safetensors(folder.path(network) + "/model.safetensors");
    ASSERT_TRUE(model) << model.error().message;
    EXPECT_THAT(model.value().metadata,
                ElementsAre(Pair("model", "mean over 3 nodes"), Pair("round", "6")));
    EXPECT_EQ(model.value().values, recorded.outcome.model);
    EXPECT_EQ(experiment->task->loss(view(std::as_const(recorded.outcome.model))),
              recorded.outcome.last->objective);

    for (const char* round : {"3", "6"}) {
      const std::string saved = run.value().checkpoints_path() + "/round-00000000" + round;
      const auto mean = read_safetensors(saved + "/mean.safetensors");
      ASSERT_TRUE(mean) << mean.error().message;
      EXPECT_EQ(mean.value().values == model.value().values, std::string(round) == "6");
      EXPECT_TRUE(std::filesystem::exists(saved + "/node-00002.safetensors"));
      EXPECT_FALSE(std::filesystem::exists(saved + "/node-00003.safetensors"))
          << "the coordinator trains no model";
    }
  }
}

TEST_F(MeanModelTest, IsNotThereOfARunThatFailed) {
  const Recorded recorded = record({{"task", "quadratic"},
                                    {"dim", "5"},
                                    {"algorithm", "dpsgd"},
                                    {"lr", "1000"},
                                    {"rounds", "1000"}});
  ASSERT_TRUE(recorded.outcome.failure);
  EXPECT_TRUE(recorded.outcome.model.empty());
}

}  // namespace
}  // namespace gossamer::testing
