#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/docs/markdown.hpp"

namespace gossamer::testing {

/// A ```cpp block is one of these:
///  - a program, with `int main(`;
///  - what a function holds. Names that it needs and does not explain are declared in a note before
///    it, which readers do not see: `<!-- given: const std::size_t d = 10; -->`;
///  - an excerpt, by a note as well: `<!-- excerpt of examples/own_loop/main.cpp -->`.
///
/// The first two are compiled, with gossamer/gossamer.hpp included; an excerpt is looked for in its
/// file, which is compiled elsewhere.

/// The file that a block is an excerpt of, if it is one.
[[nodiscard]] std::optional<std::string> excerpted_file(const FencedBlock& block);

/// Whether the file has the block's code: the same lines in the same order, but for comments and
/// for spaces at both ends. `// ...` on a line of its own stands for lines that were left out.
[[nodiscard]] bool is_excerpt(std::string_view code, std::string_view file);

/// One source with all blocks that are no excerpts, each in a namespace of its own. A compiler's
/// errors name the page and its line.
[[nodiscard]] std::string source_of(const std::vector<FencedBlock>& blocks);

}  // namespace gossamer::testing
