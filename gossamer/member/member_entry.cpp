// The part of Member that comes into a run: agrees with the others, begins with them, or joins
// them.

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "gossamer/member/member.hpp"
#include "gossamer/member/roll_call.hpp"
#include "gossamer/member/waiting_room.hpp"

namespace gossamer {
namespace {

// Who waits looks again after so long.
constexpr Duration kLookAtDoor = std::chrono::seconds(1);

// A neighbour that computes may take its time to refuse this node.
constexpr Duration kRefusalTakes = std::chrono::seconds(5);

std::string names_of(const std::vector<NodeId>& nodes) {
  if (nodes.empty()) return "nobody that is running";
  std::string names;
  for (const NodeId node : nodes)
    names += fmt::format("{}node {}", names.empty() ? "" : ", ", node);
  return names;
}

}  // namespace

// The round to go on from, if all go on with a run. Joins one that is under way instead.
std::optional<Round> Member::agree() {
  try {
    RollCall call(host_, setup_.process->partners, setup_.network.size(), presence(), setup_.stop);
    const auto everyones = call.wait(host_.now() + setup_.patience, setup_.process->can_return
                                                                        ? RollCall::Absent::kMayCome
                                                                        : RollCall::Absent::kLost);
    if (!everyones) {
      stop_early();
      return std::nullopt;
    }
    if (!resumes()) return std::nullopt;
    const std::optional<Round> common = newest_common_round(*everyones);
    if (!common) throw RunEnded("there is no round of which every node has a whole checkpoint");
    if (*common >= setup_.rounds) {
      throw RunEnded(fmt::format(
          "the run has completed {} rounds already; give more --rounds or --epochs", *common));
    }
    return common;
  } catch (const RunEnded& end) {
    end_for_all(Failure::Kind::kRefused, "agreement", end.what());
  }
}

bool Member::drops() const {
  return setup_.process && setup_.process->on_peer_loss == OnPeerLoss::kDrop;
}

// Comes into a run that goes on without lost nodes: begins it with all others, or joins it.
std::optional<Round> Member::come_in() {
  look_after_edges();
  // All must come within the patience; where there is a run already, it may need longer to agree.
  const Time first_deadline = host_.now() + setup_.patience;
  const Time deadline = host_.now() + std::max(setup_.patience, setup_.process->rejoin_for);
  for (;; ++incarnation_) {
    try {
      host_.membership()->ask_in(incarnation_, presence());
      do {
        if (!wait_to_be_let_in(first_deadline)) {
          stop_early();
          return std::nullopt;
        }
        const View& view = host_.membership()->assembly().view();
        if (view.is_start) return begin_together(view.resumed_from);
      } while (!join(deadline));
      return std::nullopt;
    } catch (const RunEnded& end) {
      throw RunFailed(failure(Failure::Kind::kRefused, "agreement", end.what()));
    } catch (const CutOff&) {
      // Let in, and cut off again before it was there.
    }
  }
}

std::optional<Round> Member::begin_together(std::optional<Round> from) {
  if (from && *from >= setup_.rounds) {
    throw RunEnded(fmt::format(
        "the run has completed {} rounds already; give more --rounds or --epochs", *from));
  }
  if (from) resume(*from);
  host_.membership()->begin_with_all();
  node().read_weights();
  return from;
}

// False: somebody wants to stop.
bool Member::wait_to_be_let_in(Time deadline) {
  Membership& membership = *host_.membership();
  const Time begin = host_.now();
  WaitingRoom room(host_, setup_.stop);
  while (membership.assembly().status() == Assembly::Status::kOutside) {
    expect_agreement();
    membership.expect_company(node());
    const std::optional<Aside> aside =
        room.next_aside(host_.now() + kLookAtDoor, membership.assembly().missing());
    if (room.is_stopped()) return false;
    if (aside && aside->kind == AsideKind::kRefusal) hear_refusal(*aside);
    if (aside && aside->kind == AsideKind::kRollCall) expect_agreement_with(*aside);
    if (aside) upkeep_->hear(*aside);
    const bool is_over = host_.now() >= deadline && membership.assembly().view().number == 0;
    const Time latest = begin + std::max(setup_.patience, setup_.process->rejoin_for);
    if (!aside && (is_over || host_.now() >= latest)) {
      throw RunEnded(fmt::format(
          "node {} has waited {:.0f} s to be let in; nothing was heard of {}", node().id(),
          seconds(host_.now() - begin), names_of(membership.assembly().missing())));
    }
  }
  return true;
}

void Member::stop_early() {
  is_stopped_early_ = true;
  setup_.network.forget_absent();
}

// Where nobody is running, all must agree before they can begin; where somebody is, that one
// judges.
void Member::expect_agreement() {
  const Assembly& assembly = host_.membership()->assembly();
  if (assembly.view().number > 0) {
    // There is a run, and who does not fit into it ends alone. A neighbour that is in it says why.
    if (assembly.view().settings == presence().digest()) return;
    if (!differs_since_) differs_since_ = host_.now();
    if (host_.now() - *differs_since_ < kRefusalTakes) return;
    throw RunEnded("a run is under way that was started with other settings");
  }
  if (!assembly.nobody_runs()) return;
  std::map<NodeId, Presence> everyones;
  for (const auto& [id, candidate] : assembly.candidates())
    everyones[id] = candidate.presence;
  const Result<Beginners> beginners = who_begins(node().id(), everyones);
  if (!beginners) throw RunEnded(beginners.error().message);
}

void Member::hear_refusal(const Aside& aside) const {
  ByteReader in = aside.reader();
  // One for an earlier life may come late.
  if (in.read<Incarnation>() == incarnation_) throw RunEnded(in.read_text());
}

// One that was started to stop when a peer is lost calls a roll.
void Member::expect_agreement_with(const Aside& roll_call) {
  host_.membership()->refuse_roll_call(roll_call);
  const std::optional<Presence> theirs = RollCall::presence_of_sender(roll_call);
  if (!theirs) return;
  if (const auto reason = disagreement(node().id(), presence(), roll_call.from, *theirs))
    throw RunEnded(*reason);
}

// False: all begin together instead.
bool Member::join(Time deadline) {
  const std::vector<Round> saved = resumes() ? rounds_to_resume() : std::vector<Round>();
  if (!saved.empty()) load(saved.back());
  leave_all_edges();
  has_joined_ =
      upkeep_->join(saved.empty() ? Joins::Hands::kEmpty : Joins::Hands::kFull, deadline, [&] {
        tell_beginning();
        host_.events().emit(node().round(),
                            Joined{saved.empty() ? std::nullopt : std::optional(saved.back())});
      });
  return has_joined_;
}

void Member::leave_all_edges() {
  host_.membership()->begin_alone();
  node().read_weights();
  algorithm_->welcome(node());
}

// False: this node was cut off.
bool Member::keep_edges() {
  try {
    if (upkeep_) upkeep_->between_rounds();
    return true;
  } catch (const CutOff&) {
    return false;
  }
}

// The others went on without this node: it begins another life, with the model that it has.
void Member::rejoin() {
  const Time deadline = host_.now() + setup_.process->rejoin_for;
  for (;;) {
    try {
      ++incarnation_;
      leave_all_edges();
      Presence present = presence();
      present.completed = node().round();
      host_.membership()->ask_in(incarnation_, present);
      do {
        if (!wait_to_be_let_in(deadline)) return stop_early();
        if (host_.membership()->assembly().view().is_start) {
          // Nobody was farther: the others join this one.
          host_.membership()->begin_with_all();
          node().read_weights();
          return;
        }
        leave_all_edges();
      } while (!upkeep_->join(Joins::Hands::kFull, deadline, [&] {
        host_.events().emit(node().round(), Joined{node().round()});
      }));
      return;
    } catch (const CutOff&) {
      // Let in, and cut off again before it was there.
    }
  }
}

}  // namespace gossamer
