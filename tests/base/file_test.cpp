#include "gossamer/base/file.hpp"

#include <csignal>
#include <filesystem>
#include <string>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <vector>

#include "tests/support/temporary_folder.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

using ::testing::HasSubstr;

namespace fs = std::filesystem;

std::string content_of(const std::string& path) {
  const auto bytes = read_file(path);
  return bytes ? std::string(bytes.value().begin(), bytes.value().end()) : "unreadable";
}

std::size_t entries_of(const std::string& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(WriteFile, CanBeReadBackByteForByte) {
  const TemporaryFolder folder;
  // Every byte value, more of them than one read takes.
  std::vector<std::uint8_t> bytes(200'001);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::uint8_t>(i * 7);
  ASSERT_TRUE(write_file(folder.path("a"), bytes));
  const auto read = read_file(folder.path("a"));
  ASSERT_TRUE(read);
  EXPECT_EQ(read.value(), bytes);
}

TEST(WriteFile, WritesAnEmptyFile) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder.path("a"), {}));
  EXPECT_EQ(content_of(folder.path("a")), "");
}

TEST(WriteFile, ReplacesWhatWasThereAndLeavesNothingBesideIt) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder.path("a"), as_bytes("a longer first text")));
  ASSERT_TRUE(write_file(folder.path("a"), as_bytes("second")));
  EXPECT_EQ(content_of(folder.path("a")), "second");
  EXPECT_EQ(entries_of(folder.path()), 1u);
}

TEST(WriteFile, WorksWithoutAFolderInThePath) {
  const TemporaryFolder folder;
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  const Result<void> written = write_file("bare", as_bytes("text"));
  fs::current_path(before);
  EXPECT_TRUE(written);
  EXPECT_EQ(content_of(folder.path("bare")), "text");
}

TEST(WriteFile, IntoAFolderThatIsNotThereIsAnErrorThatNamesTheFile) {
  const TemporaryFolder folder;
  const Result<void> written = write_file(folder.path("none/a"), as_bytes("text"));
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message, HasSubstr("cannot write '" + folder.path("none/a") + "'"));
  EXPECT_THAT(written.error().message, HasSubstr("No such file or directory"));
}

TEST(WriteFile, OverAFolderIsAnErrorAndLeavesNothingBehind) {
  const TemporaryFolder folder;
  fs::create_directories(folder.path("a/full"));
  const Result<void> written = write_file(folder.path("a"), as_bytes("text"));
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message, HasSubstr(folder.path("a")));
  EXPECT_TRUE(fs::is_directory(folder.path("a/full")));
  EXPECT_EQ(entries_of(folder.path()), 1u);
}

// Stops this process from writing files beyond so many bytes, as a full disk would.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit small{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
    handler_ = ::signal(SIGXFSZ, SIG_IGN);
  }

  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int) = nullptr;
};

TEST(WriteFile, LeavesTheOldContentWhenTheDiskIsFull) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder.path("a"), as_bytes("old")));
  const std::string large(5000, 'x');
  const Result<void> written = [&] {
    const FullDisk full(1000);
    return write_file(folder.path("a"), as_bytes(large));
  }();
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message, HasSubstr("cannot write"));
  EXPECT_EQ(content_of(folder.path("a")), "old");
  EXPECT_EQ(entries_of(folder.path()), 1u) << "the half-written file is gone";
}

// The names that a writer takes for what is not whole yet: today's, and those it could guess.
TEST(WriteFile, FollowsNoLinkThatWasPlantedBesideIt) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder.path("precious"), as_bytes("mine")));
  std::vector<std::string> planted = {folder.path("a.part")};
  for (int call = 0; call < 1000; ++call)
    planted.push_back(
        folder.path("a.part-" + std::to_string(::getpid()) + "-" + std::to_string(call)));
  for (const std::string& name : planted)
    fs::create_symlink(folder.path("precious"), name);
  ASSERT_TRUE(write_file(folder.path("a"), as_bytes("text")));
  EXPECT_EQ(content_of(folder.path("a")), "text");
  EXPECT_EQ(content_of(folder.path("precious")), "mine");
  for (const std::string& name : planted)
    EXPECT_TRUE(fs::is_symlink(name)) << name;
}

