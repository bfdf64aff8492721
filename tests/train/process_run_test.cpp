// Runs of which a process has one node. Threads stand for processes here: each has a network, a
// store and options of its own, as ranks have; tests/mpi has the ranks.
#include "gossamer/train/process_run.hpp"

#include <filesystem>
#include <mutex>
#include <vector>

#include "tests/support/temporary_folder.hpp"
#include "tests/train/runs.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/events/event_queue.hpp"
#include "gossamer/network/inproc/inproc.hpp"
#include "gossamer/watch/trace.hpp"

namespace gossamer::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const Settings kSettings = {{"task", "quadratic"},  {"dim", "7"},           {"nodes", "4"},
                            {"algorithm", "choco"}, {"compressor", "sign"}, {"gamma", "0.4"},
                            {"lr", "0.01"},         {"noise", "0.1"},       {"rounds", "40"}};

Settings with(Settings settings, const Settings& more) {
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

/// What each process has of a run.
struct ProcessRecord {
  std::vector<Measurement> reports;
  RunOutcome outcome;
};

/// Changes what a process runs with.
using Change = std::function<void(NodeId, RunOptions&)>;

std::vector<ProcessRecord> run_processes(const Experiment& experiment, Seen seen,
                                         const Change& change = {}) {
  std::vector<ProcessRecord> records(experiment.endpoints());
  run_inproc(experiment.endpoints(), [&](Network& network) {
    ProcessRecord& record = records[network.self()];
    RunOptions options;
    options.report = [&](const Measurement& measurement) { record.reports.push_back(measurement); };
    if (change) change(network.self(), options);
    record.outcome = run_process(experiment, network, options, seen);
  });
  return records;
}

TEST(ProcessRun, ShowsTheFirstProcessWhatOneProcessShows) {
  for (const char* algorithm : {"choco", "allreduce", "qsparse", "dpsgd"}) {
    Settings settings = with(kSettings, {{"report", rounds_up_to(40)}});
    if (algorithm != std::string("choco")) {
      settings = {{"task", "quadratic"}, {"dim", "7"},     {"nodes", "4"},
                  {"lr", "0.01"},        {"rounds", "40"}, {"report", rounds_up_to(40)}};
      settings.emplace_back("algorithm", algorithm);
    }
    const auto experiment = experiment_of(settings);
    const Recorded whole = record(*experiment);
    const std::vector<ProcessRecord> records = run_processes(*experiment, Seen::kAllByFirst);
    EXPECT_EQ(fingerprints(records[0].reports), fingerprints(whole.reports)) << algorithm;
    EXPECT_EQ(records[0].outcome.model, whole.outcome.model) << algorithm;
    for (NodeId id = 1; id < experiment->endpoints(); ++id) {
      EXPECT_TRUE(records[id].reports.empty());
      EXPECT_FALSE(records[id].outcome.failure);
    }
  }
}

// But for the mean of all, which all processes have at the end.
TEST(ProcessRun, SeesItselfAlone) {
  const auto experiment = experiment_of(with(kSettings, {{"report", "10,40"}}));
  const Recorded whole = record(*experiment);
  const std::vector<ProcessRecord> records = run_processes(*experiment, Seen::kSelf);
  for (NodeId id = 0; id < 4; ++id) {
    ASSERT_EQ(records[id].reports.size(), 2u);
    for (const Measurement& report : records[id].reports) {
      EXPECT_FALSE(report.consensus_distance);
      EXPECT_EQ(report.farthest_node, id);
      EXPECT_TRUE(report.objective);
    }
    EXPECT_TRUE(records[id].reports[0].is_own);
    EXPECT_FALSE(records[id].reports[1].is_own);
    EXPECT_EQ(records[id].outcome.model, whole.outcome.model);
    EXPECT_EQ(records[id].outcome.model_nodes, 4u);
    EXPECT_EQ(records[id].reports[1].bytes_sent_per_node, whole.reports[1].bytes_sent_per_node);
  }
}

TEST(ProcessRun, SeesTheMeanAtEveryReportIfAsked) {
  const auto experiment =
      experiment_of(with(kSettings, {{"report", "10,40"}, {"report-mean", "yes"}}));
  const Recorded whole = record(*experiment);
  for (const ProcessRecord& record : run_processes(*experiment, Seen::kSelf)) {
    ASSERT_EQ(record.reports.size(), 2u);
    EXPECT_FALSE(record.reports[0].is_own);
    EXPECT_EQ(record.reports[0].objective, whole.reports[0].objective);
  }
}

TEST(ProcessRun, EndsForAllWithTheSentenceOfTheNodeThatFailedFirst) {
  const auto experiment = experiment_of(with(kSettings, {{"checkpoint-every", "10"}}));
  const TemporaryFolder folder;
  std::vector<std::unique_ptr<CheckpointStore>> stores;
  for (NodeId id = 0; id < 4; ++id) {
    // A file cannot hold a folder.
    const std::string path = id == 2 ? "/dev/null/nowhere" : folder.path();
    stores.push_back(std::make_unique<CheckpointStore>(path, identity_of(experiment->config), 4,
                                                       CheckpointStore::Writers::kManyProcesses));
  }
  const auto records = run_processes(
      *experiment, Seen::kAllByFirst,
      [&](NodeId id, RunOptions& options) { options.checkpoints = stores[id].get(); });
  for (const ProcessRecord& record : records) {
    ASSERT_TRUE(record.outcome.failure);
    EXPECT_EQ(record.outcome.failure->kind, Failure::Kind::kFile);
    EXPECT_EQ(record.outcome.failure->node, 2u);
    EXPECT_THAT(record.outcome.failure->sentence, HasSubstr("/dev/null/nowhere"));
  }
}

TEST(ProcessRun, NamesANodeThatEndsWithoutAWord) {
  const auto experiment = experiment_of(kSettings);
  std::vector<RunOutcome> outcomes(4);
  run_inproc(4, [&](Network& network) {
    if (network.self() == 3) return;
    outcomes[network.self()] = run_process(*experiment, network, {}, Seen::kAllByFirst);
  });
  for (NodeId id = 0; id < 3; ++id) {
    ASSERT_TRUE(outcomes[id].failure);
    EXPECT_EQ(outcomes[id].failure->kind, Failure::Kind::kLost);
    EXPECT_THAT(outcomes[id].failure->sentence, HasSubstr("node 3"));
  }
}

TEST(ProcessRun, ReleasesTheOthersWhenTheFirstOneBreaks) {
  const auto experiment = experiment_of(kSettings);
  std::vector<RunOutcome> outcomes(4);
  const auto run = [&] {
    run_inproc(4, [&](Network& network) {
      RunOptions options;
      options.report = [](const Measurement&) { throw std::runtime_error("the disk is full"); };
      outcomes[network.self()] = run_process(*experiment, network, options, Seen::kAllByFirst);
    });
  };
  EXPECT_THROW(run(), std::runtime_error);
  for (NodeId id = 1; id < 4; ++id)
    EXPECT_TRUE(outcomes[id].failure);
}

TEST(ProcessRun, FailsForAllAsOneProcessDoesWhenOneDiverges) {
  const auto experiment = experiment_of(with(kSettings, {{"lr", "1000"}, {"report", "1,2,3"}}));
  const Recorded whole = record(*experiment);
  ASSERT_TRUE(whole.outcome.failure);
  EXPECT_EQ(whole.outcome.failure->kind, Failure::Kind::kDiverged);
  EXPECT_GT(whole.outcome.failure->round, 0u);
  for (const Seen seen : {Seen::kAllByFirst, Seen::kSelf}) {
    for (const ProcessRecord& record : run_processes(*experiment, seen)) {
      ASSERT_TRUE(record.outcome.failure);
      EXPECT_EQ(record.outcome.failure->kind, Failure::Kind::kDiverged);
      EXPECT_EQ(record.outcome.failure->node, whole.outcome.failure->node);
      EXPECT_EQ(record.outcome.failure->round, whole.outcome.failure->round);
      EXPECT_EQ(record.outcome.failure->sentence, whole.outcome.failure->sentence);
    }
  }
}

// Also of what is no divergence: the disk of one of them.
TEST(ProcessRun, EndsForAllPeersWithTheFileThatOneCannotWrite) {
  const auto experiment = experiment_of(with(kSettings, {{"checkpoint-every", "10"}}));
  const TemporaryFolder folder;
  std::vector<std::unique_ptr<CheckpointStore>> stores;
  for (NodeId id = 0; id < 4; ++id) {
    const std::string path = id == 2 ? "/dev/null/nowhere" : folder.path(std::to_string(id));
    stores.push_back(std::make_unique<CheckpointStore>(path, identity_of(experiment->config), 4,
                                                       CheckpointStore::Writers::kManyProcesses));
  }
  const auto records = run_processes(*experiment, Seen::kSelf, [&](NodeId id, RunOptions& options) {
    options.checkpoints = stores[id].get();
  });
  for (const ProcessRecord& record : records) {
    ASSERT_TRUE(record.outcome.failure);
    EXPECT_EQ(record.outcome.failure->kind, Failure::Kind::kFile);
    EXPECT_EQ(record.outcome.failure->node, 2u);
    EXPECT_THAT(record.outcome.failure->sentence, StartsWith("node 2: "));
    EXPECT_THAT(record.outcome.failure->sentence, HasSubstr("/dev/null/nowhere"));
  }
}

// Asked for in one process, or in all at about the same time, as mpirun does it.
TEST(ProcessRun, StopsAllProcessesBeforeTheSameRound) {
  const auto experiment = experiment_of(with(kSettings, {{"rounds", "100000"}}));
  for (const bool all : {false, true}) {
    const TemporaryFolder folder;
    std::vector<StopLine> lines(4);
    std::vector<std::unique_ptr<CheckpointStore>> stores;
    for (NodeId id = 0; id < 4; ++id) {
      stores.push_back(std::make_unique<CheckpointStore>(folder.path(),
                                                         identity_of(experiment->config), 4,
                                                         CheckpointStore::Writers::kManyProcesses));
      if (all || id == 2) lines[id].request();
    }
    const auto records =
        run_processes(*experiment, Seen::kAllByFirst, [&](NodeId id, RunOptions& options) {
          options.stop = &lines[id];
          options.checkpoints = stores[id].get();
        });
    for (const ProcessRecord& record : records) {
      EXPECT_FALSE(record.outcome.failure);
      ASSERT_TRUE(record.outcome.stopped_after);
      EXPECT_EQ(record.outcome.stopped_after, records[0].outcome.stopped_after);
    }
    ASSERT_TRUE(records[0].outcome.last);
    EXPECT_EQ(records[0].outcome.last->round, *records[0].outcome.stopped_after);
    EXPECT_FALSE(records[0].outcome.model.empty());
    const Result<Round> newest = stores[0]->newest();
    ASSERT_TRUE(newest) << newest.error().message;
    EXPECT_EQ(newest.value(), *records[0].outcome.stopped_after);
  }
}

TEST(ProcessRun, KeepsTwoCompleteCheckpointsWithTheirMeans) {
  const auto experiment = experiment_of(with(kSettings, {{"checkpoint-every", "3"}}));
  const TemporaryFolder folder;
  std::vector<std::unique_ptr<CheckpointStore>> stores;
  for (NodeId id = 0; id < 4; ++id) {
    stores.push_back(std::make_unique<CheckpointStore>(folder.path(),
                                                       identity_of(experiment->config), 4,
                                                       CheckpointStore::Writers::kManyProcesses));
  }
  (void)run_processes(*experiment, Seen::kAllByFirst, [&](NodeId id, RunOptions& options) {
    options.checkpoints = stores[id].get();
  });
  std::vector<std::string> rounds;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    rounds.push_back(entry.path().filename());
    EXPECT_TRUE(std::filesystem::exists(entry.path() / "mean.safetensors")) << entry.path();
  }
  EXPECT_THAT(rounds, ::testing::UnorderedElementsAre("round-000000039", "round-000000040"));
}

TEST(ProcessRun, BringsTheTracesOfAllProcessesTogether) {
  const auto experiment = experiment_of(kSettings);
  std::vector<Trace> traces(4);
  {
    std::vector<std::unique_ptr<EventQueue>> queues;
    for (Trace& trace : traces)
      queues.push_back(std::make_unique<EventQueue>(std::vector<EventListener*>{&trace}));
    (void)run_processes(*experiment, Seen::kAllByFirst,
                        [&](NodeId id, RunOptions& options) { options.events = queues[id].get(); });
  }
  for (NodeId id = 0; id < 4; ++id) {
    EXPECT_FALSE(traces[id].spans_of(id).empty());
    EXPECT_EQ(traces[0].spans_of(id), traces[id].spans_of(id));
  }
}

}  // namespace
}  // namespace gossamer::testing
