#include "gossamer/member/edges/membership.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace gossamer {
namespace {

Message aside_of(const LossRecord& record) {
  return make_aside(AsideKind::kLoss, [&](ByteWriter& out) { record.write(out); });
}

}  // namespace

Membership::Membership(const Setup& setup, Deliver deliver)
    : network_(setup.network),
      grace_(setup.grace),
      events_(setup.events),
      deliver_(std::move(deliver)),
      edges_(graph_of(setup.topology)),
      members_(setup.topology.size()) {
  expects(setup.topology.is_symmetric() && !setup.topology.is_time_varying(),
          "edges can be lost where W is constant and symmetric");
  for (const NodeId peer : edges_.neighbours(network_.self()))
    own_[peer];
}

bool Membership::note_arrived(NodeId peer) {
  const auto found = own_.find(peer);
  return found != own_.end() && found->second.end.note_arrived();
}

std::optional<Time> Membership::settled_at_latest(NodeId peer) const {
  const OwnEdge& edge = own_.at(peer);
  if (edge.end.is_live() || edge.end.is_settled()) return std::nullopt;
  return edge.lost_at + grace_;
}

void Membership::lose(NodeId peer, Round round, const std::string& reason) {
  const auto found = own_.find(peer);
  if (found == own_.end() || !found->second.end.is_live()) return;
  OwnEdge& edge = found->second;
  edge.end.give_up();
  edge.lost_at = network_.now();
  edge.reason = reason;
  LossRecord record{.by = network_.self(),
                    .of = peer,
                    .generation = edges_.generation(pair_of(network_.self(), peer)) + 1,
                    .round = round,
                    .reason = edge.reason,
                    .last = {}};
  edge.end.describe(record);
  heard_.insert({record.by, record.of, record.generation});
  edges_.note(pair_of(record.by, record.of), record.generation);
  tell_all(round, aside_of(record));
  settle_with_the_unreachable();
  expect_majority();
}

void Membership::hear(const Aside& aside) {
  ByteReader in = aside.reader();
  if (aside.kind == AsideKind::kRestored) {
    const auto one = in.read<NodeId>();
    const auto other = in.read<NodeId>();
    const bool is_news = edges_.note(pair_of(one, other), in.read<LiveEdges::Generation>());
    if (!is_news) return;
    tell_all(aside.round, aside.message, aside.from);
    members_ = count_members();
    return;
  }
  const LossRecord record = LossRecord::read(in);
  const NodePair pair = pair_of(record.by, record.of);
  // What is told late of an edge that has come back since is no news.
  if (record.generation < edges_.generation(pair)) return;
  if (!heard_.insert({record.by, record.of, record.generation}).second) return;
  tell_all(aside.round, aside.message, aside.from);
  edges_.note(pair, record.generation);
  if (record.of == network_.self() && own_.contains(record.by)) settle(record);
  settle_with_the_unreachable();
  expect_majority();
}

void Membership::settle(const LossRecord& theirs) {
  OwnEdge& edge = own_.at(theirs.by);
  if (edge.end.is_live()) {
    // Answered in the same generation, which hear() has noted already.
    edge.end.give_up();
    edge.lost_at = network_.now();
    edge.reason = fmt::format("it gave up on this node: {}", theirs.reason);
    LossRecord own{.by = network_.self(),
                   .of = theirs.by,
                   .generation = theirs.generation,
                   .round = theirs.round,
                   .reason = edge.reason,
                   .last = {}};
    edge.end.describe(own);
    heard_.insert({own.by, own.of, own.generation});
    tell_all(theirs.round, aside_of(own));
  }
  for (const Message& missed : edge.end.settle(theirs))
    deliver_(theirs.by, missed);
}

// No word can come any more from a neighbour that nothing connects with this node.
void Membership::settle_with_the_unreachable() {
  const std::vector<NodeId> reachable = edges_.reachable_from(network_.self());
  for (auto& [peer, edge] : own_) {
    const bool is_open = !edge.end.is_live() && !edge.end.is_gone() && !edge.end.is_settled();
    if (is_open && std::ranges::count(reachable, peer) == 0) edge.end.settle_alone();
  }
}

NodeId Membership::count_members() const {
  return static_cast<NodeId>(edges_.reachable_from(network_.self()).size());
}

void Membership::expect_majority() {
  const NodeId left = count_members();
  if (2 * left <= members_) {
    std::string lost;
    for (const auto& [pair, generation] : edges_.changes()) {
      if (generation % 2 == 1)
        lost += fmt::format("{}{}-{}", lost.empty() ? "" : ", ", pair.a, pair.b);
    }
    throw CutOff(
        fmt::format("without the edges {} node {} reaches {} of {} nodes, and no more than "
                    "half cannot go on alone",
                    lost, network_.self(), left, members_));
  }
  members_ = left;
}

void Membership::leave(NodeId peer, Round round) {
  OwnEdge& edge = own_.at(peer);
  edge.end.leave();
  ++losses_;
  events_.emit(round, EdgeLost{peer, edge.reason});
}

void Membership::restore(NodeId peer, Round round, LiveEdges::Generation generation) {
  const NodePair pair = pair_of(network_.self(), peer);
  own_.at(peer) = OwnEdge{};
  edges_.note(pair, generation);
  members_ = count_members();
  tell_all(round, make_aside(AsideKind::kRestored, [&](ByteWriter& out) {
             out.write(pair.a);
             out.write(pair.b);
             out.write(generation);
           }));
  events_.emit(round, EdgeBack{peer});
}

void Membership::begin_alone() {
  for (auto& [peer, edge] : own_) {
    edge.end.give_up();
    edge.end.leave();
  }
}

void Membership::catch_up(const std::map<NodePair, LiveEdges::Generation>& changes) {
  for (const auto& [pair, generation] : changes)
    edges_.note(pair, generation);
}

void Membership::tell_all(Round round, const Message& aside, std::optional<NodeId> but) {
  for (const auto& [peer, edge] : own_) {
    if (edge.end.is_live() && peer != but) network_.send_aside(peer, round, aside);
  }
}

}  // namespace gossamer
