// `gossamer hunt`: what it prints, and what it refuses.

#include <fstream>
#include <string>

#include "tests/e2e/run_output.hpp"
#include "tests/support/temporary_folder.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// Where nothing but delays goes wrong, nothing breaks.
TEST(HuntCommand, SaysHowManySchedulesHeld) {
  const ProgramResult result = run_program({"hunt", "--seeds", "2", "--families", "slow"});
  EXPECT_EQ(result.exit_code, 0) << result.out;
  EXPECT_THAT(result.out, AllOf(StartsWith("2 schedules in "), HasSubstr(": 0 failed\n")));
}

TEST(HuntCommand, TellsAReplayedSeed) {
  const ProgramResult result =
      run_program({"hunt", "--replay", "3", "--families", "slow", "--algorithm", "choco"});
  EXPECT_EQ(result.exit_code, 0) << result.out;
  EXPECT_THAT(result.out, AllOf(StartsWith("algorithm choco\n"), HasSubstr("seed 3\n"),
                                HasSubstr(" slow "), HasSubstr("all that must hold does\n")));
}

// Most are killed and never come back: nobody can go on.
TEST(HuntCommand, ShrinksAScheduleThatFails) {
  const TemporaryFolder folder;
  const std::string path = folder.path("schedule.txt");
  std::ofstream(path) << "algorithm dpsgd\nnodes 4\nrounds 60\n"
                         "1 slow 0 1\n2 fast 0 1\n2.1 kill 1\n2.1 kill 2\n2.1 kill 3\n";
  const ProgramResult result = run_program({"hunt", "--schedule", path, "--shrink"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, AllOf(HasSubstr("node 0, which began at 0.000 s"), HasSubstr("shrunk:\n"),
                                HasSubstr("its story:\n")));
  const std::string shrunk = result.out.substr(result.out.find("shrunk:\n"));
  EXPECT_THAT(shrunk, ::testing::Not(HasSubstr(" slow 0 1")));
}

TEST(HuntCommand, RefusesWhatItDoesNotKnow) {
  const ProgramResult family = run_program({"hunt", "--families", "kils"});
  EXPECT_EQ(family.exit_code, 2);
  EXPECT_THAT(family.err, HasSubstr("did you mean 'kills'?"));
  const ProgramResult algorithm = run_program({"hunt", "--algorithm", "allreduce"});
  EXPECT_EQ(algorithm.exit_code, 2);
  EXPECT_THAT(algorithm.err, HasSubstr("cannot go on without a lost peer"));
  EXPECT_EQ(run_program({"hunt", "--schedule", "nowhere.txt"}).exit_code, 2);
  EXPECT_EQ(run_program({"hunt", "--seeds", "0"}).exit_code, 2);
}

}  // namespace
}  // namespace gossamer::testing
