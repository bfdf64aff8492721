// The part of Membership that looks at the clock: whom to doubt, and when to give up.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "gossamer/member/edges/membership.hpp"

namespace gossamer {

std::set<NodeId> Membership::doubted() const {
  std::set<NodeId> doubted;
  if (assembly_.status() != Assembly::Status::kRunning) return doubted;
  const View& view = assembly_.view();
  const bool all_is_well = std::ranges::all_of(own_, [&](const auto& entry) {
    return entry.second.end.is_live() || !view.has(entry.first);
  });
  if (all_is_well) return doubted;
  const Time now = network_.now();
  const std::vector<bool> reached = assembly_.news().reachable_from(network_.self(), view);
  for (const auto& [peer, edge] : own_) {
    if (!view.has(peer)) continue;
    const Duration open_for = now - edge.lost_at;
    const bool is_dead = edge.is_link_lost && (!reached[peer] || open_for >= setup_.deadline);
    const bool is_stuck = open_for >= setup_.patience;
    if (is_open(edge) && (is_dead || is_stuck)) doubted.insert(peer);
    // Let in, and gone before there was an edge.
    const Time since = std::max(edge.link_lost_at, member_since_.at(peer));
    const bool is_away = edge.end.is_gone() && edge.is_link_lost && !reached[peer];
    if (is_away && now - since >= setup_.deadline) doubted.insert(peer);
  }
  // Those whom only such nodes connect with the rest.
  for (bool grows = true; std::exchange(grows, false);) {
    for (const auto& [node, incarnation] : view.members) {
      if (reached[node] || doubted.contains(node) || own_.contains(node)) continue;
      const auto neighbours = neighbours_in(graph_, node);
      const bool is_apart = std::ranges::all_of(neighbours, [&](NodeId neighbour) {
        return !view.has(neighbour) || doubted.contains(neighbour);
      });
      if (is_apart) grows = doubted.insert(node).second;
    }
  }
  return doubted;
}

void Membership::tick() {
  assembly_.tick(doubted());
  for (auto& [peer, edge] : own_) {
    // A flood may have missed the other end.
    if (is_open(edge) && network_.now() - edge.told_at >= setup_.deadline) tell_loss(peer, edge);
  }
  const std::optional<Time> pending = assembly_.pending_since();
  if (pending) last_pending_ = network_.now();
  if (pending && has_begun_ && network_.now() - *pending >= setup_.rejoin_for) {
    throw RunEnded(
        fmt::format("node {} has waited {:.0f} s for more than half of the {} members to come "
                    "together, and no fewer may go on",
                    network_.self(), seconds(setup_.rejoin_for), assembly_.view().members.size()));
  }
}

Time Membership::due() const {
  Time due = assembly_.due();
  for (const auto& [peer, edge] : own_) {
    if (is_open(edge)) due = std::min(due, std::max(edge.told_at, edge.lost_at) + setup_.deadline);
    if (edge.end.is_gone() && edge.is_link_lost && has_begun_ && member_since_.contains(peer))
      due = std::min(due, std::max(edge.link_lost_at, member_since_.at(peer)) + setup_.deadline);
  }
  if (assembly_.pending_since())
    due = std::min(due, *assembly_.pending_since() + setup_.rejoin_for);
  return std::max(due, network_.now() + std::chrono::milliseconds(10));
}

void Membership::expect_company(const Node& node) const {
  const bool is_alone = std::ranges::all_of(own_, [&](const auto& entry) {
    return node.is_lost(entry.first) && node.reason_of_loss(entry.first).empty();
  });
  if (is_alone) {
    throw RunEnded(fmt::format("all neighbours of node {} have ended, and it cannot go on alone",
                               network_.self()));
  }
}

bool Membership::is_among_few() const {
  if (setup_.on_partition != OnPartition::kStop) return false;
  const View& view = assembly_.view();
  const std::vector<bool> reached = assembly_.news().reachable_from(network_.self(), view);
  std::size_t running = 0;
  std::size_t here = 0;
  std::optional<NodeId> lowest;
  for (const auto& [node, incarnation] : view.members) {
    const auto candidate = assembly_.candidates().find(node);
    const bool is_over =
        candidate != assembly_.candidates().end() && candidate->second.incarnation != incarnation;
    if (is_over || !assembly_.is_running(node)) continue;
    if (!lowest) lowest = node;
    ++running;
    here += reached[node] ? 1 : 0;
  }
  return 2 * here < running || (2 * here == running && lowest && !reached[*lowest]);
}

void Membership::expect_majority() {
  if (!is_among_few()) {
    few_since_.reset();
    return;
  }
  if (!few_since_) few_since_ = network_.now();
  if (network_.now() - *few_since_ < setup_.deadline) return;
  few_since_.reset();
  throw CutOff("no edge connects this node with most of the others any more");
}

}  // namespace gossamer
