#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/launch/line_log.hpp"
#include "apps/processes/child_listener.hpp"

#include "gossamer/base/ids.hpp"

namespace gossamer::cli {

/// Lines of a node, as all of them share an output: "[3] " before each.
[[nodiscard]] std::string with_node(NodeId node, std::string_view lines);

/// Passes on the lines of all peers, each with its node before it.
class LinesOfPeers final : public ChildListener {
 public:
  /// `nodes`: whose each child is. The log may be null.
  LinesOfPeers(std::vector<NodeId> nodes, LineLog* log) : nodes_(std::move(nodes)), log_(log) {}

  void take(std::size_t child, ChildStream stream, std::string_view lines) override;

 private:
  std::vector<NodeId> nodes_;
  LineLog* log_;
};

}  // namespace gossamer::cli
