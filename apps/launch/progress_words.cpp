#include "apps/launch/progress_words.hpp"

#include <algorithm>

#include "apps/console/human.hpp"
#include <fmt/format.h>

namespace gossamer::cli {
namespace {

std::string rate_of(double rounds_per_second) {
  return rounds_per_second >= 100 ? fmt::format("{:.0f} rounds/s", rounds_per_second)
                                  : fmt::format("{:.3g} rounds/s", rounds_per_second);
}

// Who is done has not gone missing.
NodeId present_in(const Standings& standings) {
  NodeId count = 0;
  for (NodeId node = 0; node < standings.size(); ++node) {
    const bool is_present =
        standings.active().contains(node) || standings.of(node).outcome == "finished";
    count += is_present ? 1 : 0;
  }
  return count;
}

}  // namespace

std::vector<std::string> progress_words(const Standings& standings, const Standing& slowest,
                                        double spent) {
  const Round rounds = slowest.began->rounds;
  std::vector<std::string> words = {fmt::format("round {}/{}", slowest.round, rounds)};
  const auto done =
      static_cast<double>(slowest.round - std::min(slowest.round, slowest.began->from));
  if (done > 0 && spent > 0) {
    const auto left = static_cast<double>(rounds - std::min(slowest.round, rounds));
    words.push_back(fmt::format("{} left", human_time(spent / done * left)));
    words.push_back(rate_of(done / spent));
  }
  if (const NodeId present = present_in(standings); present < standings.size())
    words.push_back(fmt::format("{} of {} peers", present, standings.size()));
  double loss = 0.0;
  std::size_t count = 0;
  for (const NodeId node : standings.active()) {
    const Standing& peer = standings.of(node);
    loss += peer.loss.value_or(0.0);
    count += peer.loss ? 1 : 0;
  }
  if (count > 0) words.push_back(fmt::format("loss {:.3f}", loss / static_cast<double>(count)));
  words.push_back(fmt::format("{}/node", human_bytes(static_cast<double>(slowest.bytes_sent))));
  return words;
}

}  // namespace gossamer::cli
