// Every entry that comes with the program, for real: its claims hold, and the README says of them
// what the run says.

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "tests/e2e/run_output.hpp"
#include "tests/reproduce/stored.hpp"
#include "tests/support/temporary_folder.hpp"
#include <gtest/gtest.h>

#include "gossamer/base/file.hpp"
#include "gossamer/base/text/parse_number.hpp"

namespace gossamer::testing {
namespace {

bool trains_networks(const Entry& entry) {
  return std::ranges::any_of(entry.runs,
                             [](const PlannedRun& run) { return run.config.task == "network"; });
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

// "72.7x" and "1.04" are numbers, "1e-2," in a sentence is the same everywhere.
std::optional<double> number_in(std::string word) {
  if (word.ends_with('x')) word.pop_back();
  return parse_number<double>(word);
}

// Numbers of networks depend on how torch rounds: on the machine. Their claims have room for it.
constexpr double kRoomOfNetworks = 1.25;

bool are_alike(const std::string& a, const std::string& b, double room) {
  if (a == b) return true;
  const std::optional<double> x = number_in(a);
  const std::optional<double> y = number_in(b);
  return x && y && *x > 0 && *y > 0 && std::abs(std::log(*x / *y)) <= std::log(room);
}

void expect_alike(const std::string& readme, const std::string& measured, double room) {
  const std::vector<std::string> a = words_of(readme);
  const std::vector<std::string> b = words_of(measured);
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    ASSERT_TRUE(are_alike(a[i], b[i], room))
        << "the README has '" << a[i] << "', and the run '" << b[i]
        << "': make its table anew with --update-table README.md";
  }
  EXPECT_EQ(a.size(), b.size());
}

class Reproduce : public ::testing::TestWithParam<std::string> {};

TEST_P(Reproduce, HoldsAndTheReadmeSaysSo) {
  const Entry entry = stored_entry(GetParam(), Effort::kQuick);
  if (entry.runs.empty()) GTEST_SKIP() << "it is for --full alone";
#ifndef GOSSAMER_HAS_TORCH
  if (trains_networks(entry)) GTEST_SKIP() << "it needs torch";
#endif
  const TemporaryFolder folder;
  const std::string readme = file_text(GOSSAMER_SOURCE_DIR "/README.md");
  const std::string copy = folder.path("README.md");
  ASSERT_TRUE(write_file(copy, as_bytes(readme)));
  const ProgramResult result = run_program(
      {"reproduce", GetParam(), "--quick", "--out", folder.path(), "--update-table", copy});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  expect_alike(readme, file_text(copy), trains_networks(entry) ? kRoomOfNetworks : 1.0);
}

INSTANTIATE_TEST_SUITE_P(Every, Reproduce, ::testing::ValuesIn(names_of_entries()), test_name);

// What follows shows that the comparison can fail.

TEST(ReadmeComparison, SeesOtherNumbersAndOtherWords) {
  EXPECT_TRUE(are_alike("72.7x", "72.7x", 1.0));
  EXPECT_FALSE(are_alike("72.7x", "72.6x", 1.0));
  EXPECT_TRUE(are_alike("0.985x", "0.991x", kRoomOfNetworks));
  EXPECT_TRUE(are_alike("14", "17", kRoomOfNetworks));
  EXPECT_FALSE(are_alike("14", "18", kRoomOfNetworks));
  EXPECT_FALSE(are_alike("holds", "differs", kRoomOfNetworks));
  EXPECT_FALSE(are_alike("14", "holds", kRoomOfNetworks));
}

}  // namespace
}  // namespace gossamer::testing
