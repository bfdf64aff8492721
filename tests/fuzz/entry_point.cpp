// libFuzzer's way in: `gossamer_fuzz --target=NAME [options and folders of libFuzzer]`. One program
// for all targets, because linking it takes longer than most of its files.

#include <cstdlib>
#include <string_view>

#include "tests/fuzz/fuzz_targets.hpp"
#include <fmt/format.h>

namespace {

void (*chosen)(gossamer::ByteView) = nullptr;

void choose(std::string_view name) {
  for (const gossamer::testing::FuzzTarget& target : gossamer::testing::fuzz_targets()) {
    if (target.name == name) chosen = target.run;
  }
}

}  // namespace

// libFuzzer passes over arguments that begin with two dashes.
extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  constexpr std::string_view kOption = "--target=";
  for (int i = 1; i < *argc; ++i) {
    const std::string_view argument((*argv)[i]);
    if (argument.starts_with(kOption)) choose(argument.substr(kOption.size()));
  }
  if (chosen != nullptr) return 0;
  fmt::print(stderr, "usage: gossamer_fuzz --target=NAME ...; the names are");
  for (const gossamer::testing::FuzzTarget& target : gossamer::testing::fuzz_targets())
    fmt::print(stderr, " {}", target.name);
  fmt::print(stderr, "\n");
  std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  chosen({data, size});
  return 0;
}
