// Every input that fuzzing found worth keeping, again: under the sanitizers, and without clang.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "tests/fuzz/fuzz_targets.hpp"
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

namespace fs = std::filesystem;

fs::path corpus() {
  return fs::path(GOSSAMER_SOURCE_DIR) / "tests/fuzz/corpus";
}

std::vector<std::uint8_t> contents(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

class FuzzCorpus : public ::testing::TestWithParam<FuzzTarget> {};

TEST_P(FuzzCorpus, IsBorneByItsTarget) {
  int inputs = 0;
  for (const auto& entry : fs::directory_iterator(corpus() / GetParam().name)) {
    SCOPED_TRACE(entry.path().filename().string());
    EXPECT_NO_THROW(GetParam().run(contents(entry.path())));
    ++inputs;
  }
  EXPECT_GT(inputs, 0);
}

// The least that a fuzzer begins with.
TEST_P(FuzzCorpus, NothingAndOneByteAreInputsToo) {
  EXPECT_NO_THROW(GetParam().run({}));
  for (const int byte : {0x00, 0x01, 0xFF}) {
    const std::vector<std::uint8_t> input(1, static_cast<std::uint8_t>(byte));
    EXPECT_NO_THROW(GetParam().run(input)) << byte;
  }
}

INSTANTIATE_TEST_SUITE_P(All, FuzzCorpus, ::testing::ValuesIn(fuzz_targets()),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(FuzzTargets, HaveAllFoldersOfTheCorpus) {
  std::set<std::string> names;
  for (const FuzzTarget& target : fuzz_targets())
    names.emplace(target.name);
  for (const auto& entry : fs::directory_iterator(corpus()))
    EXPECT_TRUE(names.contains(entry.path().filename().string())) << entry.path();
}

}  // namespace
}  // namespace gossamer::testing
