// Every form of every algorithm comes to the bits that were recorded in tests/golden/models.txt: on
// threads and simulated here, on MPI in tests/mpi, over TLS in tests/peers.
#include "tests/train/recorded_models.hpp"

#include <string>

#include "tests/support/golden.hpp"
#include "tests/support/temporary_folder.hpp"
#include <gtest/gtest.h>

#include "gossamer/base/file.hpp"

namespace gossamer::testing {
namespace {

std::string digest_of_run(const Settings& given) {
  Settings settings = given;
  settings.emplace_back("checkpoint-every", fmt::format("{}", kRecordedRounds));
  const auto experiment = experiment_of(settings);
  const TemporaryFolder folder;
  CheckpointStore store(folder.path("checkpoints"), identity_of(experiment->config),
                        experiment->endpoints());
  RunOptions options;
  options.checkpoints = &store;
  const Recorded recorded = record(*experiment, options);
  EXPECT_FALSE(recorded.outcome.failure) << recorded.outcome.failure->sentence;
  return digest_of_models(model_files_in(folder.path("checkpoints")));
}

Settings with(Settings settings, const std::string& key, const std::string& value) {
  settings.emplace_back(key, value);
  return settings;
}

// Where models are matrices: tasks that are the same on every machine have vectors, which
// powergossip sends whole.
Settings consensus_of_matrices(const AlgorithmInfo& form) {
  Settings settings = {{"task", "consensus"},
                       {"matrix", "12x10"},
                       {"nodes", fmt::format("{}", kRecordedNodes)},
                       {"algorithm", form.example},
                       {"rounds", fmt::format("{}", kRecordedRounds)}};
  settings = with_if_allowed(settings, "gamma", "0.2");  // a number, so that nothing is tuned
  return with_if_allowed(settings, "compressor", "qsgd:4");
}

std::string digests_on(const std::string& network) {
  std::string text;
  for (const AlgorithmInfo& form : recorded_forms())
    text += recorded_line(form, digest_of_run(with(recorded_settings(form), "network", network)));
  for (const AlgorithmInfo& form : recorded_forms()) {
    if (form.consensus == Consensus::kNever) continue;
    const Settings settings = with(consensus_of_matrices(form), "network", network);
    text += "consensus:" + recorded_line(form, digest_of_run(settings));
  }
  return text;
}

TEST(RecordedModels, AreThoseOfThreads) {
  expect_golden(kRecordedFile, as_bytes(digests_on("inproc")));
}

TEST(RecordedModels, AreThoseOfTheSimulation) {
  expect_golden(kRecordedFile, as_bytes(digests_on("sim")));
}

// The control: other numbers have another digest.
TEST(RecordedModels, DifferFromThoseOfAnotherSeed) {
  const Settings settings = recorded_settings(find_algorithm("choco").value());
  EXPECT_EQ(recorded_digests()["choco"], digest_of_run(settings));
  EXPECT_NE(recorded_digests()["choco"], digest_of_run(with(settings, "seed", "1")));
}

}  // namespace
}  // namespace gossamer::testing
