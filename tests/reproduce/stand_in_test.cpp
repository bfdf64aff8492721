// Entries for data that users must bring: on small data of the same form each of their runs gets
// through its first rounds. What they claim takes the real data, and hardware.

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/reproduce/stored.hpp"
#include "tests/support/model_data.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/vectors.hpp"
#include <gtest/gtest.h>

#include "gossamer/reproduce/reproduction.hpp"

namespace gossamer::testing {
namespace {

// Rows of length 1 or so.
void write_rows(const std::string& path, std::size_t rows, std::size_t features) {
  std::ofstream out(path);
  const float length = std::sqrt(static_cast<float>(features));
  for (std::size_t row = 0; row < rows; ++row) {
    const std::vector<float> values = normal_vector(features, row);
    out << (row % 2 == 0 ? "1" : "-1");
    for (std::size_t j = 0; j < features; ++j)
      out << ' ' << j + 1 << ':' << values[j] / length;
    out << '\n';
  }
}

// Data of the form that an entry needs, in a folder.
std::string write_stand_in(const std::string& needs, const TemporaryFolder& folder) {
  const std::string path = folder.path(needs);
  if (needs == "epsilon_normalized") {
    write_rows(path, 36, 2000);
  } else if (needs == "cifar-10-batches-bin") {
    write_cifar_pictures(path, {.train = 160, .test = 10});
  } else if (needs == "wikitext-2") {
    std::filesystem::create_directories(path);
    write_text(path + "/train.txt", small_text({.lines = 400}));
    write_text(path + "/test.txt", small_text({.lines = 13}));
  } else {
    ADD_FAILURE() << "nobody knows what '" << needs << "' looks like";
  }
  return path;
}

// With 650 units, 32 nodes would compute for minutes.
std::string with_few_units(std::string model) {
  for (std::size_t at = model.find("=650"); at != std::string::npos; at = model.find("=650"))
    model.replace(at, 4, "=20");
  return model;
}

class StandIn : public ::testing::TestWithParam<std::string> {};

TEST_P(StandIn, GetsEveryRunThroughItsFirstRounds) {
  const Entry entry = stored_entry(GetParam(), Effort::kFull);
  if (entry.needs.empty()) return;  // its own test runs it for real
  const TemporaryFolder folder;
  const std::string data = write_stand_in(entry.needs, folder);
  TaskKeeper tasks;
  for (PlannedRun run : entry.runs) {
    SCOPED_TRACE(run.name);
    run.config.data = data;
    run.config.model = with_few_units(run.config.model);
    run.config.epochs = 0.0;
    run.config.rounds = 2;
    run.config.report = {2};
    if (run.config.task == "network") run.config.batch = std::string("2");
    const auto experiment = prepare(entry, run, tasks);
    ASSERT_TRUE(experiment) << experiment.error().message;
    const Result<PerformedRun> performed = perform(entry, run, *experiment.value(), {});
    ASSERT_TRUE(performed) << performed.error().message;
    EXPECT_FALSE(performed.value().failure) << performed.value().failure->sentence;
    EXPECT_FALSE(performed.value().series.measurements.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(Full, StandIn, ::testing::ValuesIn(names_of_entries()), test_name);

}  // namespace
}  // namespace gossamer::testing
