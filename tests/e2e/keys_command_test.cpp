// `gossamer keys`: what it says of the folders that it makes.

#include <filesystem>

#include "tests/e2e/program.hpp"
#include "tests/support/temporary_folder.hpp"
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::ProgramResult;
using testing::run_program;

TEST(KeysCommand, MakesAddsAndShowsKeys) {
  const testing::TemporaryFolder folder;
  const std::string keys = folder.path("keys");
  const ProgramResult made = run_program({"keys", "init", keys, "--nodes", "3"});
  EXPECT_EQ(made.exit_code, 0) << made.err;
  EXPECT_THAT(made.out, AllOf(HasSubstr("nodes 0 to 2"),
                              HasSubstr("authority.key is needed only to add nodes")));

  const ProgramResult added = run_program({"keys", "add", keys, "--nodes", "1", "--days", "10"});
  EXPECT_EQ(added.exit_code, 0) << added.err;
  EXPECT_THAT(added.out, HasSubstr("node 3"));

  const ProgramResult shown = run_program({"keys", "show", keys});
  EXPECT_EQ(shown.exit_code, 0);
  EXPECT_THAT(shown.out,
              AllOf(ContainsRegex("gossamer cluster [0-9a-f]{16}, valid until 20[0-9-]+; "
                                  "authority.key is here"),
                    ContainsRegex("     2  20[0-9][0-9]-[0-9][0-9]-[0-9][0-9]   "
                                  "([0-9A-F]{2}:){31}[0-9A-F]{2}\n")));
  EXPECT_THAT(shown.err,
              AllOf(HasSubstr(fmt::format("warning: '{}/node-00003.pem' is valid for only", keys)),
                    Not(HasSubstr("node-00002"))));

  std::filesystem::remove(keys + "/authority.key");
  EXPECT_THAT(run_program({"keys", "show", keys}).out, HasSubstr("authority.key is not here"));
}

TEST(KeysCommand, RefusesInOneSentence) {
  const testing::TemporaryFolder folder;
  const std::string keys = folder.path("keys");
  ASSERT_EQ(run_program({"keys", "init", keys, "--nodes", "1"}).exit_code, 0);
  const ProgramResult twice = run_program({"keys", "init", keys, "--nodes", "1"});
  EXPECT_EQ(twice.exit_code, 2);
  EXPECT_THAT(twice.err, HasSubstr("never overwritten"));
  EXPECT_EQ(run_program({"keys", "init", folder.path("more")}).exit_code, 2) << "how many?";
  EXPECT_EQ(run_program({"keys", "init", folder.path("more"), "--nodes", "0"}).exit_code, 2);
  EXPECT_EQ(run_program({"keys"}).exit_code, 2);
  const ProgramResult none = run_program({"keys", "show", folder.path("none")});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("cannot read"));
}

}  // namespace
}  // namespace gossamer
