#include "gossamer/member/edges/joins.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "gossamer/member/roll_call.hpp"
#include "gossamer/store/state_bytes.hpp"

namespace gossamer {
namespace {

std::map<NodePair, LiveEdges::Generation> read_changes(ByteReader& in) {
  std::map<NodePair, LiveEdges::Generation> changes;
  for (auto left = in.read<std::uint32_t>(); left > 0; --left) {
    const auto a = in.read<NodeId>();
    const auto b = in.read<NodeId>();
    changes[pair_of(a, b)] = in.read<LiveEdges::Generation>();
  }
  return changes;
}

}  // namespace

Joins::Joins(Setup setup)
    : setup_(std::move(setup)),
      host_(setup_.host),
      node_(host_.node()),
      membership_(*host_.membership()),
      neighbours_(membership_.edges().neighbours(node_.id())) {}

void Joins::bring_edges_back() {
  // Of two nodes that reach each other the lower one asks. Not only when the network says that one
  // is back: an edge also ends because an end was silent for too long, and a join may come to
  // nothing, while no connection was ever lost.
  for (const NodeId peer : neighbours_) {
    const bool can_ask = node_.id() < peer && !node_.is_lost(peer) && !refused_.contains(peer);
    if (can_ask && is_away(peer)) joins_.try_emplace(peer);
  }
  answer_offers();
  for (auto& [peer, join] : joins_) {
    if (join.stage == Join::Stage::kWanted && is_away(peer)) offer(peer, join);
  }
  exchange_copies();
}

void Joins::hear(const Aside& aside) {
  if (!membership_.is_neighbour(aside.from)) return;
  switch (aside.kind) {
    case AsideKind::kRollCall:
      hear_request(aside);
      break;
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
    case AsideKind::kRefusal:
      give_up(aside.from, aside.reader().read_text());
      break;
    default:
      break;
  }
}

// A roll call in the midst of a run is of a node that has started again.
void Joins::hear_request(const Aside& aside) {
  const std::optional<Presence> presence = RollCall::presence_of_sender(aside);
  if (!presence || membership_.is_live(aside.from)) return;
  Presence as_theirs = setup_.own;
  as_theirs.saved = presence->saved;  // it may come with a checkpoint or without
  if (const auto reason = disagreement(node_.id(), as_theirs, aside.from, *presence)) {
    host_.events().emit(node_.round(), JoinRefused{aside.from, *reason});
    host_.send_aside(aside.from, make_aside(AsideKind::kRefusal,
                                            [&](ByteWriter& out) { out.write_text(*reason); }));
    joins_.erase(aside.from);
    refused_.insert(aside.from);
    return;
  }
  joins_.try_emplace(aside.from);
}

// Whatever was said on this edge came to nothing: a node that has started again knows nothing of
// it, and one that was cut off forgets as well. What it had asked may be heard only now.
void Joins::forget(NodeId peer) {
  offered_.erase(peer);
  refused_.erase(peer);
  const auto join = joins_.find(peer);
  if (join == joins_.end()) return;
  if (join->second.stage == Join::Stage::kWanted) {
    joins_.erase(join);
  } else {
    give_up(peer, "it was lost again");
  }
}

void Joins::offer(NodeId peer, Join& join) {
  join.stage = Join::Stage::kOffered;
  join.is_own_offer = true;
  join.has_sent = false;
  join.copy.reset();
  join.generation = membership_.edges().generation(pair_of(node_.id(), peer)) + 1;
  host_.send_aside(peer, make_aside(AsideKind::kOffer, [&](ByteWriter& out) {
                     out.write(node_.round() + join.margin);
                     out.write(join.generation);
                   }));
}

void Joins::answer_offers() {
  for (auto place = offered_.begin(); place != offered_.end();) {
    const NodeId peer = place->first;
    // A node that is not part of the run yet joins one neighbour first.
    const bool is_busy = node_.neighbours().empty() && !joins_.empty() && !joins_.contains(peer);
    // If both have offered, the lower one's offer counts: also if it was accepted already, since
    // acceptances are heard in the midst of rounds, and offers between them.
    const auto join = joins_.find(peer);
    const bool has_offered = join != joins_.end() && join->second.is_own_offer;
    if (is_busy) {
      ++place;
    } else if (has_offered && node_.id() < peer) {
      place = offered_.erase(place);
    } else if (!is_away(peer)) {
      // The other end has lost this one, and this one has not noticed: the edge ends first.
      membership_.lose(peer, node_.round(), "it has started again");
      ++place;
    } else {
      hear_offer(place->second);
      place = offered_.erase(place);
    }
  }
}

void Joins::hear_offer(const Aside& aside) {
  ByteReader in = aside.reader();
  const auto offered = in.read<Round>();
  Join& join = joins_[aside.from];
  join.stage = Join::Stage::kAgreed;
  join.is_own_offer = false;
  join.generation = in.read<LiveEdges::Generation>();
  join.round = offered >= node_.round() ? offered : node_.round() + join.margin;
  join.has_sent = false;
  join.copy.reset();
  join.other_wants_model = false;
  // One model is enough.
  if (wants_model_ && !model_from_) model_from_ = aside.from;
  const bool asks = wants_model_ && model_from_ == aside.from;
  host_.send_aside(aside.from, make_aside(AsideKind::kAcceptance, [&](ByteWriter& out) {
                     out.write(join.round);
                     out.write(static_cast<std::uint8_t>(asks ? 1 : 0));
                   }));
}

bool Joins::hear_in_round(const Aside& aside) {
  if (aside.kind != AsideKind::kAcceptance) return false;
  hear_acceptance(aside, node_.round() + 1);
  return true;
}

void Joins::hear_acceptance(const Aside& aside, Round earliest) {
  const auto found = joins_.find(aside.from);
  if (found == joins_.end() || found->second.stage != Join::Stage::kOffered) return;
  Join& join = found->second;
  ByteReader in = aside.reader();
  join.round = in.read<Round>();
  join.other_wants_model = in.read<std::uint8_t>() != 0;
  if (join.round >= earliest) {
    join.stage = Join::Stage::kAgreed;
  } else {
    // The answer took longer than the rounds that were left for it.
    join.margin *= 2;
    offer(aside.from, join);
  }
}

void Joins::hear_copy(const Aside& aside) {
  const auto found = joins_.find(aside.from);
  if (found == joins_.end()) return;
  Join& join = found->second;
  // One for a round that came to nothing may arrive when the next has been offered: what it says is
  // not true any more.
  if (join.stage != Join::Stage::kAgreed || aside.round != join.round) return;
  join.copy = aside;
  // At once: messages may follow, for an edge that must be there.
  if (join.has_sent) finish(aside.from);
}

// Sends to all whose round this is before it waits for any of them. Only a node without a model has
// nothing to send before it has got one.
void Joins::exchange_copies() {
  std::vector<NodeId> due;
  for (const auto& [peer, join] : joins_) {
    if (join.stage == Join::Stage::kAgreed && join.round == node_.round()) due.push_back(peer);
  }
  const Time deadline = host_.now() + setup_.patience;
  if (wants_model_ && model_from_ && std::ranges::count(due, *model_from_) > 0) {
    wait_for_copy(*model_from_, deadline);
    take_model(*model_from_);
  }
  if (wants_model_) return;
  for (const NodeId peer : due) {
    if (const auto join = joins_.find(peer); join != joins_.end()) send_copy(peer, join->second);
  }
  for (const NodeId peer : due) {
    wait_for_copy(peer, deadline);
    const auto join = joins_.find(peer);
    if (join != joins_.end() && join->second.has_sent) finish(peer);
  }
}

// Until its copy is there, or it is lost, or has asked for another round.
void Joins::wait_for_copy(NodeId peer, Time deadline) {
  const auto is_open = [&] {
    const auto join = joins_.find(peer);
    return join != joins_.end() && join->second.round == node_.round() && !join->second.copy;
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
  read_changes(in);
  StateReader state(in);
  if (in.read<std::uint8_t>() == 0) throw CorruptMessage("a node that joins is sent a model");
  setup_.show_model(state);
  setup_.algorithm.start_late(node_);
  wants_model_ = false;
}

void Joins::send_copy(NodeId peer, Join& join) {
  host_.send_aside(peer, make_aside(AsideKind::kCopy, [&](ByteWriter& out) {
                     const auto& changes = membership_.edges().changes();
                     out.write(static_cast<std::uint32_t>(changes.size()));
                     for (const auto& [pair, generation] : changes) {
                       out.write(pair.a);
                       out.write(pair.b);
                       out.write(generation);
                     }
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
  const Aside copy = joins_.at(peer).copy.value_or(Aside{});
  const LiveEdges::Generation generation = joins_.at(peer).generation;
  joins_.erase(peer);
  ByteReader in = copy.reader();
  const std::map<NodePair, LiveEdges::Generation> changes = read_changes(in);
  if (node_.neighbours().empty()) membership_.catch_up(changes);
  if (taken_in_) std::exchange(taken_in_, nullptr)();
  StateReader state(in);
  // Again, where take_model() has read it: nothing has changed since.
  if (in.read<std::uint8_t>() != 0) setup_.show_model(state);
  membership_.restore(peer, node_.round(), generation);
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
  const auto join = joins_.find(peer);
  if (join != joins_.end()) {
    const bool had_sent = join->second.has_sent;
    joins_.erase(join);
    if (model_from_ == peer) model_from_.reset();
    host_.events().emit(node_.round(), JoinFailed{peer, reason});
    if (had_sent && !node_.is_lost(peer)) {
      // The other end may have all that it needs, and think that the edge is back.
      host_.send_aside(
          peer, make_aside(AsideKind::kRefusal, [&](ByteWriter& out) {
            out.write_text(fmt::format("node {} has given up: {}", node_.id(), reason));
          }));
    }
  } else if (!is_away(peer)) {
    membership_.lose(peer, node_.round(), reason);
  }
}

void Joins::join(const Aside& first_offer, Hands hands, const std::function<void()>& taken_in) {
  taken_in_ = taken_in;
  wants_model_ = hands == Hands::kEmpty;
  membership_.begin_alone();
  node_.begin_at(first_offer.reader().read<Round>());
  hear(first_offer);
  answer_offers();
  while (node_.neighbours().empty()) {
    if (joins_.empty() && offered_.empty()) {
      throw RunEnded(
          fmt::format("node {} could not join the run that is under way: nobody took it "
                      "in",
                      node_.id()));
    }
    answer_offers();
    exchange_copies();
    // Offered again, for a later round.
    Round earliest = node_.round();
    for (const auto& [peer, join] : joins_) {
      if (join.stage == Join::Stage::kAgreed) earliest = std::max(earliest, join.round);
    }
    if (node_.neighbours().empty()) node_.begin_at(earliest);
  }
}

}  // namespace gossamer
