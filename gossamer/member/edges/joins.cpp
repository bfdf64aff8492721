#include "gossamer/member/edges/joins.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "gossamer/store/state_bytes.hpp"

namespace gossamer {

Joins::Joins(Setup setup)
    : setup_(std::move(setup)),
      host_(setup_.host),
      node_(host_.node()),
      membership_(*host_.membership()) {}

bool Joins::is_running() const {
  return membership_.assembly().status() == Assembly::Status::kRunning;
}

// Of two that are running the lower one offers; one that has no round yet cannot.
bool Joins::may_offer(NodeId peer) const {
  const Assembly& assembly = membership_.assembly();
  const bool both_run = assembly.is_running(peer);
  const auto pause = not_before_.find(peer);
  const bool is_time = pause == not_before_.end() || pause->second <= node_.round();
  return is_time && !membership_.has(peer) && !node_.is_lost(peer) &&
         node_.round() + 1 < setup_.rounds && (!both_run || node_.id() < peer);
}

// Because its other end is no member any more, or another life of it is.
bool Joins::is_void(NodeId peer, const Join& join) const {
  return !membership_.assembly().view().has(peer, join.name.peer);
}

void Joins::make_edges() {
  std::erase_if(joins_, [this](const auto& entry) { return is_void(entry.first, entry.second); });
  answer_offers();
  for (const NodeId peer : membership_.wanted()) {
    if (joins_.contains(peer) || !may_offer(peer)) continue;
    Join& join = joins_[peer];
    join.name = {membership_.assembly().view().members.at(peer), membership_.next_number(peer)};
    offer(peer, join);
  }
  exchange_copies();
}

void Joins::write_name(ByteWriter& out, const EdgeName& name) const {
  out.write(membership_.assembly().incarnation());
  out.write(name.peer);
  out.write(name.number);
}

std::optional<EdgeName> Joins::read_name(ByteReader& in) const {
  const auto theirs = in.read<Incarnation>();
  const auto ours = in.read<Incarnation>();
  const auto number = in.read<std::uint64_t>();
  if (ours != membership_.assembly().incarnation()) return std::nullopt;
  return EdgeName{theirs, number};
}

Joins::Join* Joins::find(NodeId peer, const EdgeName& name) {
  const auto join = joins_.find(peer);
  return join != joins_.end() && join->second.name == name ? &join->second : nullptr;
}

void Joins::hear(const Aside& aside) {
  if (!membership_.is_neighbour(aside.from)) return;
  switch (aside.kind) {
    case AsideKind::kPeerGone:
      forget(aside.from);
      break;
    case AsideKind::kOffer:
      offered_[aside.from] = aside;
      break;
    case AsideKind::kAcceptance:
      hear_acceptance(aside, node_.round());
      break;
    case AsideKind::kCopy:
      hear_copy(aside);
      break;
    case AsideKind::kNoEdge:
      hear_no_edge(aside);
      break;
    case AsideKind::kRollCall:
      membership_.refuse_roll_call(aside);
      break;
    default:
      break;
  }
}

// Whatever was said on this edge came to nothing: a node that has started again knows nothing of
// it, and one that was cut off forgets as well.
void Joins::forget(NodeId peer) {
  offered_.erase(peer);
  not_before_.erase(peer);
  if (joins_.contains(peer)) give_up(peer, "it was lost again");
}

void Joins::offer(NodeId peer, Join& join) {
  join.is_own_offer = true;
  join.is_agreed = false;
  join.has_sent = false;
  join.copy.reset();
  host_.send_aside(peer, make_aside(AsideKind::kOffer, [&](ByteWriter& out) {
                     write_name(out, join.name);
                     out.write(std::min(node_.round() + join.margin, setup_.rounds - 1));
                   }));
}

void Joins::answer_offers() {
  for (auto place = offered_.begin(); place != offered_.end();) {
    const Aside aside = place->second;
    ByteReader in = aside.reader();
    const std::optional<EdgeName> name = read_name(in);
    const auto offered = in.read<Round>();
    // If both have offered, the lower one's offer counts: also if it was accepted already, since
    // acceptances are heard in the midst of rounds, and offers between them.
    const auto join = joins_.find(aside.from);
    const bool is_ours_first = join != joins_.end() && join->second.is_own_offer &&
                               node_.id() < aside.from && name &&
                               join->second.name.peer == name->peer;
    if (!name || is_ours_first) {
      place = offered_.erase(place);
    } else if (!can_answer(aside.from, *name)) {
      ++place;
    } else {
      place = offered_.erase(place);
      accept(aside, *name, offered);
    }
  }
}

// Not before this node knows the view that has the other end, and has left the edge that was there
// before. One that has no round yet takes one offer at a time.
bool Joins::can_answer(NodeId peer, const EdgeName& name) const {
  const bool is_busy = !is_running() && !joins_.empty() && !joins_.contains(peer);
  return !is_busy && !membership_.has(peer) && membership_.assembly().view().has(peer, name.peer);
}

void Joins::accept(const Aside& aside, EdgeName name, Round offered) {
  name.number = std::max(name.number, membership_.next_number(aside.from));
  Join& join = joins_[aside.from];
  join = Join{.is_agreed = true, .name = name, .margin = join.margin, .copy = {}};
  if (!is_running()) node_.begin_at(offered);
  join.round = offered >= node_.round() ? offered : node_.round() + join.margin;
  host_.send_aside(aside.from, make_aside(AsideKind::kAcceptance, [&](ByteWriter& out) {
                     write_name(out, join.name);
                     out.write(join.round);
                     out.write(static_cast<std::uint8_t>(wants_model_ ? 1 : 0));
                   }));
}

bool Joins::hear_in_round(const Aside& aside) {
  if (aside.kind == AsideKind::kAcceptance) {
    hear_acceptance(aside, node_.round() + 1);
  } else if (aside.kind == AsideKind::kNoEdge) {
    hear_no_edge(aside);
  } else {
    return false;
  }
  return true;
}

void Joins::hear_acceptance(const Aside& aside, Round earliest) {
  ByteReader in = aside.reader();
  const std::optional<EdgeName> name = read_name(in);
  const auto found = joins_.find(aside.from);
  if (!name || found == joins_.end()) return;
  Join& join = found->second;
  // The number may be higher: the other end has made more edges with this one.
  const bool is_answer = join.is_own_offer && !join.is_agreed && name->peer == join.name.peer &&
                         name->number >= join.name.number;
  if (!is_answer) return;
  join.name = *name;
  join.round = in.read<Round>();
  join.other_wants_model = in.read<std::uint8_t>() != 0;
  if (join.round >= earliest) {
    join.is_agreed = true;
  } else {
    // The answer took longer than the rounds that were left for it.
    join.margin *= 2;
    ++join.name.number;
    offer(aside.from, join);
  }
}

void Joins::hear_copy(const Aside& aside) {
  ByteReader in = aside.reader();
  const std::optional<EdgeName> name = read_name(in);
  Join* const join = name ? find(aside.from, *name) : nullptr;
  if (join == nullptr || !join->is_agreed || aside.round != join->round) return;
  join->copy = aside;
  // At once: messages may follow, for an edge that must be there.
  if (join->has_sent) finish(aside.from);
}

void Joins::hear_no_edge(const Aside& aside) {
  ByteReader in = aside.reader();
  const std::optional<EdgeName> name = read_name(in);
  if (!name) return;
  const std::string reason = in.read_text();
  if (find(aside.from, *name) != nullptr) {
    give_up(aside.from, reason);
  } else {
    membership_.unmake(aside.from, node_.round(), *name, reason);
  }
}

// Sends to all whose round this is before it waits for any of them, and makes the edges at once
// whose other end has sent: messages may follow. Only a node without a model has nothing to send
// before it has got one.
void Joins::exchange_copies() {
  const Time deadline = host_.now() + setup_.patience;
  // While this node waits for one, another may accept the same round.
  for (std::vector<NodeId> due = due_now(); !due.empty(); due = due_now()) {
    if (wants_model_) {
      // There is one: who has no round takes one offer at a time.
      wait_for_copy(due.front(), deadline);
      take_model(due.front());
    }
    if (wants_model_) return;
    for (const NodeId peer : due) {
      const auto join = joins_.find(peer);
      if (join == joins_.end()) continue;
      send_copy(peer, join->second);
      if (join->second.copy) finish(peer);
    }
    for (const NodeId peer : due)
      wait_for_copy(peer, deadline);
  }
}

// With whom this node has yet to exchange copies before this round.
std::vector<NodeId> Joins::due_now() const {
  std::vector<NodeId> due;
  for (const auto& [peer, join] : joins_) {
    const bool is_due = join.is_agreed && join.round == node_.round() && !join.has_sent;
    if (is_due && !is_void(peer, join)) due.push_back(peer);
  }
  return due;
}

// Until its copy is there, or it is lost, or has asked for another round.
void Joins::wait_for_copy(NodeId peer, Time deadline) {
  const auto is_open = [&] {
    const auto join = joins_.find(peer);
    return join != joins_.end() && !is_void(peer, join->second) &&
           join->second.round == node_.round() && !join->second.copy;
  };
  while (is_open()) {
    const bool has_come = setup_.hear_next(deadline);
    if (offered_.contains(peer) && is_open()) {
      // It was further than it had thought.
      answer_offers();
    } else if (!has_come && is_open()) {
      give_up(peer, "its copies did not come");
    }
  }
}

void Joins::take_model(NodeId peer) {
  const auto join = joins_.find(peer);
  if (join == joins_.end() || !join->second.copy) return;
  ByteReader in = join->second.copy->reader();
  (void)read_name(in);
  StateReader state(in);
  if (in.read<std::uint8_t>() == 0) throw CorruptMessage("a node that joins is sent a model");
  setup_.show_model(state);
  setup_.algorithm.start_late(node_);
  wants_model_ = false;
}

void Joins::send_copy(NodeId peer, Join& join) {
  host_.send_aside(peer, make_aside(AsideKind::kCopy, [&](ByteWriter& out) {
                     write_name(out, join.name);
                     out.write(static_cast<std::uint8_t>(join.other_wants_model ? 1 : 0));
                     StateWriter state(out);
                     if (join.other_wants_model) setup_.show_model(state);
                     EdgeCopies* const copies = setup_.algorithm.copies();
                     if (copies == nullptr) return;
                     copies->visit_common(state);
                     copies->write_own(peer, out);
                   }));
  join.has_sent = true;
}

void Joins::finish(NodeId peer) {
  const Join join = joins_.at(peer);
  joins_.erase(peer);
  not_before_.erase(peer);
  ByteReader in = join.copy->reader();
  (void)read_name(in);
  if (taken_in_) std::exchange(taken_in_, nullptr)();
  StateReader state(in);
  // Again, where take_model() has read it: nothing has changed since.
  if (in.read<std::uint8_t>() != 0) setup_.show_model(state);
  node_.forget_messages(peer);
  membership_.restore(peer, node_.round(), join.name);
  node_.read_weights();
  setup_.algorithm.welcome(node_);
  if (EdgeCopies* const copies = setup_.algorithm.copies()) {
    copies->visit_common(state);
    copies->read_copy(peer, in);
  }
  in.expect_end();
  ++count_;
}

void Joins::give_up(NodeId peer, const std::string& reason) {
  const auto found = joins_.find(peer);
  if (found == joins_.end()) return;
  const Join join = found->second;
  joins_.erase(found);
  not_before_[peer] = node_.round() + join.margin;
  host_.events().emit(node_.round(), JoinFailed{peer, reason});
  if (node_.is_lost(peer)) return;
  // The other end may wait for this one, or think that the edge is there.
  host_.send_aside(peer, make_aside(AsideKind::kNoEdge, [&](ByteWriter& out) {
                     write_name(out, join.name);
                     out.write_text(fmt::format("node {} has given up: {}", node_.id(), reason));
                   }));
}

bool Joins::join(Hands hands, Time deadline, const std::function<void()>& taken_in) {
  taken_in_ = taken_in;
  wants_model_ = hands == Hands::kEmpty;
  joins_.clear();
  while (!is_running()) {
    if (membership_.assembly().view().is_start) return false;
    membership_.expect_company(node_);
    std::erase_if(joins_, [this](const auto& entry) { return is_void(entry.first, entry.second); });
    answer_offers();
    if (!joins_.empty()) {
      exchange_copies();
    } else if (!setup_.hear_next(deadline)) {
      throw RunEnded(fmt::format(
          "node {} could not join the run that is under way: nobody took it in", node_.id()));
    }
  }
  return true;
}

}  // namespace gossamer
