#include "gossamer/member/edges/membership.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gossamer/member/roll_call.hpp"

namespace gossamer {
Membership::Membership(const Setup& setup, Deliver deliver)
    : setup_(setup),
      network_(setup.network),
      deliver_(std::move(deliver)),
      graph_(graph_of(setup.topology)),
      assembly_(
          {.self = setup.network.self(),
           .nodes = setup.topology.size(),
           .on_partition = setup.on_partition,
           .freshness = std::max<Duration>(setup.deadline, std::chrono::seconds(3)),
           .now = [this] { return network_.now(); },
           .send = [this](NodeId partner,
                          const Message& aside) { network_.send_aside(partner, round_, aside); },
           .knows_alive =
               [this](NodeId node) {
                 const auto edge = own_.find(node);
                 return has_begun_ && edge != own_.end() && edge->second.end.is_live() &&
                        !edge->second.is_link_lost;
               },
           .changed = [this] { follow_view(); }}) {
  expects(setup.topology.is_symmetric() && !setup.topology.is_time_varying(),
          "edges can be lost where W is constant and symmetric");
  const std::vector<NodeId> neighbours = neighbours_in(graph_, network_.self());
  for (const NodeId peer : neighbours)
    own_[peer];
  assembly_.set_partners(neighbours);
}

bool Membership::has(NodeId peer) const {
  const auto edge = own_.find(peer);
  return edge != own_.end() && !edge->second.end.is_gone();
}

bool Membership::is_live(NodeId peer) const {
  const auto edge = own_.find(peer);
  return edge != own_.end() && edge->second.end.is_live();
}

bool Membership::note_arrived(NodeId peer) {
  const auto found = own_.find(peer);
  return found != own_.end() && found->second.end.note_arrived();
}

Time Membership::patient_since(Time since) const {
  return std::max(since, assembly_.pending_since() ? network_.now() : last_pending_);
}

void Membership::ask_in(Incarnation incarnation, const Presence& presence) {
  has_begun_ = false;
  assembly_.ask_in(incarnation, presence);
}

void Membership::begin_with_all() {
  has_begun_ = true;
  for (auto& [peer, edge] : own_) {
    if (!assembly_.view().has(peer)) edge.end = EdgeEnd::gone();
    if (!assembly_.view().has(peer)) continue;
    edge.name = {assembly_.view().members.at(peer), 1};
    // The other end may have what this one lacks.
    if (edge.end.is_gone()) tell_loss(peer, edge);
  }
  tell_edges();
  for (auto& [peer, edge] : own_) {
    // Since all agreed to begin it may have gone, or started again.
    if (edge.is_link_lost && edge.end.is_live()) lose(peer, round_, edge.reason);
    const auto candidate = assembly_.candidates().find(peer);
    if (candidate != assembly_.candidates().end())
      hear_first_hand(peer, candidate->second.incarnation);
  }
}

void Membership::begin_alone() {
  has_begun_ = true;
  for (auto& [peer, edge] : own_)
    edge.end = EdgeEnd::gone();
}

void Membership::lose(NodeId peer, Round round, const std::string& reason) {
  round_ = round;
  const auto found = own_.find(peer);
  if (!has_begun_ || found == own_.end() || !found->second.end.is_live()) return;
  give_up(found->second, reason);
  tell_edges();
  tell_loss(peer, found->second);
}

void Membership::give_up(OwnEdge& edge, const std::string& reason) {
  edge.end.give_up();
  edge.lost_at = network_.now();
  edge.reason = reason;
}

void Membership::tell_loss(NodeId peer, OwnEdge& edge) {
  LossRecord record{.of = peer,
                    .edge = edge.name,
                    .reason = edge.reason,
                    .wants_answer = is_open(edge),
                    .last = {}};
  edge.end.describe(record);
  edge.told_at = network_.now();
  assembly_.spread(RumourKind::kLoss, [&](ByteWriter& out) { record.write(out); });
}

void Membership::tell_edges() {
  std::map<NodeId, EdgeName> live;
  for (const auto& [peer, edge] : own_) {
    if (edge.end.is_live()) live[peer] = edge.name;
  }
  assembly_.run_with(live);
}

void Membership::peer_lost(NodeId peer, Round round, const std::string& reason) {
  round_ = round;
  const auto found = own_.find(peer);
  if (found == own_.end()) return;
  found->second.is_link_lost = true;
  found->second.link_lost_at = network_.now();
  if (!has_begun_) found->second.reason = reason.empty() ? "it has ended" : reason;
  // One that has ended may have done all that it was to do: missed only if it is waited for.
  if (!reason.empty()) lose(peer, round, reason);
}

void Membership::peer_back(NodeId peer) {
  const auto found = own_.find(peer);
  if (found == own_.end()) return;
  found->second.is_link_lost = false;
  assembly_.partner_back(peer);
  if (is_open(found->second)) tell_loss(peer, found->second);
}

void Membership::hear(const Aside& aside) {
  const std::optional<Rumour> rumour = assembly_.hear(aside);
  if (!rumour) return;
  if (rumour->is_first_hand()) hear_first_hand(rumour->origin, rumour->incarnation);
  if (rumour->kind == RumourKind::kLoss) hear_loss(*rumour);
  if (rumour->kind == RumourKind::kCandidacy) refuse_if_needed(*rumour);
  if (rumour->kind == RumourKind::kHasMean) has_mean_[rumour->origin] = rumour->incarnation;
}

// Another life of a node proves that the one before is over.
void Membership::hear_first_hand(NodeId peer, Incarnation incarnation) {
  const auto found = own_.find(peer);
  if (!has_begun_ || found == own_.end() || found->second.end.is_gone()) return;
  if (found->second.name.peer != incarnation) settle_without(peer, "it has started again");
}

void Membership::settle_without(NodeId peer, const std::string& reason) {
  OwnEdge& edge = own_.at(peer);
  const bool was_live = edge.end.is_live();
  if (was_live) give_up(edge, reason);
  edge.end.settle_alone();
  if (was_live) tell_edges();
}

void Membership::hear_loss(const Rumour& rumour) {
  ByteReader in = rumour.reader();
  const LossRecord record = LossRecord::read(in);
  in.expect_end();
  const auto found = own_.find(rumour.origin);
  if (record.of != network_.self() || !has_begun_ || found == own_.end()) return;
  OwnEdge& edge = found->second;
  // Of another edge than this one, or of another life.
  if (edge.name.peer != rumour.incarnation || edge.name.number != record.edge.number ||
      record.edge.peer != assembly_.incarnation())
    return;
  const bool was_live = edge.end.is_live();
  if (was_live) give_up(edge, fmt::format("it gave up on this node: {}", record.reason));
  for (const Message& missed : edge.end.settle(record))
    deliver_(rumour.origin, missed);
  if (was_live) tell_edges();
  if (was_live || record.wants_answer) tell_loss(rumour.origin, edge);
}

void Membership::refuse_if_needed(const Rumour& rumour) {
  if (!rumour.is_first_hand() || assembly_.status() != Assembly::Status::kRunning) return;
  const std::optional<std::string> objection = assembly_.objection(rumour.origin);
  if (!objection) return;
  const auto told = refused_.find(rumour.origin);
  if (told != refused_.end() && told->second == rumour.incarnation) return;
  refused_[rumour.origin] = rumour.incarnation;
  refuse(rumour.origin, rumour.incarnation, *objection);
}

void Membership::refuse_roll_call(const Aside& aside) {
  const std::optional<Presence> presence = RollCall::presence_of_sender(aside);
  if (!presence) return;
  if (const auto objection =
          disagreement(network_.self(), assembly_.presence(), aside.from, *presence))
    refuse(aside.from, 0, *objection);
}

void Membership::refuse(NodeId peer, Incarnation incarnation, const std::string& objection) {
  network_.send_aside(peer, round_, make_aside(AsideKind::kRefusal, [&](ByteWriter& out) {
                        out.write(incarnation);
                        out.write_text(objection);
                      }));
  setup_.events.emit(round_, JoinRefused{peer, objection});
}

void Membership::follow_view() {
  const View& view = assembly_.view();
  std::erase_if(member_since_, [&](const auto& entry) { return !view.has(entry.first); });
  for (const auto& [node, incarnation] : view.members)
    member_since_.try_emplace(node, network_.now());
  last_pending_ = network_.now();
  if (!has_begun_) return;
  for (auto& [peer, edge] : own_) {
    if (edge.end.is_gone() || view.has(peer, edge.name.peer)) continue;
    settle_without(peer, edge.reason.empty() ? "the others go on without it" : edge.reason);
  }
  if (assembly_.status() == Assembly::Status::kOutside)
    throw CutOff("the others went on without this node");
}

std::vector<NodeId> Membership::wanted() const {
  std::vector<NodeId> wanted;
  for (const auto& [peer, edge] : own_) {
    if (assembly_.view().has(peer)) wanted.push_back(peer);
  }
  return wanted;
}

bool Membership::visit_state(StateVisitor& visitor) {
  bool has_changed = false;
  for (auto& [peer, edge] : own_) {
    std::uint64_t flag = has(peer) ? 1 : 0;
    const std::uint64_t before = flag;
    visitor.visit(fmt::format("edge_{}", peer), flag);
    if (flag == before) continue;
    has_changed = true;
    edge.end = flag != 0 ? EdgeEnd() : EdgeEnd::gone();
  }
  return has_changed;
}

void Membership::leave(NodeId peer, Round round) {
  OwnEdge& edge = own_.at(peer);
  edge.end.leave();
  ++losses_;
  setup_.events.emit(round, EdgeLost{peer, edge.reason});
}

void Membership::restore(NodeId peer, Round round, const EdgeName& name) {
  OwnEdge& edge = own_.at(peer);
  edge.end = EdgeEnd();
  edge.name = name;
  edge.reason.clear();
  round_ = round;
  tell_edges();
  setup_.events.emit(round, EdgeBack{peer});
}

void Membership::unmake(NodeId peer, Round round, const EdgeName& name, const std::string& reason) {
  round_ = round;
  OwnEdge& edge = own_.at(peer);
  if (edge.name != name || !edge.end.is_live()) return;
  give_up(edge, reason);
  (void)edge.end.settle(LossRecord{.edge = name, .reason = reason, .last = {}});
  tell_edges();
}

void Membership::lose_those_who_ended(Round round) {
  for (const auto& [peer, edge] : own_) {
    if (edge.is_link_lost && edge.end.is_live()) lose(peer, round, "it has ended");
  }
}

void Membership::tell_mean() {
  has_mean_[network_.self()] = assembly_.incarnation();
  assembly_.spread(RumourKind::kHasMean, [](ByteWriter&) {});
}

bool Membership::all_have_mean() const {
  const std::vector<bool> reached =
      assembly_.news().reachable_from(network_.self(), assembly_.view());
  return std::ranges::all_of(assembly_.view().members, [&](const auto& member) {
    const auto known = has_mean_.find(member.first);
    return !reached[member.first] || (known != has_mean_.end() && known->second == member.second);
  });
}

}  // namespace gossamer
