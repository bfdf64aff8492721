// write_snippets FILE: writes the C++ of all pages as one source, which gossamer_docs_test
// compiles.
#include <fstream>
#include <string>
#include <vector>

#include "tests/docs/cpp_snippets.hpp"
#include "tests/docs/markdown.hpp"

int main(int argc, char** argv) {
  using namespace gossamer::testing;
  if (argc != 2) return 2;
  std::vector<FencedBlock> snippets;
  for (const std::string& page : pages()) {
    for (const FencedBlock& block : fenced_blocks(page, repository_text(page))) {
      if (block.language == "cpp") snippets.push_back(block);
    }
  }
  std::ofstream file(argv[1], std::ios::binary);
  file << source_of(snippets);
  return file.flush() ? 0 : 1;
}
