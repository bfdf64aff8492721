// One table of all peers: what stands in it, what is told once, what is passed on as it is, and
// what the log keeps. Stand-ins print what peers would.

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <pty.h>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

#include "tests/e2e/run_output.hpp"
#include "tests/support/temporary_folder.hpp"
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

using ::testing::Contains;
using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

std::vector<std::string> split_lines(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

std::vector<std::string> words_in(const std::string& line) {
  std::istringstream stream(line);
  return {std::istream_iterator<std::string>(stream), {}};
}

// Lines without who says them: how many do in time for one line depends on how fast they start.
std::vector<std::string> said_in(const std::string& text) {
  std::vector<std::string> said;
  for (const std::string& line : split_lines(text))
    said.push_back(line.substr(line.find("] ") + 2));
  return said;
}

/// Three stand-ins.
class LaunchTable : public ::testing::Test {
 protected:
  void SetUp() override {
    std::ofstream file(folder_.path("peers.toml"));
    for (int i = 0; i < 3; ++i)
      file << "[[peer]]\nid = " << i << "\naddress = \"host-" << i << ":7700\"\n";
  }

  [[nodiscard]] Arguments command(const Arguments& options, const Arguments& peers) const {
    return Arguments{"launch",  "--peers",   folder_.path("peers.toml"),
                     "--local", "--program", GOSSAMER_LAUNCHED_PEER} +
           options + Arguments{"--", "train"} + peers;
  }

  [[nodiscard]] ProgramResult table(const Arguments& peers, const Arguments& options = {}) const {
    return run_program(command(Arguments{"--show", "table"} + options, peers));
  }

  [[nodiscard]] ProgramResult lines(const Arguments& peers, const Arguments& options = {}) const {
    return run_program(command(Arguments{"--show", "lines"} + options, peers));
  }

  TemporaryFolder folder_;
};

// What a peer tells, with its node in the place of NODE.
std::string told(const std::string& kind, int round, const std::string& rest) {
  return fmt::format(R"({{"event":"{}","node":NODE,"round":{},"seconds":0.5{}}})", kind, round,
                     rest);
}

std::string began_of_ten() {
  return told("began", 0, R"(,"nodes":3,"rounds":10,"from":0,"unix_time":1.5)");
}

// Objectives are 0.5, 1.5 and 2.5.
std::string measured_at(int round) {
  return told("measured", round,
              fmt::format(R"(,"figures":{{"round":{},"own_objective":NODE.5,)"
                          R"("bytes_sent_per_node":1NODE0,"payload_bytes_per_node":1,)"
                          R"("seconds":NODE.25,"seconds_compute":0,"seconds_encode":0,)"
                          R"("seconds_wait":0,"seconds_decode":0,"seconds_mix":0}},)"
                          R"("farthest_node":0,"watched":1,"seconds_other":0,)"
                          R"("cpu_seconds_compute":0,"cpu_seconds_total":0)",
                          round));
}

TEST_F(LaunchTable, HasARowForEachRoundWithTheMeanOverPeers) {
  const ProgramResult result = table({"says", began_of_ten(), measured_at(4), measured_at(10),
                                      told("ended", 10, R"(,"outcome":"finished")")});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
  const std::vector<std::string> printed = split_lines(result.out);
  ASSERT_EQ(printed.size(), 7u) << result.out;
  EXPECT_EQ(printed[1], "The mean over peers, each with its own model:");
  EXPECT_THAT(words_in(printed[2]),
              ElementsAre("round", "objective", "sent/node", "seconds", "peers"));
  EXPECT_THAT(words_in(printed[3]), ElementsAre("4", "1.5", "110", "B", "2.25", "3"));
  EXPECT_THAT(words_in(printed[4]), ElementsAre("10", "1.5", "110", "B", "2.25", "3"));
  EXPECT_THAT(printed[6], ContainsRegex("^all 3 peers finished 10 rounds in "));
}

// The control: without it there is a line for each.
TEST_F(LaunchTable, TellsOnceWhatAllSay) {
  const Arguments peers = {"says", "a line", "of NODE"};
  EXPECT_THAT(said_in(table(peers).out), UnorderedElementsAre("a line", "of 0", "of 1", "of 2"));
  EXPECT_THAT(split_lines(lines(peers).out),
              UnorderedElementsAre("[0] a line", "[1] a line", "[2] a line", "[0] of 0", "[1] of 1",
                                   "[2] of 2"));
}

TEST_F(LaunchTable, TellsOnceWhatSeveralSeeWhateverReasonTheyGive) {
  const ProgramResult result =
      table({"says", told("peer-lost", 3, R"(,"peer":7,"reason":"because of NODE")"),
             told("peer-lost", 3, R"(,"peer":8,"reason":"because of NODE")")});
  EXPECT_THAT(said_in(result.err),
              ElementsAre(ContainsRegex("^node 7 is lost: because of [012]$"),
                          ContainsRegex("^node 8 is lost: because of [012]$")));
}

TEST_F(LaunchTable, ShowsWhatIsNoEventAsItIs) {
  const std::string cut = R"({"event":"round","node":0)";
  const std::string wrong = R"({"event":"round","node":NODE,"round":"three","seconds":1})";
  const std::string of_another =
      R"({"event":"round","node":7,"round":3,"seconds":1,"bytes_sent":1})";
  const std::string deep = R"({"event":)" + std::string(50'000, '[');
  const ProgramResult result = table({"says", cut, wrong, of_another, deep});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(said_in(result.out),
              UnorderedElementsAre(cut, R"({"event":"round","node":0,"round":"three","seconds":1})",
                                   R"({"event":"round","node":1,"round":"three","seconds":1})",
                                   R"({"event":"round","node":2,"round":"three","seconds":1})",
                                   of_another, deep));
}

TEST_F(LaunchTable, SaysWhyPeersFailedOnceForAllAndForEachIfTheyDiffer) {
  const std::string ended = told("ended", 3, R"(,"outcome":"lost")");
  const auto failed = [](const std::string& sentence) {
    return told(
        "failed", 3,
        fmt::format(R"(,"kind":"lost","quantity":"q","sentence":"{}","remedy":"r")", sentence));
  };
  EXPECT_THAT(table({"says", failed("it broke"), ended}).err,
              EndsWith("gossamer: all 3 peers: it broke; r\n"));
  EXPECT_THAT(table({"says", failed("NODE broke"), ended}).err,
              EndsWith("gossamer: node 0: 0 broke; r\n"
                       "gossamer: node 1: 1 broke; r\n"
                       "gossamer: node 2: 2 broke; r\n"));
}

TEST_F(LaunchTable, NamesThoseThatEndedAlikeOnOneLine) {
  const ProgramResult result = table({"ends", "3", "kill", "3"});
  EXPECT_EQ(result.exit_code, 137);
  EXPECT_THAT(split_lines(result.err),
              ElementsAre("gossamer: nodes 0,2 ended with exit code 3",
                          "gossamer: node 1 was ended by signal 9 (Killed)"));
}

TEST_F(LaunchTable, KeepsTheLinesOfAllInALog) {
  const std::string log = folder_.path("kept.log");
  const Arguments peers = {"says", "a line of NODE", began_of_ten(),
                           told("round", 2, R"(,"bytes_sent":5)")};
  EXPECT_EQ(lines(peers, {"--log", log}).exit_code, 0);
  const std::vector<std::string> of_lines = split_lines(file_text(log));
  EXPECT_EQ(of_lines.size(), 9u);
  for (int node = 0; node < 3; ++node)
    EXPECT_THAT(of_lines, Contains(fmt::format("[{0}] a line of {0}", node)));
  EXPECT_EQ(table(peers, {"--log", log}).exit_code, 0);
  const std::vector<std::string> of_both = split_lines(file_text(log));
  // Rounds are what a peer by itself prints no line for.
  EXPECT_EQ(of_both.size(), 9u + 6u) << "goes on behind what it has";
  for (int node = 0; node < 3; ++node) {
    EXPECT_EQ(std::ranges::count(of_both, fmt::format("[{0}] a line of {0}", node)), 2);
    EXPECT_THAT(of_both,
                Contains(ContainsRegex(fmt::format(
                    "^\\[{0}\\] ..:..:.. node {0} of 3 begins with round 0 of 10$", node))));
  }
}

TEST_F(LaunchTable, StartsNobodyWithoutItsLog) {
  const std::string path = folder_.path("none/kept.log");
  for (const char* const show : {"table", "lines"}) {
    const std::string sentence =
        refusal_of(command({"--show", show, "--log", path}, {"says", "started"}));
    EXPECT_THAT(sentence, HasSubstr(fmt::format("cannot write the log '{}': No such file", path)));
  }
}

TEST_F(LaunchTable, SaysWhenTheLogIsNotComplete) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no file that is always full";
  const ProgramResult result = lines({"says", "a line"}, {"--log", "/dev/full"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(split_lines(result.out).size(), 3u);
  EXPECT_EQ(result.err, "gossamer: cannot write the log '/dev/full': No space left on device\n");
}

// A terminal that is gone takes nothing any more, and the run goes on.
TEST_F(LaunchTable, IsNoReasonToEndARunWhenNobodyTakesIt) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no file that is always full";
  const std::string log = folder_.path("kept.log");
  const Arguments peers = {"says",
                           "a line",
                           "of NODE",
                           began_of_ten(),
                           measured_at(4),
                           told("warned", 4, R"(,"text":"something is wrong")"),
                           told("ended", 10, R"(,"outcome":"finished")")};
  const ProgramResult result = run_command(
      Arguments{"/bin/sh", "-c", "exec \"$@\" >/dev/full 2>&1", "sh", GOSSAMER_PROGRAM} +
      command({"--show", "table", "--log", log}, peers));
  EXPECT_EQ(result.exit_code, 0);
  for (int node = 0; node < 3; ++node)
    EXPECT_THAT(file_text(log),
                HasSubstr(fmt::format("node {} has ended after 10 rounds: finished", node)));
}

TEST_F(LaunchTable, IsRefusedWhereThereIsNone) {
  EXPECT_THAT(refusal_of(command({"--show", "tabel"}, {})), HasSubstr("did you mean 'table'?"));
  EXPECT_THAT(refusal_of(command({"--show", "table"}, {"says", "--json"})),
              HasSubstr("there is no table with --json"));
  EXPECT_THAT(refusal_of({"launch", "--peers", folder_.path("peers.toml"), "--local", "--show",
                          "table", "--", "doctor"}),
              HasSubstr("there is no table with doctor"));
}

// All that a program prints to a terminal of this width, and what it reads there.
std::string on_a_terminal(Arguments words, unsigned short columns) {
  words.insert(words.begin(), GOSSAMER_PROGRAM);
  std::vector<char*> arguments;
  for (std::string& word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  winsize size{24, columns, 0, 0};
  int terminal = -1;
  const pid_t process = ::forkpty(&terminal, nullptr, nullptr, &size);
  if (process == 0) {
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
  }
  std::string printed;
  std::array<char, 4096> buffer{};
  for (ssize_t count = 0; (count = ::read(terminal, buffer.data(), buffer.size())) > 0;)
    printed.append(buffer.data(), static_cast<std::size_t>(count));
  ::close(terminal);
  EXPECT_EQ(program_detail::wait_for(process), 0);
  return printed;
}

TEST_F(LaunchTable, IsWhatATerminalGetsAsWideAsItIs) {
  const Arguments peers = {"says", began_of_ten(), measured_at(4),
                           told("ended", 10, R"(,"outcome":"finished")")};
  const std::string wide = on_a_terminal(command({}, peers), 100);
  EXPECT_THAT(wide, HasSubstr("] waiting for nodes 0-2 to begin"));
  EXPECT_THAT(wide, HasSubstr("objective  sent/node   seconds  peers\r\n"));
  const std::string narrow = on_a_terminal(command({}, peers), 40);
  EXPECT_THAT(narrow, HasSubstr("    round    objective  sent/node  peers\r\n"));
  // Numbers that no run has.
  const Arguments odd = {"says",
                         told("began", 0, R"(,"nodes":3,"rounds":0,"from":9,"unix_time":0)"),
                         told("round", 4, R"(,"bytes_sent":5)"), measured_at(4)};
  EXPECT_THAT(on_a_terminal(command({}, odd), 60), ContainsRegex("round [49]/0"));
  EXPECT_THAT(on_a_terminal(command({}, odd), 1), Not(ContainsRegex("round [49]/0")));
  const std::string as_lines = on_a_terminal(command({"--show", "lines"}, peers), 100);
  EXPECT_THAT(as_lines, Not(HasSubstr("sent/node ")));
}

}  // namespace
}  // namespace gossamer::testing
