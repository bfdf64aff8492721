#include "gossamer/member/views/edge_news.hpp"

#include <algorithm>
#include <utility>

namespace gossamer {

void News::write(ByteWriter& out) const {
  out.write(static_cast<std::uint8_t>(is_running ? 1 : 0));
  out.write(static_cast<std::uint32_t>(edges.size()));
  for (const auto& [peer, name] : edges) {
    out.write(peer);
    out.write(name.peer);
    out.write(name.number);
  }
}

News News::read(ByteReader& in, Incarnation incarnation) {
  News news{.incarnation = incarnation, .is_running = in.read<std::uint8_t>() != 0, .edges = {}};
  for (auto left = in.read<std::uint32_t>(); left > 0; --left) {
    const auto peer = in.read<NodeId>();
    EdgeName& name = news.edges[peer];
    name.peer = in.read<Incarnation>();
    name.number = in.read<std::uint64_t>();
  }
  in.expect_end();
  return news;
}

void EdgeNews::note(NodeId node, News news, const Message& rumour) {
  std::vector<Word>& words = words_[node];
  std::erase_if(words, [&](const Word& word) { return word.news.incarnation == news.incarnation; });
  if (words.size() == kMostLives) words.erase(words.begin());
  words.push_back({std::move(news), rumour});
}

const News* EdgeNews::of(NodeId node, Incarnation incarnation) const {
  const auto words = words_.find(node);
  if (words == words_.end()) return nullptr;
  const auto found = std::ranges::find_if(
      words->second, [&](const Word& word) { return word.news.incarnation == incarnation; });
  return found == words->second.end() ? nullptr : &found->news;
}

bool EdgeNews::is_running(NodeId node, const View& view) const {
  const auto member = view.members.find(node);
  if (member == view.members.end()) return false;
  const News* const news = of(node, member->second);
  return news != nullptr && news->is_running;
}

bool EdgeNews::has_edge(NodePair pair, const View& view) const {
  const auto a = view.members.find(pair.a);
  const auto b = view.members.find(pair.b);
  if (a == view.members.end() || b == view.members.end()) return false;
  const News* const of_a = of(pair.a, a->second);
  const News* const of_b = of(pair.b, b->second);
  if (of_a == nullptr || of_b == nullptr) return false;
  const auto from_a = of_a->edges.find(pair.b);
  const auto from_b = of_b->edges.find(pair.a);
  if (from_a == of_a->edges.end() || from_b == of_b->edges.end()) return false;
  return from_a->second.peer == b->second && from_b->second.peer == a->second &&
         from_a->second.number == from_b->second.number;
}

Graph EdgeNews::edges(const View& view) const {
  Graph graph{.nodes = nodes_, .pairs = {}};
  for (const auto& [node, incarnation] : view.members) {
    const News* const news = of(node, incarnation);
    if (news == nullptr) continue;
    for (const auto& [peer, name] : news->edges) {
      if (node < peer && peer < nodes_ && has_edge({node, peer}, view))
        graph.pairs.push_back({node, peer});
    }
  }
  return graph;
}

std::vector<bool> EdgeNews::reachable_from(NodeId node, const View& view) const {
  const Graph graph = edges(view);
  std::vector<bool> reached(nodes_, false);
  reached[node] = true;
  for (bool grows = true; std::exchange(grows, false);) {
    for (const NodePair& pair : graph.pairs) {
      if (reached[pair.a] == reached[pair.b]) continue;
      reached[pair.a] = reached[pair.b] = true;
      grows = true;
    }
  }
  return reached;
}

std::vector<Message> EdgeNews::rumours(const View& view) const {
  std::vector<Message> rumours;
  for (const auto& [node, words] : words_) {
    for (const Word& word : words) {
      if (view.has(node, word.news.incarnation)) rumours.push_back(word.rumour);
    }
  }
  return rumours;
}

}  // namespace gossamer
