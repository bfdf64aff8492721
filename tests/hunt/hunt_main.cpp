// gossamer_hunt FIRST LAST [ALGORITHM COMPRESSOR]: hunts with these seeds, and prints those that
// fail.
#include <cstdio>
#include <cstdlib>
#include <string>

#include <fmt/format.h>

#include "gossamer/events/sentence.hpp"
#include "gossamer/hunt/random_faults.hpp"

int main(int argc, char** argv) {
  using namespace gossamer;
  const std::uint64_t first = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 0;
  const std::uint64_t last = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : first;
  const std::string algorithm = argc > 3 ? argv[3] : "choco";
  const std::string compressor = argc > 4 ? argv[4] : "sign";
  std::uint64_t failed = 0;
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    const Hunt hunt = random_hunt(seed, algorithm, compressor);
    const Result<HuntReport> report = run_hunt(hunt);
    if (!report) {
      fmt::print("seed {}: {}\n", seed, report.error().message);
      return 2;
    }
    if (report.value().violations.empty()) continue;
    ++failed;
    fmt::print("seed {} ({} of {}, {} faults):\n", seed, hunt.topology, hunt.nodes,
               hunt.faults.size());
    for (const std::string& sentence : report.value().violations)
      fmt::print("  {}\n", sentence);
    std::fflush(stdout);
    if (first != last) continue;
    fmt::print("{}", text_of(hunt.faults));
    for (const Event& event : report.value().story)
      fmt::print("{:9.3f} s node {} round {}: {}\n", seconds(event.time.time_since_epoch()),
                 event.node, event.round, sentence_of(event));
  }
  fmt::print("{} of {} failed\n", failed, last - first + 1);
  return failed == 0 ? 0 : 1;
}
