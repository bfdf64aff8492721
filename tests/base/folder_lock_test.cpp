#include "gossamer/base/folder_lock.hpp"

#include <csignal>
#include <filesystem>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/temporary_folder.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string lock_refusal(const std::string& folder) {
  const Result<FolderLock> lock = FolderLock::take(folder);
  return lock ? "not refused" : lock.error().message;
}

TEST(FolderLock, IsOnesOwnUntilItGoes) {
  const TemporaryFolder folder;
  {
    const Result<FolderLock> first = FolderLock::take(folder.path());
    ASSERT_TRUE(first) << first.error().message;
    EXPECT_THAT(lock_refusal(folder.path()),
                AllOf(HasSubstr("'" + folder.path() + "' is in use"),
                      HasSubstr("process " + std::to_string(::getpid()) + " on ")));
  }
  EXPECT_EQ(lock_refusal(folder.path()), "not refused");
}

TEST(FolderLock, IsMovedWithItsObject) {
  const TemporaryFolder folder;
  std::optional<FolderLock> kept;
  {
    Result<FolderLock> first = FolderLock::take(folder.path());
    ASSERT_TRUE(first);
    kept.emplace(std::move(first).value());
  }
  EXPECT_THAT(lock_refusal(folder.path()), HasSubstr("is in use"));
  kept.reset();
  EXPECT_EQ(lock_refusal(folder.path()), "not refused");
}

// The child says by a pipe that it has the lock, and then waits to be killed.
TEST(FolderLock, IsGoneWithAProcessThatIsKilled) {
  const TemporaryFolder folder;
  int ends[2] = {};
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const Result<FolderLock> lock = FolderLock::take(folder.path());
    (void)!::write(ends[1], lock ? "y" : "n", 1);
    for (;;)
      ::pause();
  }
  char has_it = 0;
  EXPECT_EQ(::read(ends[0], &has_it, 1), 1);
  EXPECT_EQ(has_it, 'y');
  EXPECT_THAT(lock_refusal(folder.path()), HasSubstr("process " + std::to_string(child)));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(lock_refusal(folder.path()), "not refused");
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(FolderLock, FollowsNoLinkAndWaitsForNoPipe) {
  const TemporaryFolder folder;
  std::filesystem::create_symlink(folder.path("elsewhere"), folder.path("lock"));
  EXPECT_THAT(lock_refusal(folder.path()), HasSubstr("cannot write"));
  EXPECT_FALSE(std::filesystem::exists(folder.path("elsewhere")));
  std::filesystem::remove(folder.path("lock"));
  ASSERT_EQ(::mkfifo(folder.path("lock").c_str(), 0600), 0);
  EXPECT_THAT(lock_refusal(folder.path()), HasSubstr("is no regular file"));
}

TEST(FolderLock, OfAFolderThatIsNotThereIsAnError) {
  const TemporaryFolder folder;
  EXPECT_THAT(lock_refusal(folder.path("none")), HasSubstr("No such file or directory"));
}

}  // namespace
}  // namespace gossamer::testing
