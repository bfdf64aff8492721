#include "gossamer/train/upkeep.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "gossamer/train/roll_call.hpp"
#include "gossamer/train/state_bytes.hpp"

namespace gossamer {
namespace {

constexpr Time kPoll{};

std::map<Link, LiveEdges::Generation> read_changes(ByteReader& in) {
  std::map<Link, LiveEdges::Generation> changes;
  for (auto left = in.read<std::uint32_t>(); left > 0; --left) {
    const auto a = in.read<NodeId>();
    const auto b = in.read<NodeId>();
    changes[link_between(a, b)] = in.read<LiveEdges::Generation>();
  }
  return changes;
}

}  // namespace

Upkeep::Upkeep(Setup setup) : setup_(std::move(setup)), node_(setup_.node) {
  node_.listen([this](const Aside& aside) { return hear_in_round(aside); });
}

void Upkeep::between_rounds() {
  // A node that has just joined finds the others after their audit of this round.
  const bool has_joined = std::exchange(is_between_rounds_, true);
  while (const std::optional<Aside> aside = node_.next_aside(kPoll))
    hear(*aside);
  if (is_audit_due() && !has_joined) audit();
  if (node_.membership() != nullptr) bring_edges_back();
  is_between_rounds_ = false;
}

bool Upkeep::is_audit_due() const {
  const Round round = node_.round();
  return setup_.audit_every > 0 && round > 0 && round % setup_.audit_every == 0 &&
         setup_.algorithm.copies() != nullptr;
}

void Upkeep::bring_edges_back() {
  // Of two nodes that reach each other the lower one asks. Not only when the network says that one
  // is back: an edge also ends because an end was silent for too long, and a join may come to
  // nothing, while no connection was ever lost.
  for (const NodeId peer : node_.membership()->edges().neighbours(node_.id())) {
    const bool can_ask = node_.id() < peer && !node_.is_lost(peer) && !refused_.contains(peer);
    if (can_ask && is_away(peer)) joins_.try_emplace(peer);
  }
  answer_offers();
  for (auto& [peer, join] : joins_) {
    if (join.stage == Join::Stage::kWanted && is_away(peer)) offer(peer, join);
  }
  exchange_copies();
}

void Upkeep::hear(const Aside& aside) {
  if (node_.membership() != nullptr && !node_.membership()->is_neighbour(aside.from)) return;
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
    case AsideKind::kAudit:
    case AsideKind::kVerdict:
    case AsideKind::kRepair:
      answers_[{aside.kind, aside.from}] = aside;
      break;
    default:
      break;
  }
}

// A roll call in the midst of a run is of a node that has started again.
void Upkeep::hear_request(const Aside& aside) {
  const std::optional<Presence> presence = RollCall::presence_of_sender(aside);
  if (!presence || node_.membership() == nullptr || node_.membership()->is_live(aside.from)) return;
  Presence as_theirs = setup_.own;
  as_theirs.saved = presence->saved;  // it may come with a checkpoint or without
  if (const auto reason = disagreement(node_.id(), as_theirs, aside.from, *presence)) {
    setup_.note(*reason);
    node_.send_aside(aside.from, make_aside(AsideKind::kRefusal,
                                            [&](ByteWriter& out) { out.write_text(*reason); }));
    joins_.erase(aside.from);
    refused_.insert(aside.from);
    return;
  }
  joins_.try_emplace(aside.from);
}

// Whatever was said on this link came to nothing: a node that has started again knows nothing of
// it, and one that was cut off forgets as well. What it had asked may be heard only now.
void Upkeep::forget(NodeId peer) {
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

bool Upkeep::is_away(NodeId peer) const {
  return !node_.membership()->has(peer);
}

void Upkeep::offer(NodeId peer, Join& join) {
  join.stage = Join::Stage::kOffered;
  join.is_own_offer = true;
  join.has_sent = false;
  join.copy.reset();
  join.generation = node_.membership()->edges().generation(link_between(node_.id(), peer)) + 1;
  node_.send_aside(peer, make_aside(AsideKind::kOffer, [&](ByteWriter& out) {
                     out.write(node_.round() + join.margin);
                     out.write(join.generation);
                   }));
}

void Upkeep::answer_offers() {
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
      node_.membership()->lose(peer, node_.round(), "it has started again");
      ++place;
    } else {
      hear_offer(place->second);
      place = offered_.erase(place);
    }
  }
}

