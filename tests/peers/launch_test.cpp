// All peers of a cluster, started by launch: one table instead of three, and what is told of a
// loss.
#include <algorithm>
#include <arpa/inet.h>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <netinet/in.h>
#include <sstream>
#include <string>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

#include "tests/peers/cluster.hpp"
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

Arguments launched(const Cluster& cluster, const Arguments& options, const Arguments& settings) {
  return Arguments{"launch", "--peers", cluster.peers_file(), "--local"} + options +
         Arguments{"--",  "train", "--task", "quadratic", "--dim", "40",           "--noise",
                   "0.1", "--lr",  "0.01",   "--gamma",   "0.2",   "--compressor", "sign"} +
         settings;
}

std::size_t lines_with(const std::string& text, const std::string& part) {
  std::istringstream stream(text);
  std::size_t count = 0;
  for (std::string line; std::getline(stream, line);)
    count += line.find(part) != std::string::npos ? 1 : 0;
  return count;
}

TEST(LaunchedPeers, AreOneTableAndTheirLinesAreInTheLog) {
  Cluster cluster(3);
  const Arguments settings = {"--rounds", "60", "--report", "20", "40", "60"};
  const std::string log = cluster.path("kept.log");
  const ProgramResult table =
      run_program(launched(cluster, {"--show", "table", "--log", log}, settings));
  EXPECT_EQ(table.exit_code, 0) << table.err;
  // Its own models, and at the end the averaged one.
  EXPECT_EQ(lines_with(table.out, " round "), 2u) << table.out;
  for (const char* const round : {"       20 ", "       40 ", "       60 "})
    EXPECT_EQ(lines_with(table.out, round), 1u) << table.out;
  EXPECT_THAT(table.out, HasSubstr("\nall 3 peers finished 60 rounds in "));

  // The control: each has a table of its own.
  const ProgramResult lines = run_program(launched(cluster, {"--show", "lines"}, settings));
  EXPECT_EQ(lines.exit_code, 0) << lines.err;
  EXPECT_EQ(lines_with(lines.out, " round "), 6u) << lines.out;
  EXPECT_EQ(lines_with(lines.out, "       40 "), 3u) << lines.out;

  const std::string kept = file_text(log);
  for (int node = 0; node < 3; ++node) {
    EXPECT_THAT(kept, ContainsRegex(fmt::format("\\[{}\\]  *40 ", node)));
    EXPECT_THAT(kept, HasSubstr(fmt::format("node {} has ended after 60 rounds: finished", node)));
  }
}

// The process that launch has started for a node; 0: there is none.
pid_t process_of(pid_t launch, int node) {
  std::ifstream children(fmt::format("/proc/{0}/task/{0}/children", launch));
  for (pid_t child = 0; children >> child;) {
    const std::string words = file_text(fmt::format("/proc/{}/cmdline", child));
    if (words.find(fmt::format("--node{}{}", '\0', node) + '\0') != std::string::npos) return child;
  }
  return 0;
}

TEST(LaunchedPeers, TellOfALossOnce) {
  constexpr int kKilled = 2;
  Cluster cluster(3);
  const std::string log = cluster.path("kept.log");
  bool is_killed = false;
  const ProgramResult result = run_program(
      launched(cluster, {"--show", "table", "--log", log},
               {"--rounds", "20000", "--on-peer-loss", "drop", "--peer-deadline", "1s"}),
      [&](const std::string& out, pid_t launch) {
        if (is_killed || lines_with(out, "       50 ") == 0) return;
        const pid_t process = process_of(launch, kKilled);
        ASSERT_GT(process, 0);
        is_killed = ::kill(process, SIGKILL) == 0;
      });
  EXPECT_TRUE(is_killed);
  EXPECT_EQ(result.exit_code, 128 + SIGKILL);
  EXPECT_EQ(lines_with(result.err, "node 2 is lost: "), 1u) << result.err;
  EXPECT_EQ(lines_with(result.err, "node 2 was ended by signal 9"), 1u) << result.err;
  EXPECT_THAT(result.out, HasSubstr("\nnodes 0-1 finished 20000 rounds in "));
  // The control: both told it.
  EXPECT_EQ(lines_with(file_text(log), "node 2 is lost: "), 2u);
}

/// Somebody else listens there.
class TakenPort {
 public:
  explicit TakenPort(std::uint16_t port)
      : descriptor_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const int yes = 1;
    ::setsockopt(descriptor_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::bind(descriptor_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(::listen(descriptor_, 8), 0);
  }

  TakenPort(const TakenPort&) = delete;
  TakenPort& operator=(const TakenPort&) = delete;

  ~TakenPort() { ::close(descriptor_); }

 private:
  int descriptor_;
};

/// Peers that would wait for the others for an hour all end, because of node 1.
void expect_failed_start(const Cluster& cluster, const std::string& why) {
  for (const char* const show : {"lines", "table"}) {
    const ProgramResult result =
        run_program(launched(cluster, {"--show", show}, {"--rounds", "60", "--patience", "1h"}));
    EXPECT_EQ(result.exit_code, 2) << show << result.err;
    EXPECT_THAT(result.err,
                ContainsRegex("gossamer: before the first round node 1 ended with exit code 2: "
                              "[^\n]*" +
                              why + "[^\n]*; the others were ended\n$"));
    EXPECT_THAT(result.err, ::testing::Not(HasSubstr("exit code 130")));
  }
}

TEST(LaunchedPeers, AllEndIfThePortOfOneIsTaken) {
  Cluster cluster(3);
  const TakenPort taken(cluster.port(1));
  expect_failed_start(cluster, "in use");
}

TEST(LaunchedPeers, AllEndIfOneHasNoKey) {
  Cluster cluster(3);
  std::string peers = file_text(cluster.peers_file());
  const std::size_t at = peers.find("keys = ", peers.find("id = 1"));
  peers.replace(at, peers.find('\n', at) - at, fmt::format("keys = \"{}\"", cluster.path("none")));
  std::ofstream(cluster.peers_file()) << peers;
  expect_failed_start(cluster, cluster.path("none"));
}

TEST(LaunchedPeers, AllEndIfTheSettingsOfOneDiffer) {
  Cluster cluster(3);
  const std::string program = cluster.path("program");
  std::ofstream(program) << "#!/bin/sh\n"
                            "case \"$*\" in *'--node 1 '*) set -- \"$@\" --seed 7 ;; esac\n"
                            "exec " GOSSAMER_PROGRAM " \"$@\"\n";
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  for (const char* const show : {"lines", "table"}) {
    const ProgramResult result = run_program(launched(
        cluster, {"--program", program, "--show", show}, {"--rounds", "60", "--patience", "1h"}));
    EXPECT_EQ(result.exit_code, 2) << show << result.err;
    EXPECT_THAT(result.err, HasSubstr("do not agree: seed is '")) << show;
    EXPECT_THAT(result.err, ContainsRegex("gossamer: before the first round node [012] ended with "
                                          "exit code 2[^\n]*; the others were ended\n$"))
        << show;
  }
}

}  // namespace
}  // namespace gossamer::testing
