// All peers started at once, here or by a stand-in for ssh: their lines, their ends, their signals.

#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <poll.h>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

#include "apps/console/whole_lines.hpp"
#include "apps/processes/shell_quote.hpp"
#include "tests/e2e/program.hpp"
#include "tests/support/temporary_folder.hpp"
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::ProgramResult;
using testing::ProgramWatcher;
using testing::run_program;

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

// The lines that a node printed, without what they begin with.
std::vector<std::string> lines_of_node(const std::string& text, int node) {
  const std::string prefix = fmt::format("[{}] ", node);
  std::vector<std::string> lines;
  for (const std::string& line : lines_of(text)) {
    if (line.starts_with(prefix)) lines.push_back(line.substr(prefix.size()));
  }
  return lines;
}

std::string bracketed(const std::string& word) {
  return fmt::format("<{}>", word);
}

enum class Where { kHere, kOverSsh };

/// A cluster of stand-ins, started here or as if elsewhere.
class Launch : public ::testing::TestWithParam<Where> {
 protected:
  void SetUp() override {
    write_peers(3);
    // As sshd does it: the words that follow the host, joined, for a shell. A process of its own,
    // as the program at the far end is.
    std::ofstream(folder_.path("ssh")) << "#!/bin/sh\n"
                                          "echo \"$1 $2 $3 $4 $5\" >>\"$0.log\"\n"
                                          "shift 5\n"
                                          "sh -c \"$*\"\n"
                                          "exit $?\n";
    std::filesystem::permissions(folder_.path("ssh"), std::filesystem::perms::owner_all);
  }

  void write_peers(int count) {
    std::ofstream file(folder_.path("peers.toml"));
    for (int i = 0; i < count; ++i)
      file << "[[peer]]\nid = " << i << "\naddress = \"host-" << i << ":7700\"\n";
  }

  [[nodiscard]] std::vector<std::string> command(std::vector<std::string> rest) const {
    std::vector<std::string> words = {"launch", "--peers", folder_.path("peers.toml")};
    if (GetParam() == Where::kHere) words.emplace_back("--local");
    if (GetParam() == Where::kOverSsh) words.insert(words.end(), {"--ssh", folder_.path("ssh")});
    words.insert(words.end(), {"--program", GOSSAMER_LAUNCHED_PEER});
    words.insert(words.end(), rest.begin(), rest.end());
    return words;
  }

  [[nodiscard]] ProgramResult launch(std::vector<std::string> rest,
                                     const ProgramWatcher& watcher = {}) const {
    return run_program(command(std::move(rest)), watcher);
  }

  testing::TemporaryFolder folder_;
};

INSTANTIATE_TEST_SUITE_P(Peers, Launch, ::testing::Values(Where::kHere, Where::kOverSsh),
                         [](const auto& where) {
                           return where.param == Where::kHere ? "Here" : "OverSsh";
                         });

TEST_P(Launch, GivesEachPeerItsNodeAndTheArgumentsAsTheyAre) {
  const std::vector<std::string> odd = {"two words", "it's", "\"quoted\"",  "$HOME `id`",
                                        "[1,2]",     "",     "back\\slash", "--",
                                        "--rounds",  "-3",   "a;b&c|d>e",   "*"};
  std::vector<std::string> words = {"--", "train", "arguments"};
  words.insert(words.end(), odd.begin(), odd.end());
  const ProgramResult result = launch(words);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (int node = 0; node < 3; ++node) {
    std::vector<std::string> expected = {"<train>",    "<--network>",
                                         "<tls>",      "<--says-when-begun>",
                                         "<--peers>",  bracketed(folder_.path("peers.toml")),
                                         "<--node>",   bracketed(std::to_string(node)),
                                         "<arguments>"};
    for (const std::string& word : odd)
      expected.push_back(bracketed(word));
    EXPECT_EQ(lines_of_node(result.out, node), expected);
    EXPECT_THAT(lines_of_node(result.err, node),
                ElementsAre(fmt::format("an error of node {}", node)));
  }
  EXPECT_EQ(lines_of(result.out).size(), 3 * (9 + odd.size()));
}