void Upkeep::hear_offer(const Aside& aside) {
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
  node_.send_aside(aside.from, make_aside(AsideKind::kAcceptance, [&](ByteWriter& out) {
                     out.write(join.round);
                     out.write(static_cast<std::uint8_t>(asks ? 1 : 0));
                   }));
}

// The other end waits in a round that this node may have passed. It must hear so at once: this node
// may wait, by way of others, for it.
bool Upkeep::hear_in_round(const Aside& aside) {
  if (is_between_rounds_ || aside.kind != AsideKind::kAcceptance) return false;
  hear_acceptance(aside, node_.round() + 1);
  return true;
}

void Upkeep::hear_acceptance(const Aside& aside, Round earliest) {
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

void Upkeep::hear_copy(const Aside& aside) {
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
void Upkeep::exchange_copies() {
  std::vector<NodeId> due;
  for (const auto& [peer, join] : joins_) {
    if (join.stage == Join::Stage::kAgreed && join.round == node_.round()) due.push_back(peer);
  }
  const Time deadline = node_.now() + setup_.patience;
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
void Upkeep::wait_for_copy(NodeId peer, Time deadline) {
  const auto is_open = [&] {
    const auto join = joins_.find(peer);
    return join != joins_.end() && join->second.round == node_.round() && !join->second.copy;
  };
  while (is_open()) {
    const std::optional<Aside> aside = node_.next_aside(deadline);
    if (aside) hear(*aside);
    if (offered_.contains(peer) && is_open()) {
      // It was further than it had thought.
      answer_offers();
    } else if (!aside && is_open()) {
      give_up(peer, "its copies did not come");
    }
  }
}

void Upkeep::take_model(NodeId peer) {
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

void Upkeep::send_copy(NodeId peer, Join& join) {
  node_.send_aside(peer, make_aside(AsideKind::kCopy, [&](ByteWriter& out) {
                     const auto& changes = node_.membership()->edges().changes();
                     out.write(static_cast<std::uint32_t>(changes.size()));
                     for (const auto& [link, generation] : changes) {
                       out.write(link.a);
                       out.write(link.b);
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

void Upkeep::finish(NodeId peer) {
  const Aside copy = joins_.at(peer).copy.value_or(Aside{});
  const LiveEdges::Generation generation = joins_.at(peer).generation;
  joins_.erase(peer);
  ByteReader in = copy.reader();
  const std::map<Link, LiveEdges::Generation> changes = read_changes(in);
  if (node_.neighbours().empty()) node_.membership()->catch_up(changes);
  StateReader state(in);
  // Again, where take_model() has read it: nothing has changed since.
  if (in.read<std::uint8_t>() != 0) setup_.show_model(state);
  node_.membership()->restore(peer, node_.round(), generation);
  node_.read_weights();
  setup_.algorithm.welcome(node_);
  if (EdgeCopies* const copies = setup_.algorithm.copies()) {
    copies->visit_common(state);
    copies->read_copy(peer, in);
  }
  in.expect_end();
  ++joins_count_;
}

void Upkeep::give_up(NodeId peer, const std::string& reason) {
  const auto join = joins_.find(peer);
  if (join != joins_.end()) {
    const bool had_sent = join->second.has_sent;
    joins_.erase(join);
    if (model_from_ == peer) model_from_.reset();
    setup_.note(fmt::format("node {} could not join node {} again: {}", node_.id(), peer, reason));
    if (had_sent && !node_.is_lost(peer)) {
      // The other end may have all that it needs, and think that the edge is back.
      node_.send_aside(
          peer, make_aside(AsideKind::kRefusal, [&](ByteWriter& out) {
            out.write_text(fmt::format("node {} has given up: {}", node_.id(), reason));
          }));
    }
  } else if (node_.membership() != nullptr && !is_away(peer)) {
    node_.membership()->lose(peer, node_.round(), reason);
  }
}

void Upkeep::join(const Aside& first_offer, Hands hands) {
  expects(node_.membership() != nullptr, "a run that takes nodes in goes on without lost ones");
  is_between_rounds_ = true;
  wants_model_ = hands == Hands::kEmpty;
  node_.membership()->begin_alone();
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

void Upkeep::audit() {
  EdgeCopies& copies = *setup_.algorithm.copies();
  for (const Neighbour& neighbour : node_.neighbours()) {
    node_.send_aside(neighbour.peer, make_aside(AsideKind::kAudit, [&](ByteWriter& out) {
                       out.write(copies.own_digest(neighbour.peer));
                     }));
  }
  std::vector<NodeId> wrong;
  wait_for_neighbours(AsideKind::kAudit, [&](NodeId peer, ByteReader in) {
    const bool is_equal = in.read<std::uint64_t>() == copies.copy_digest(peer);
    if (!is_equal) wrong.push_back(peer);
    node_.send_aside(peer, make_aside(AsideKind::kVerdict, [&](ByteWriter& out) {
                       out.write(static_cast<std::uint8_t>(is_equal ? 1 : 0));
                     }));
  });
  wait_for_neighbours(AsideKind::kVerdict, [&](NodeId peer, ByteReader in) {
    if (in.read<std::uint8_t>() != 0) return;
    node_.send_aside(peer, make_aside(AsideKind::kRepair,
                                      [&](ByteWriter& out) { copies.write_own(peer, out); }));
  });
  for (const NodeId peer : wrong)
    repair(peer);
}

void Upkeep::repair(NodeId peer) {
  const std::optional<Aside> whole = wait_for(AsideKind::kRepair, peer);
  if (!whole) return;
  ByteReader in = whole->reader();
  setup_.algorithm.copies()->read_copy(peer, in);
  in.expect_end();
  ++repairs_;
  setup_.note(
      fmt::format("node {} held something else of node {} than it should before round {}; "
                  "it has been put right",
                  node_.id(), peer, node_.round()));
}

template <typename Got>
void Upkeep::wait_for_neighbours(AsideKind kind, const Got& got) {
  for (const Neighbour& neighbour : node_.neighbours()) {
    if (const std::optional<Aside> answer = wait_for(kind, neighbour.peer))
      got(neighbour.peer, answer->reader());
  }
}

// Nothing if the neighbour is lost, and the run goes on without it.
std::optional<Aside> Upkeep::wait_for(AsideKind kind, NodeId peer) {
  const Time deadline = node_.now() + setup_.patience;
  for (;;) {
    // One of an earlier round is of an audit that a loss has cut short.
    const auto answer = answers_.extract({kind, peer});
    if (answer && answer.mapped().round == node_.round()) return answer.mapped();
    node_.expect_present(peer);
    if (node_.is_lost(peer) ||
        (node_.membership() != nullptr && !node_.membership()->is_live(peer)))
      return std::nullopt;
    const std::optional<Aside> aside = node_.next_aside(deadline);
    if (aside) {
      hear(*aside);
    } else if (node_.membership() != nullptr) {
      node_.membership()->lose(peer, node_.round(), "it did not answer an audit");
    } else {
      throw NeighbourLost(
          peer, node_.round(), NeighbourLost::Reason::kLate,
          fmt::format("node {} waited {:.3f} s for the audit of node {} before round "
                      "{} and gave up",
                      node_.id(), seconds(setup_.patience), peer, node_.round()));
    }
  }
}

}  // namespace gossamer
