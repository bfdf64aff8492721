// Every registered algorithm on MPI ranks: the same bits as in one process, those that were
// recorded, also after going on from a checkpoint. All ranks run these tests; the first one
// compares.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/mpi/rank_main.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/train/recorded_models.hpp"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "gossamer/base/file.hpp"
#include "gossamer/train/process_run.hpp"

namespace gossamer::testing {
namespace {

constexpr NodeId kNodes = kRecordedNodes;
constexpr Round kRounds = kRecordedRounds;
constexpr Round kCheckpointEvery = 20;
constexpr Round kResumedFrom = 40;

/// What the first rank says, on every rank.
std::string said_by_first(const std::string& text) {
  const std::unique_ptr<Network> network = job().make_network(job().size());
  if (network->self() != 0) {
    Arrival arrival;
    // Others may have heard it, and gone, before.
    while (arrival.kind != Arrival::Kind::kMessage)
      arrival = network->receive(Time::max());
    const ByteView bytes = arrival.message.payload();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  ByteWriter out = Message::writer();
  out.write_bytes(as_bytes(text));
  const Message message(std::move(out));
  for (NodeId peer = 1; peer < network->size(); ++peer)
    network->send(peer, 0, message);
  return text;
}

std::unique_ptr<Experiment> experiment_on(const AlgorithmInfo& algorithm,
                                          const std::string& network) {
  Settings settings = recorded_settings(algorithm);
  settings.emplace_back("report", rounds_up_to(kRounds));
  settings.emplace_back("checkpoint-every", fmt::format("{}", kCheckpointEvery));
  settings.emplace_back("network", network);
  return experiment_of(settings);
}

struct RankRun {
  std::vector<Fingerprint> reports;
  RunOutcome outcome;
};

/// On the ranks that it has nodes for; what the first one sees.
RankRun run_on_ranks(const Experiment& experiment, const std::string& folder,
                     std::optional<Round> resume_from) {
  const std::unique_ptr<Network> network = job().make_network(experiment.endpoints());
  if (!network) return {};
  CheckpointStore store(folder, identity_of(experiment.config), experiment.endpoints(),
                        CheckpointStore::Writers::kManyProcesses);
  std::vector<Measurement> reports;
  RunOptions options;
  options.report = [&](const Measurement& measurement) { reports.push_back(measurement); };
  options.checkpoints = &store;
  options.resume_from = resume_from;
  RunOutcome outcome = run_process(experiment, *network, options, Seen::kAllByFirst);
  EXPECT_FALSE(outcome.failure) << outcome.failure->sentence;
  return {fingerprints(reports), std::move(outcome)};
}

std::string bytes_of(const std::string& path) {
  const auto bytes = read_file(path);
  if (!bytes) return bytes.error().message;
  return {bytes.value().begin(), bytes.value().end()};
}

void expect_same_files(const std::string& one, const std::string& other) {
  for (const Round round : {kResumedFrom, kRounds}) {
    for (NodeId node = 0; node < kNodes; ++node) {
      const std::string file = fmt::format("round-{:09}/node-{:05}.safetensors", round, node);
      EXPECT_TRUE(bytes_of(one + "/" + file) == bytes_of(other + "/" + file)) << file;
    }
    const std::string mean = fmt::format("round-{:09}/mean.safetensors", round);
    EXPECT_TRUE(bytes_of(one + "/" + mean) == bytes_of(other + "/" + mean)) << mean;
  }
}

class OnRanks : public ::testing::TestWithParam<AlgorithmInfo> {};

TEST_P(OnRanks, HasTheBitsOfOneProcess) {
  const TemporaryFolder own;
  const std::string folder = said_by_first(own.path("ranks"));
  const auto experiment = experiment_on(GetParam(), "mpi");
  const RankRun ranks = run_on_ranks(*experiment, folder, std::nullopt);

  if (job().rank() == 0) {
    const auto threads = experiment_on(GetParam(), "inproc");
    CheckpointStore store(own.path("threads"), identity_of(threads->config), threads->endpoints());
    RunOptions options;
    options.checkpoints = &store;
    const Recorded whole = record(*threads, options);
    ASSERT_EQ(ranks.reports.size(), kRounds + 1);
    EXPECT_EQ(ranks.reports, fingerprints(whole.reports));
    EXPECT_EQ(ranks.outcome.model, whole.outcome.model);
    expect_same_files(folder, own.path("threads"));
    expect_recorded(GetParam(), model_files_in(folder));
  }

  const RankRun resumed = run_on_ranks(*experiment, folder, kResumedFrom);
  if (job().rank() == 0) {
    const std::vector<Fingerprint> rest(ranks.reports.begin() + kResumedFrom + 1,
                                        ranks.reports.end());
    EXPECT_EQ(resumed.reports, rest);
    EXPECT_EQ(resumed.outcome.model, ranks.outcome.model);
  }
  (void)said_by_first("");  // the folder stays until all are done with it
}

INSTANTIATE_TEST_SUITE_P(EveryAlgorithm, OnRanks, ::testing::ValuesIn(recorded_forms()),
                         [](const auto& tested) { return name_of_form(tested.param); });

}  // namespace
}  // namespace gossamer::testing
