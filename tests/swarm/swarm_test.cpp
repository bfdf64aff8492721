// A loop of one's own: the same bits as `gossamer train`, and what becomes of its errors.
#include "gossamer/swarm/swarm.hpp"

#include <algorithm>
#include <atomic>
#include <stdexcept>

#include "tests/support/temporary_folder.hpp"
#include "tests/train/recorded_models.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer {
namespace {

using testing::digest_of_models;
using testing::experiment_of;
using ::testing::HasSubstr;
using testing::model_files_in;
using testing::recorded_digests;
using testing::recorded_forms;
using testing::recorded_settings;
using testing::Settings;
using testing::TemporaryFolder;

bool is_for_own_loops(const std::string& name) {
  const auto key = std::ranges::find(config_keys(), name, &ConfigKey::name);
  return key != config_keys().end() && is_used_by(Command::kOwnLoop, *key);
}

/// The part of settings that means something to a loop of one's own.
RunRequest own_request(const Settings& settings) {
  RunRequest request;
  for (const auto& [key, value] : settings) {
    if (is_for_own_loops(key)) request.given.emplace_back(key, value);
  }
  return request;
}

/// A loop over a task of ours, written as its users would write it.
void learn(Member& member, const Experiment& own, const Task& task) {
  Node& node = member.node();
  const std::uint64_t seed = own.config.seed;
  task.objective_of(0)->initialize({.seed = seed, .purpose = Purpose::kInit}, node.x());
  const auto objective = member.trains() ? task.objective_of(node.id()) : nullptr;
  Optimizer optimizer(own.optimizer, node.layout());
  FloatBuffer u(node.layout().size());
  member.keeps([&](StateVisitor& visitor) {
    if (objective) objective->visit_state(visitor);
    optimizer.visit_state(visitor);
  });
  (void)member.begin();
  while (member.begin_round()) {
    if (objective) {
      const RngKey batch{
          .seed = seed, .purpose = Purpose::kBatch, .node = node.id(), .round = node.round()};
      (void)objective->gradient(node.x(), batch, u.view());
      member.share_gradient(u.view());
      optimizer.step(node.x(), static_cast<float>(own.schedule->at(node.round())), u.view());
    }
    member.end_round(u.view());
  }
}

std::string digest_of_own_loop(Settings settings) {
  const TemporaryFolder folder;
  const auto training = experiment_of(settings);
  settings.emplace_back("checkpoint-every", fmt::format("{}", testing::kRecordedRounds));
  RunRequest request = own_request(settings);
  request.run_dir = folder.path("run");
  const auto swarm = Swarm::open({.request = request, .model = training->layout()});
  if (!swarm) return swarm.error().message;
  const Experiment& own = swarm.value()->experiment();
  const auto outcome =
      swarm.value()->run([&](Member& member) { learn(member, own, *training->task); });
  if (!outcome || outcome.value().failure) return "it has failed";
  return digest_of_models(model_files_in(folder.path("run/checkpoints")));
}

TEST(Swarm, HasTheBitsOfGossamerTrainWithEveryAlgorithm) {
  for (const AlgorithmInfo& form : recorded_forms()) {
    EXPECT_EQ(digest_of_own_loop(recorded_settings(form)), recorded_digests()[form.example])
        << form.example;
  }
}

TEST(Swarm, HasTheSameBitsWhereItIsSimulated) {
  for (const AlgorithmInfo& form : recorded_forms()) {
    Settings settings = recorded_settings(form);
    settings.emplace_back("network", "sim");
    EXPECT_EQ(digest_of_own_loop(settings), recorded_digests()[form.example]) << form.example;
  }
}

/// Two nodes and a model of three numbers.
SwarmSetup small_setup() {
  SwarmSetup setup;
  setup.request.given = {{"nodes", "2"}, {"rounds", "5"}, {"gamma", "1"}};
  setup.model = Layout::flat(3);
  return setup;
}

std::string refusal_of(const SwarmSetup& setup) {
  const auto swarm = Swarm::open(setup);
  return swarm ? "not refused" : swarm.error().message;
}

TEST(Swarm, RefusesWhatCannotWorkInOneSentence) {
  const auto with = [](const std::string& key, const std::string& value) {
    SwarmSetup setup = small_setup();
    setup.request.given.emplace_back(key, value);
    return refusal_of(setup);
  };
  EXPECT_THAT(with("algorithm", "chocolate"), HasSubstr("choco"));
  EXPECT_THAT(with("network", "mpi"), HasSubstr("mpirun"));
  EXPECT_THAT(with("network", "tls"), HasSubstr("--peers"));
  EXPECT_THAT(with("checkpoint-every", "3"), HasSubstr("--run-dir"));
  EXPECT_THAT(with("compressor", "topk:7"), HasSubstr("7"));
}

TEST(Swarm, HandsOnWhatALoopThrows) {
  const auto swarm = Swarm::open(small_setup()).value();
  const auto run = [&] {
    (void)swarm->run([](Member& member) {
      (void)member.begin();
      if (member.node().id() == 1) throw std::runtime_error("my own mistake");
      while (member.begin_round())
        member.end_round(member.node().x());
    });
  };
  EXPECT_THROW(run(), std::runtime_error);
}

TEST(Swarm, TellsWhyALoopFailed) {
  const auto swarm = Swarm::open(small_setup()).value();
  const auto outcome = swarm->run([](Member& member) {
    (void)member.begin();
    while (member.begin_round()) {
      if (member.node().round() == 3 && member.node().id() == 1)
        member.fail(Failure::Kind::kDiverged, "loss", "it has become too large");
      member.end_round(member.node().x());
    }
  });
  ASSERT_TRUE(outcome);
  ASSERT_TRUE(outcome.value().failure);
  EXPECT_EQ(outcome.value().failure->node, 1u);
  EXPECT_EQ(outcome.value().failure->round, 3u);
  EXPECT_EQ(outcome.value().sentence(), "it has become too large");
}

TEST(Swarm, CheckpointsOfOtherDataAreRefused) {
  const TemporaryFolder folder;
  SwarmSetup setup = small_setup();
  setup.request.run_dir = folder.path("run");
  setup.identity = {{"data", "apples"}};
  const auto loop = [](Member& member) {
    (void)member.begin();
    while (member.begin_round())
      member.end_round(member.node().x());
    member.save();
  };
  ASSERT_FALSE(Swarm::open(setup).value()->run(loop).value().failure);
  setup.request.run_dir.clear();
  setup.request.resume = folder.path("run");
  setup.request.given.emplace_back("rounds", "9");
  EXPECT_EQ(refusal_of(setup), "not refused") << "the same data";
  setup.identity = {{"data", "pears"}};
  EXPECT_THAT(refusal_of(setup), HasSubstr("data"));
}

TEST(Swarm, OneNodeOfAProcessSpeaksAndKeepsTheMean) {
  const TemporaryFolder folder;
  SwarmSetup setup = small_setup();
  setup.request.run_dir = folder.path("run");
  const auto swarm = Swarm::open(setup).value();
  std::atomic<int> speakers = 0;
  const auto outcome = swarm->run([&](Member& member) {
    member.node().x().setConstant(static_cast<float>(member.node().id()));
    (void)member.begin();
    const MeanOfNodes mean = member.mean_model();
    EXPECT_EQ(mean, (MeanOfNodes{{0.5f, 0.5f, 0.5f}, 2}));
    swarm->keep(member, mean);
    if (swarm->speaks(member)) ++speakers;
  });
  ASSERT_TRUE(outcome);
  EXPECT_EQ(speakers, 1);
  const auto file = read_safetensors(folder.path("run/model.safetensors"));
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file.value().values, (std::vector<float>{0.5f, 0.5f, 0.5f}));
}

}  // namespace
}  // namespace gossamer
