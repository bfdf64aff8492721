// Two runs, or two that go on with one, in one folder at once.
#include <csignal>
#include <filesystem>
#include <string>
#include <sys/stat.h>

#include "tests/e2e/run_output.hpp"
#include "tests/e2e/running_program.hpp"
#include "tests/support/temporary_folder.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const Arguments kLockedRun = {"train",    "--task", "quadratic",          "--dim", "20",
                              "--rounds", "20000",  "--report",           "100",   "20000",
                              "--lr",     "0.001",  "--checkpoint-every", "50"};

TEST(RunLock, KeepsASecondProcessOutUntilTheFirstIsGone) {
  const TemporaryFolder folder;
  const std::string run = folder.path("run");
  const Arguments begin = kLockedRun + Arguments{"--run-dir", run, "--json"};
  RunningProgram first(Arguments{GOSSAMER_PROGRAM} + begin);
  ASSERT_TRUE(first.wait_until([](const ProgramResult& printed) {
    return printed.out.find("\"round\":100,") != std::string::npos;
  }));
  first.hold();
  const std::string config = file_text(run + "/config.toml");
  for (const Arguments& second : {begin, Arguments{"train", "--resume", run},
                                  Arguments{"train", "--resume", run, "--rounds", "30000"}}) {
    EXPECT_THAT(refusal_of(second),
                AllOf(HasSubstr("'" + run + "' is in use by a run that has not ended (process "),
                      HasSubstr("name another folder")));
  }
  EXPECT_EQ(file_text(run + "/config.toml"), config);
  // Whoever only reads is welcome.
  EXPECT_EQ(run_program({"report", run, "--out", folder.path("page.html")}).exit_code, 0);
  first.send(SIGKILL);
  EXPECT_EQ(first.finish().exit_code, 128 + SIGKILL);
  const ProgramResult resumed = run_program({"train", "--resume", run, "--checkpoint-every", "0"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
}

TEST(RunLock, IsTakenBeforeAnythingIsSaidOfWhatTheFolderHolds) {
  const TemporaryFolder folder;
  const Arguments run =
      kLockedRun + Arguments{"--rounds", "5", "--report", "5", "--run-dir", folder.path("run")};
  EXPECT_EQ(run_program(run).exit_code, 0);
  EXPECT_THAT(refusal_of(run),
              AllOf(HasSubstr("already holds a run"), HasSubstr("--resume " + folder.path("run"))));
}

// Nobody ever writes into it.
TEST(Checkpoint, ThatIsAPipeIsNotWaitedFor) {
  const TemporaryFolder folder;
  const std::string run = folder.path("run");
  const Arguments settings =
      kLockedRun + Arguments{"--rounds", "100", "--report", "100", "--run-dir", run};
  EXPECT_EQ(run_program(settings).exit_code, 0);
  const std::string file = run + "/checkpoints/round-000000100/node-00003.ckpt";
  ASSERT_TRUE(std::filesystem::remove(file));
  ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
  EXPECT_THAT(refusal_of({"train", "--resume", run, "--rounds", "200"}),
              HasSubstr("'" + file + "' is a pipe, and no regular file"));
}

}  // namespace
}  // namespace gossamer::testing