TEST_P(Launch, GivesOtherCommandsNoNetwork) {
  write_peers(1);
  const ProgramResult result = launch({"--", "doctor", "arguments"});
  EXPECT_THAT(lines_of_node(result.out, 0),
              ElementsAre("<doctor>", "<--peers>", bracketed(folder_.path("peers.toml")),
                          "<--node>", "<0>", "<arguments>"));
}

TEST_P(Launch, NeverMixesLines) {
  const ProgramResult result = launch({"--", "train", "pieces"});
  EXPECT_EQ(result.exit_code, 0);
  for (int node = 0; node < 3; ++node) {
    const std::string of_node = fmt::format(" of node {}", node);
    const std::vector<std::string> lines = lines_of_node(result.out, node);
    EXPECT_EQ(std::ranges::count(lines, fmt::format("a line{}, whole", of_node)), 300);
    EXPECT_EQ(std::ranges::count(lines, fmt::format("a second line{}", of_node)), 150);
    EXPECT_EQ(lines.back(), fmt::format("the end{}", of_node))
        << "a last line without an end gets one";
  }
  EXPECT_EQ(lines_of(result.out).size(), 3 * 451u);
}

TEST_P(Launch, MakesOneTableOfThemWhereverTheyRun) {
  const ProgramResult result =
      launch({"--show", "table", "--", "train", "says", "a line", "of NODE"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const std::vector<std::string> lines = lines_of(result.out);
  EXPECT_THAT(lines, ::testing::IsSupersetOf({"[0] of 0", "[1] of 1", "[2] of 2"}));
  EXPECT_EQ(lines.size(), 4u) << "what all say is told once";
}

TEST_P(Launch, ReturnsTheWorstCodeAndNamesThoseThatFailed) {
  const ProgramResult result = launch({"--", "train", "ends", "0", "3", "2"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(lines_of(result.err), ElementsAre("gossamer: node 1 ended with exit code 3",
                                                "gossamer: node 2 ended with exit code 2"));
}

TEST_P(Launch, NamesAPeerThatWasKilledWhileTheOthersFinish) {
  const ProgramResult result = launch({"--", "train", "ends", "0", "kill", "0"});
  EXPECT_EQ(result.exit_code, 137);
  const std::string here = "gossamer: node 1 was ended by signal 9 (Killed)";
  const std::string elsewhere = "gossamer: node 1 ended with exit code 137";
  EXPECT_EQ(lines_of(result.err).back(), GetParam() == Where::kHere ? here : elsewhere);
}

TEST_P(Launch, EndsAllIfOneFailsBeforeTheFirstRound) {
  for (const char* const show : {"lines", "table"}) {
    const ProgramResult result =
        launch({"--show", show, "--kill-after", "1h", "--", "train", "fails", "wait", "7", "wait"});
    EXPECT_EQ(result.exit_code, 7);
    EXPECT_EQ(lines_of(result.err).back(),
              "gossamer: before the first round node 1 ended with exit code 7: node 1 has no key; "
              "the others were ended");
    EXPECT_THAT(result.err, Not(HasSubstr("exit code 130")))
        << "the others did what they were told";
  }
}

// The control: what has begun goes on.
TEST_P(Launch, EndsNobodyIfOneFailsLater) {
  const ProgramResult result = launch({"--", "train", "ends", "7", "0", "0"});
  EXPECT_EQ(result.exit_code, 7);
  EXPECT_THAT(lines_of(result.err), ElementsAre("gossamer: node 0 ended with exit code 7"));
  EXPECT_THAT(result.out, Not(HasSubstr("launched"))) << "what is for launch is not shown";
}

// Sends launch a signal whenever all nodes have printed the next of these words.
ProgramWatcher signal_after(std::vector<std::string> words, int signal, int nodes) {
  return
      [words, signal, nodes, next = std::size_t{0}](const std::string& out, pid_t program) mutable {
        if (next >= words.size()) return;
        const auto lines = lines_of(out);
        const auto count = std::ranges::count_if(lines, [&](const std::string& line) {
          return line.ends_with(fmt::format("] {}", words[next]));
        });
        if (count < nodes) return;
        ++next;
        ::kill(program, signal);
      };
}

TEST_P(Launch, InterruptsEachPeerOnce) {
  const ProgramResult result =
      launch({"--", "train", "signals", "1"}, signal_after({"ready"}, SIGINT, 3));
  EXPECT_EQ(result.exit_code, 130);
  for (int node = 0; node < 3; ++node)
    EXPECT_THAT(lines_of_node(result.out, node), ElementsAre("ready", "INT"));
}

TEST_P(Launch, TerminatesPeersAtTheSecondInterruption) {
  const ProgramResult result = launch({"--kill-after", "1h", "--", "train", "signals", "2"},
                                      signal_after({"ready", "INT"}, SIGINT, 3));
  EXPECT_EQ(result.exit_code, 130);
  for (int node = 0; node < 3; ++node)
    EXPECT_THAT(lines_of_node(result.out, node), ElementsAre("ready", "INT", "TERM"));
}

TEST_P(Launch, PassesATerminationOn) {
  const ProgramResult result =
      launch({"--", "train", "signals", "1"}, signal_after({"ready"}, SIGTERM, 3));
  for (int node = 0; node < 3; ++node)
    EXPECT_THAT(lines_of_node(result.out, node), ElementsAre("ready", "TERM"));
}

TEST_P(Launch, KillsPeersThatDoNotEndAtTheThird) {
  const ProgramResult result = launch({"--kill-after", "1h", "--", "train", "signals", "99"},
                                      signal_after({"ready", "INT", "TERM"}, SIGINT, 3));
  EXPECT_EQ(result.exit_code, 137);
}

TEST_P(Launch, KillsPeersThatDoNotEndInTime) {
  const ProgramResult result = launch({"--kill-after", "1ms", "--", "train", "signals", "99"},
                                      signal_after({"ready", "INT"}, SIGINT, 3));
  EXPECT_EQ(result.exit_code, 137);
}

TEST_P(Launch, TakesItsPeersWithIt) {
  // A pipe that the peers inherit: at its end when all of them are gone.
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  const ProgramResult result = launch({"--", "train", "report", std::to_string(ends[1])},
                                      signal_after({"ready"}, SIGKILL, 3));
  ::close(ends[1]);
  EXPECT_EQ(result.exit_code, 128 + SIGKILL);
  std::string reported;
  for (std::array<char, 64> buffer{};;) {
    pollfd wait{ends[0], POLLIN, 0};
    ASSERT_EQ(::poll(&wait, 1, 60'000), 1) << "peers live on";
    const ssize_t count = ::read(ends[0], buffer.data(), buffer.size());
    if (count <= 0) break;
    reported.append(buffer.data(), static_cast<std::size_t>(count));
  }
  ::close(ends[0]);
  EXPECT_EQ(reported, "TERM\nTERM\nTERM\n");
}

TEST_P(Launch, RefusesWhatItCannotStart) {
  struct Case {
    std::vector<std::string> words;
    const char* sentence;
  };

  for (const Case& c : {
           Case{{}, "launch needs a command behind --"},
           Case{{"--"}, "launch needs a command behind --"},
           Case{{"train"}, "launch needs a command behind --"},
           Case{{"train", "--rounds", "3"}, "stands behind --"},
           Case{{"--lcal", "--", "train"}, "launch has no option '--lcal'"},
           Case{{"--", "trian"}, "did you mean 'train'?"},
           Case{{"--", "train", "--node", "3"}, "--node is given to each peer by launch itself"},
           Case{{"--", "train", "--network=sim"}, "--network is given to each peer by launch"},
           Case{{"--kill-after", "soon", "--", "train"}, "--kill-after: "},
       }) {
    const ProgramResult result = launch(c.words);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(lines_of(result.err), ElementsAre(HasSubstr(c.sentence)));
  }
}

class LaunchOverSsh : public Launch {};

INSTANTIATE_TEST_SUITE_P(Peers, LaunchOverSsh, ::testing::Values(Where::kOverSsh));

TEST_P(LaunchOverSsh, AsksForEachHostWithoutATerminalOrAPassword) {
  std::ofstream(folder_.path("peers.toml"), std::ios::app)
      << "[[peer]]\nid = 3\naddress = \"host-3:7700\"\nssh = \"user@gate\"\n";
  EXPECT_EQ(launch({"--", "train", "arguments"}).exit_code, 0);
  std::ifstream log(folder_.path("ssh.log"));
  std::vector<std::string> calls = lines_of({std::istreambuf_iterator<char>(log), {}});
  std::ranges::sort(calls);
  EXPECT_THAT(calls,
              ElementsAre("-T -o BatchMode=yes -- host-0", "-T -o BatchMode=yes -- host-1",
                          "-T -o BatchMode=yes -- host-2", "-T -o BatchMode=yes -- user@gate"));
}

TEST_P(LaunchOverSsh, SaysWhereAProgramIsMissingAndWhereSshFailed) {
  write_peers(1);
  const std::string peers = folder_.path("peers.toml");
  const ProgramResult missing =
      run_program({"launch", "--peers", peers, "--ssh", folder_.path("ssh"), "--program",
                   "/no/gossamer", "--", "train"});
  EXPECT_EQ(missing.exit_code, 127);
  EXPECT_THAT(missing.err, HasSubstr("'host-0' has no such program"));
  const ProgramResult failed = launch({"--", "train", "ends", "255"});
  EXPECT_EQ(failed.exit_code, 255);
  EXPECT_THAT(failed.err, HasSubstr("ssh to 'host-0' failed or was cut"));
  const ProgramResult none =
      run_program({"launch", "--peers", peers, "--ssh", folder_.path("no-ssh"), "--", "train"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr(fmt::format("cannot start '{}'", folder_.path("no-ssh"))));
}

TEST(WholeLines, WaitForTheEndOfALine) {
  cli::WholeLines lines;
  EXPECT_EQ(lines.take("one\ntw"), "one\n");
  EXPECT_EQ(lines.take("o"), "");
  EXPECT_EQ(lines.take("\n\nthree\n"), "two\n\nthree\n");
  EXPECT_EQ(lines.finish(), "");
  EXPECT_EQ(lines.take("four"), "");
  EXPECT_EQ(lines.finish(), "four\n");
}

TEST(WholeLines, CutALineThatDoesNotEnd) {
  cli::WholeLines lines;
  std::size_t kept = 0;
  for (const std::string piece(1 << 16, 'x'); kept <= (1u << 20); kept += piece.size()) {
    if (const std::string cut = lines.take(piece); !cut.empty()) {
      EXPECT_EQ(cut, std::string(kept + piece.size(), 'x') + "\n");
      return;
    }
  }
  FAIL() << "kept " << kept << " bytes";
}

TEST(WholeLines, HaveAPrefixEach) {
  EXPECT_EQ(cli::prefixed("[7] ", "one\n\ntwo\n"), "[7] one\n[7] \n[7] two\n");
  EXPECT_EQ(cli::prefixed("[7] ", ""), "");
}

TEST(ShellQuote, MakesOneWord) {
  EXPECT_EQ(cli::shell_quote(""), "''");
  EXPECT_EQ(cli::shell_quote("a b"), "'a b'");
  EXPECT_EQ(cli::shell_quote("it's"), "'it'\\''s'");
}

}  // namespace
}  // namespace gossamer
