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
  EXPECT_THAT(made.out,
              AllOf(HasSubstr("nodes 0 to 2"),
                    HasSubstr("authority.key is needed only to add, renew and revoke nodes")));

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

TEST(KeysCommand, RevokesAndRenewsKeys) {
  const testing::TemporaryFolder folder;
  const std::string keys = folder.path("keys");
  ASSERT_EQ(run_program({"keys", "init", keys, "--nodes", "4"}).exit_code, 0);
  const ProgramResult revoked = run_program({"keys", "revoke", keys, "1", "3"});
  EXPECT_EQ(revoked.exit_code, 0) << revoked.err;
  EXPECT_THAT(revoked.out, AllOf(HasSubstr("revoked the certificates of node 1, 3"),
                                 HasSubstr("Copy revoked.pem to all peers")));
  const ProgramResult renewed = run_program({"keys", "renew", keys, "3", "--days", "90"});
  EXPECT_EQ(renewed.exit_code, 0) << renewed.err;
  EXPECT_THAT(renewed.out, HasSubstr("new keys of node 3"));
  const ProgramResult shown = run_program({"keys", "show", keys});
  EXPECT_THAT(shown.out, AllOf(ContainsRegex("     1  revoked      [0-9A-F]{2}:"),
                               ContainsRegex("     3  20[0-9-]+   [0-9A-F]{2}:")));
  const ProgramResult none = run_program({"keys", "revoke", keys, "9"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("a node is revoked by its certificate"));
  EXPECT_EQ(run_program({"keys", "revoke", keys}).exit_code, 2) << "whom?";
  EXPECT_EQ(run_program({"keys", "renew", keys, "1", "2"}).exit_code, 2) << "one at a time";
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
