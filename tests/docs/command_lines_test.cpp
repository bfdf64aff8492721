// Command lines on pages, held against the program: commands and options that it does not have.

#include "tests/docs/command_lines.hpp"

#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/docs/markdown.hpp"
#include "tests/e2e/program.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// What a command's help lists, by what it says of itself: `  -h,--help    Print ...`, `  train
// Trains ...`. Examples, which come last, are not part of it.
struct Listed {
  std::set<std::string> options;
  std::set<std::string> commands;
};

Listed listed_by(std::vector<std::string> command) {
  command.emplace_back("--help");
  std::istringstream help(run_program(command).out);
  Listed listed;
  bool lists_commands = false;
  for (std::string line; std::getline(help, line) && line != "Examples:";) {
    if (!line.starts_with(" ")) lists_commands = line == "Subcommands:";
    std::istringstream words(line);
    std::string first;
    words >> first;
    if (first.starts_with("-")) {
      std::istringstream names(first);
      for (std::string name; std::getline(names, name, ',');)
        listed.options.insert(name);
    } else if (lists_commands) {
      listed.commands.insert(first);
    }
  }
  return listed;
}

const Listed& listed(const std::vector<std::string>& command) {
  static std::map<std::vector<std::string>, Listed> known;
  const auto found = known.find(command);
  return found != known.end() ? found->second : known[command] = listed_by(command);
}

// As far as words name commands: `keys init` of `keys init keys`.
std::vector<std::string> command_of(const CommandLine& call) {
  std::vector<std::string> command;
  for (const std::string& word : call.words) {
    if (!listed(command).commands.contains(word)) break;
    command.push_back(word);
  }
  return command;
}

TEST(Docs, NameCommandsAndOptionsThatThereAre) {
  int options = 0;
  for (const std::string& page : pages()) {
    for (const ShellLine& line : shell_lines(page, repository_text(page))) {
      for (const CommandLine& call : command_lines(line.text)) {
        SCOPED_TRACE(page + ":" + std::to_string(line.line) + ": " + line.text);
        const std::vector<std::string> command = command_of(call);
        EXPECT_EQ(command.empty(), call.words.empty());
        for (const std::string& option : call.options)
          EXPECT_THAT(listed(command).options, Contains(option));
        options += static_cast<int>(call.options.size());
      }
    }
  }
  EXPECT_GT(options, 50);
}

TEST(CommandLines, AreWordsAndOptions) {
  const auto calls =
      command_lines("mpirun -n 8 gossamer keys init keys --nodes 3 --set=x # --what");
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_THAT(calls[0].words, ElementsAre("keys", "init", "keys"));
  EXPECT_THAT(calls[0].options, ElementsAre("--nodes", "--set"));
}

TEST(CommandLines, HaveWhatTheyStartInThem) {
  const auto calls =
      command_lines("gossamer launch --peers p.toml -- train --rounds 2 > out --not");
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_THAT(calls[0].options, ElementsAre("--peers"));
  EXPECT_THAT(calls[1].words, ElementsAre("train"));
  EXPECT_THAT(calls[1].options, ElementsAre("--rounds"));
}

TEST(CommandLines, AreTheProgramsOwn) {
  EXPECT_THAT(command_lines("cmake --install build && ls --all"), IsEmpty());
}

TEST(CommandLines, AreFoundInBlocksAndInText) {
  std::vector<std::string> found;
  for (const ShellLine& line :
       shell_lines("a.md",
                   "Say `gossamer\nlist` so.\n\n    gossamer a \\\n        --b\n\n```sh\ngossamer "
                   "c\n```\n```toml\ngossamer d\n```\n"))
    found.push_back(line.text);
  EXPECT_THAT(found, ElementsAre("    gossamer a         --b", "gossamer c", "gossamer list"));
}

}  // namespace
}  // namespace gossamer::testing
