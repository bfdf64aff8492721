#pragma once

#include <iterator>
#include <set>
#include <string>

#include <fmt/format.h>

#include "gossamer/base/ids.hpp"

namespace gossamer::cli {

/// "0-2,5"
[[nodiscard]] inline std::string node_list(const std::set<NodeId>& nodes) {
  std::string list;
  for (auto first = nodes.begin(); first != nodes.end();) {
    auto last = first;
    for (auto next = std::next(last); next != nodes.end() && *next == *last + 1; ++next)
      last = next;
    if (!list.empty()) list += ",";
    list += *first == *last ? fmt::format("{}", *first) : fmt::format("{}-{}", *first, *last);
    first = std::next(last);
  }
  return list;
}

/// "node 3" or "nodes 0-2,5"
[[nodiscard]] inline std::string named_nodes(const std::set<NodeId>& nodes) {
  return fmt::format("{} {}", nodes.size() == 1 ? "node" : "nodes", node_list(nodes));
}

}  // namespace gossamer::cli
