#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "gossamer/base/message.hpp"
#include "gossamer/member/views/view.hpp"
#include "gossamer/topology/graph.hpp"

namespace gossamer {

/// The other end of an edge, and the edge's number: it grows each time that both make it anew.
struct EdgeName {
  Incarnation peer = 0;
  std::uint64_t number = 0;

  bool operator==(const EdgeName&) const = default;
};

/// What a node says of itself: whether it is running, and which edges it has.
struct News {
  Incarnation incarnation = 0;
  bool is_running = false;
  std::map<NodeId, EdgeName> edges;

  void write(ByteWriter& out) const;
  /// Throws CorruptMessage.
  [[nodiscard]] static News read(ByteReader& in, Incarnation incarnation);

  bool operator==(const News&) const = default;
};

/// The newest word of each node on its edges. An edge is there when both of its ends say so: who
/// has given one up needs nobody's consent, and nobody is told of an edge by somebody else.
class EdgeNews {
 public:
  explicit EdgeNews(NodeId nodes) : nodes_(nodes) {}

  /// With the rumour that it came by, for those who come later.
  void note(NodeId node, News news, const Message& rumour);

  /// Null if this life of the node has said nothing.
  [[nodiscard]] const News* of(NodeId node, Incarnation incarnation) const;

  [[nodiscard]] bool is_running(NodeId node, const View& view) const;

  /// Between members of the view.
  [[nodiscard]] bool has_edge(NodePair pair, const View& view) const;

  /// All edges between members of the view that are there.
  [[nodiscard]] Graph edges(const View& view) const;

  /// The members that can be reached from `node`, itself among them, by id.
  [[nodiscard]] std::vector<bool> reachable_from(NodeId node, const View& view) const;

  /// All that is known of members of the view, to tell one that was away.
  [[nodiscard]] std::vector<Message> rumours(const View& view) const;

 private:
  struct Word {
    News news;
    Message rumour;
  };

  // A node that starts again and again fills no memory.
  static constexpr std::size_t kMostLives = 4;

  NodeId nodes_;
  std::map<NodeId, std::vector<Word>> words_;  // of the last lives of each
};

}  // namespace gossamer
