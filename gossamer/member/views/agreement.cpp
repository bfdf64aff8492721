#include "gossamer/member/views/agreement.hpp"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

namespace gossamer {
namespace {

void write_ballot(ByteWriter& out, Ballot ballot) {
  out.write(ballot.counter);
  out.write(ballot.node);
}

Ballot read_ballot(ByteReader& in) {
  Ballot ballot;
  ballot.counter = in.read<std::uint32_t>();
  ballot.node = in.read<NodeId>();
  return ballot;
}

}  // namespace

void Agreement::live_as(Incarnation incarnation) {
  incarnation_ = incarnation;
  promised_ = {};
  accepted_.reset();
  attempt_.reset();
}

void Agreement::set_view(const View& view, Ballot ballot) {
  view_ = view;
  view_ballot_ = ballot;
  ask_for(view.number + 1);
}

// What was promised for another number is forgotten: that one is decided.
void Agreement::ask_for(std::uint64_t number) {
  attempt_.reset();
  if (number == number_) return;
  number_ = number;
  promised_ = {};
  accepted_.reset();
  highest_ = 0;
}

bool Agreement::takes_part(std::uint64_t number) {
  // A member that does not know the view before it yet will be asked again. One that is outside has
  // a vote only where everybody has.
  if (number > view_.number && !view_.has(setup_.self, incarnation_)) ask_for(number);
  return number == number_;
}

void Agreement::propose(const View& wish) {
  if (!takes_part(wish.number)) return;
  attempt_ = Attempt{.ballot = {++highest_, setup_.self}, .value = wish, .votes = {}};
  promised_ = attempt_->ballot;
  setup_.spread(RumourKind::kPrepare, [&](ByteWriter& out) {
    out.write(wish.number);
    write_ballot(out, attempt_->ballot);
    std::map<NodeId, Incarnation> left_out = view_.members;
    std::erase_if(left_out, [&](const auto& member) { return wish.has(member.first); });
    out.write(static_cast<std::uint32_t>(left_out.size()));
    for (const auto& [node, incarnation] : left_out) {
      out.write(node);
      out.write(incarnation);
    }
  });
  take_promise(setup_.self, {incarnation_, accepted_});
}

void Agreement::hear(const Rumour& rumour) {
  switch (rumour.kind) {
    case RumourKind::kPrepare:
      return hear_prepare(rumour);
    case RumourKind::kPromise:
      return hear_promise(rumour);
    case RumourKind::kAccept:
      return hear_accept(rumour);
    case RumourKind::kAccepted:
      return hear_accepted(rumour);
    case RumourKind::kDecided:
      return hear_decided(rumour.reader());
    default:
      return;
  }
}

void Agreement::hear_prepare(const Rumour& rumour) {
  ByteReader in = rumour.reader();
  const auto number = in.read<std::uint64_t>();
  const Ballot ballot = read_ballot(in);
  for (auto left = in.read<std::uint32_t>(); left > 0; --left) {
    const auto node = in.read<NodeId>();
    const auto incarnation = in.read<Incarnation>();
    // Who knows better does not help to leave somebody out; and that one says nothing either.
    const bool is_another = node == setup_.self && incarnation != incarnation_;
    if (!is_another && setup_.knows_alive(node)) return;
  }
  in.expect_end();
  if (!takes_part(number)) return;
  highest_ = std::max(highest_, ballot.counter);
  if (ballot <= promised_) return;
  promised_ = ballot;
  setup_.spread(RumourKind::kPromise, [&](ByteWriter& out) {
    out.write(number);
    write_ballot(out, ballot);
    out.write(static_cast<std::uint8_t>(accepted_ ? 1 : 0));
    if (!accepted_) return;
    write_ballot(out, accepted_->ballot);
    accepted_->view.write(out);
  });
}

void Agreement::hear_promise(const Rumour& rumour) {
  ByteReader in = rumour.reader();
  const auto number = in.read<std::uint64_t>();
  const Ballot ballot = read_ballot(in);
  if (!attempt_ || number != attempt_->value.number || ballot != attempt_->ballot) return;
  Vote vote{.incarnation = rumour.incarnation};
  if (in.read<std::uint8_t>() != 0) {
    const Ballot accepted = read_ballot(in);
    vote.accepted = Accepted{accepted, View::read(in)};
    if (vote.accepted->view.number != number) throw CorruptMessage("a promise of another view");
  }
  in.expect_end();
  take_promise(rumour.origin, std::move(vote));
}

void Agreement::take_promise(NodeId node, Vote vote) {
  if (attempt_->is_second_phase) return;
  attempt_->votes[node] = std::move(vote);
  if (!is_quorum(*attempt_)) return;
  if (promised_ != attempt_->ballot) {
    // This process has promised a later ballot since, and cannot accept its own.
    attempt_.reset();
    return;
  }
  const Accepted* newest = nullptr;
  for (const auto& [voter, given] : attempt_->votes) {
    const bool is_newer =
        given.accepted && (newest == nullptr || newest->ballot < given.accepted->ballot);
    if (is_newer && may_be_decided(*given.accepted)) newest = &*given.accepted;
  }
  if (newest != nullptr) attempt_->value = newest->view;
  attempt_->is_second_phase = true;
  attempt_->votes.clear();
  accepted_ = Accepted{attempt_->ballot, attempt_->value};
  setup_.spread(RumourKind::kAccept, [&](ByteWriter& out) {
    write_ballot(out, attempt_->ballot);
    attempt_->value.write(out);
  });
  take_acceptance(setup_.self, incarnation_);
}

// A start needs everybody: one who has not accepted it, and will not any more, is enough.
bool Agreement::may_be_decided(const Accepted& accepted) const {
  if (!accepted.view.is_start) return true;
  return std::ranges::all_of(attempt_->votes, [&](const auto& entry) {
    return entry.second.accepted && entry.second.accepted->ballot == accepted.ballot;
  });
}

void Agreement::hear_accept(const Rumour& rumour) {
  ByteReader in = rumour.reader();
  const Ballot ballot = read_ballot(in);
  const View view = View::read(in);
  in.expect_end();
  if (!takes_part(view.number)) return;
  highest_ = std::max(highest_, ballot.counter);
  if (ballot < promised_) return;
  promised_ = ballot;
  accepted_ = Accepted{ballot, view};
  setup_.spread(RumourKind::kAccepted, [&](ByteWriter& out) {
    out.write(view.number);
    write_ballot(out, ballot);
  });
}

void Agreement::hear_accepted(const Rumour& rumour) {
  ByteReader in = rumour.reader();
  const auto number = in.read<std::uint64_t>();
  const Ballot ballot = read_ballot(in);
  in.expect_end();
  const bool is_ours = attempt_ && attempt_->is_second_phase && number == attempt_->value.number &&
                       ballot == attempt_->ballot;
  if (is_ours) take_acceptance(rumour.origin, rumour.incarnation);
}

void Agreement::take_acceptance(NodeId node, Incarnation incarnation) {
  attempt_->votes[node] = {incarnation};
  if (!is_quorum(*attempt_)) return;
  const Attempt done = *std::exchange(attempt_, std::nullopt);
  setup_.spread(RumourKind::kDecided, [&](ByteWriter& out) {
    write_ballot(out, done.ballot);
    done.value.write(out);
  });
  set_view(done.value, done.ballot);
  setup_.decided(done.value);
}

bool Agreement::is_quorum(const Attempt& attempt) const {
  if (attempt.votes.size() == setup_.nodes) return true;
  if (view_.number == 0 || attempt.value.is_start) return false;
  std::size_t members = 0;
  for (const auto& [node, vote] : attempt.votes)
    members += view_.has(node, vote.incarnation) ? 1 : 0;
  if (setup_.on_partition == OnPartition::kStop) return 2 * members > view_.members.size();
  return std::ranges::all_of(view_.members, [&](const auto& member) {
    const auto vote = attempt.votes.find(member.first);
    return !attempt.value.has(member.first, member.second) ||
           (vote != attempt.votes.end() && vote->second.incarnation == member.second);
  });
}

// Of two views the one that this process goes with. Of two that went their own ways it is the
// larger.
bool Agreement::is_newer(const View& view) const {
  if (setup_.on_partition == OnPartition::kStop) return view.number > view_.number;
  if (view == view_ || view_.follows(view)) return false;
  if (view.follows(view_)) return true;
  const auto rank = [](const View& one) {
    const NodeId lowest = one.members.empty() ? ~NodeId{0} : one.members.begin()->first;
    return std::tuple(one.members.size(), ~lowest, one.digest());
  };
  return rank(view) > rank(view_);
}

void Agreement::write_decided(ByteWriter& out) const {
  write_ballot(out, view_ballot_);
  view_.write(out);
}

void Agreement::hear_decided(ByteReader in) {
  const Ballot ballot = read_ballot(in);
  const View view = View::read(in);
  in.expect_end();
  if (view.number == 0 || !is_newer(view)) return;
  // One that only dead processes had accepted: those who are here have accepted another since.
  const bool is_void =
      accepted_ && number_ == view.number && ballot < accepted_->ballot && accepted_->view != view;
  if (is_void) return;
  set_view(view, ballot);
  setup_.decided(view);
}

}  // namespace gossamer
