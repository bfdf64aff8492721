#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gossamer::testing {

/// One call of the program, as a page has it: `gossamer keys init keys --nodes 3`.
struct CommandLine {
  std::vector<std::string> words;    // behind the program's name, up to the first option
  std::vector<std::string> options;  // names: `--nodes`
};

/// The calls of `gossamer` or `scripts/run` in a line of a shell. What `gossamer launch` starts,
/// behind its `--`, is a call too.
[[nodiscard]] std::vector<CommandLine> command_lines(std::string_view line);

}  // namespace gossamer::testing
