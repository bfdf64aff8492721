#include "apps/launch/summary.hpp"

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "apps/console/human.hpp"
#include "apps/console/print_text.hpp"
#include "apps/launch/node_list.hpp"
#include <fmt/format.h>

namespace gossamer::cli {
namespace {

/// Who says what, in the order of the first who does.
class Groups {
 public:
  void add(NodeId node, const std::string& text) {
    for (auto& [said, nodes] : groups_) {
      if (said == text) {
        nodes.insert(node);
        return;
      }
    }
    groups_.push_back({text, {node}});
  }

  [[nodiscard]] bool empty() const { return groups_.empty(); }

  [[nodiscard]] auto begin() const { return groups_.begin(); }

  [[nodiscard]] auto end() const { return groups_.end(); }

 private:
  std::vector<std::pair<std::string, std::set<NodeId>>> groups_;
};

}  // namespace

void print_summary(const Standings& standings, double seconds) {
  Groups ended;
  Groups failed;
  for (NodeId node = 0; node < standings.size(); ++node) {
    const Standing& peer = standings.of(node);
    if (peer.outcome == "finished")
      ended.add(node, fmt::format("finished {} rounds", peer.round));
    else if (peer.outcome == "stopped")
      ended.add(node, peer.began ? fmt::format("stopped after {} rounds", peer.round)
                                 : "stopped before the first round");
    else if (!peer.failure.empty())
      failed.add(node, peer.failure);
  }
  const auto who = [&](const std::set<NodeId>& nodes) {
    return nodes.size() > 1 && nodes.size() == standings.size()
               ? fmt::format("all {} peers", nodes.size())
               : named_nodes(nodes);
  };
  if (!ended.empty()) print_text(stdout, "\n");
  for (const auto& [what, nodes] : ended)
    print_text(stdout, fmt::format("{} {} in {}\n", who(nodes), what, human_time(seconds)));
  for (const auto& [sentence, nodes] : failed)
    print_text(stderr, fmt::format("gossamer: {}: {}\n", who(nodes), sentence));
}

}  // namespace gossamer::cli