TEST(WriteFile, ReplacesALinkInItsPlaceAndNotWhereItLeads) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder.path("precious"), as_bytes("mine")));
  fs::create_symlink(folder.path("precious"), folder.path("a"));
  ASSERT_TRUE(write_file(folder.path("a"), as_bytes("text")));
  EXPECT_EQ(content_of(folder.path("precious")), "mine");
  EXPECT_EQ(content_of(folder.path("a")), "text");
}

TEST(WriteFile, LeavesAloneWhatAKilledWriterHasLeft) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder.path("a.part"), as_bytes("half")));
  ASSERT_TRUE(write_file(folder.path("a"), as_bytes("text")));
  EXPECT_EQ(content_of(folder.path("a")), "text");
  EXPECT_EQ(content_of(folder.path("a.part")), "half");
}

TEST(ReadFile, OfWhatIsNotThereIsAnErrorThatSaysWhy) {
  const TemporaryFolder folder;
  const auto read = read_file(folder.path("none"));
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().message,
            "cannot read '" + folder.path("none") + "': No such file or directory");
}

TEST(ReadFile, OfAFolderIsAnErrorAndNoException) {
  const TemporaryFolder folder;
  const auto read = read_file(folder.path());
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr("Is a directory"));
}

/// Something of each kind that is no regular file, with what is said of it.
class Irregular {
 public:
  Irregular() : socket_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    EXPECT_EQ(::mkfifo(pipe().c_str(), 0600), 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    socket().copy(address.sun_path, sizeof address.sun_path - 1);
    EXPECT_EQ(::bind(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  }

  Irregular(const Irregular&) = delete;
  Irregular& operator=(const Irregular&) = delete;

  ~Irregular() { ::close(socket_); }

  [[nodiscard]] std::string pipe() const { return folder_.path("pipe"); }

  [[nodiscard]] std::string socket() const { return folder_.path("socket"); }

  [[nodiscard]] static std::string device() { return "/dev/zero"; }

  [[nodiscard]] const std::string& directory() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
  int socket_;
};

// Nobody ever writes into the pipe, and the device never ends.
TEST(ReadFile, OfAPipeASocketOrADeviceIsAnErrorAtOnce) {
  const Irregular irregular;
  const auto refusal = [](const std::string& path) {
    const auto read = read_file(path);
    return read ? "not refused" : read.error().message;
  };
  EXPECT_EQ(refusal(irregular.pipe()), "'" + irregular.pipe() + "' is a pipe, and no regular file");
  EXPECT_EQ(refusal(Irregular::device()), "'/dev/zero' is a device, and no regular file");
  EXPECT_THAT(refusal(irregular.socket()), HasSubstr("cannot read '" + irregular.socket()));
}

TEST(CheckIsRegular, RefusesAllButFilesAndWhatIsNotThere) {
  const Irregular irregular;
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder.path("a"), as_bytes("text")));
  EXPECT_TRUE(check_is_regular(folder.path("a")));
  EXPECT_TRUE(check_is_regular(folder.path("none")));
  EXPECT_THAT(check_is_regular(irregular.pipe()).error().message, HasSubstr("is a pipe"));
  EXPECT_THAT(check_is_regular(irregular.socket()).error().message, HasSubstr("is a socket"));
  EXPECT_THAT(check_is_regular(Irregular::device()).error().message, HasSubstr("is a device"));
  EXPECT_THAT(check_is_regular(irregular.directory()).error().message, HasSubstr("Is a directory"));
}

}  // namespace
}  // namespace gossamer::testing
