#include "gossamer/member/edges/upkeep.hpp"

#include <utility>

namespace gossamer {
namespace {

constexpr Time kPoll{};

// Who waits for news looks again after so long.
constexpr Duration kLookForNews = std::chrono::milliseconds(100);

}  // namespace

Upkeep::Upkeep(const Setup& setup)
    : host_(setup.host),
      audits_({.host = setup.host,
               .algorithm = setup.algorithm,
               .every = setup.audit_every,
               .patience = setup.patience,
               .hear_next = [this](Time deadline) { return hear_next(deadline); }}) {
  if (host_.membership() == nullptr) return;
  joins_.emplace(Joins::Setup{.host = setup.host,
                              .algorithm = setup.algorithm,
                              .patience = setup.patience,
                              .rounds = setup.rounds,
                              .show_model = setup.show_model,
                              .hear_next = [this](Time deadline) { return hear_next(deadline); }});
}

bool Upkeep::hear_in_round(const Aside& aside) {
  return joins_ && !is_between_rounds_ && joins_->hear_in_round(aside);
}

void Upkeep::between_rounds() {
  // A node that has just joined finds the others after their audit of this round.
  const bool has_joined = std::exchange(is_between_rounds_, true);
  while (hear_next(kPoll)) {
  }
  if (audits_.is_due() && !has_joined) audits_.compare();
  if (joins_) {
    host_.membership()->tick();
    wait_for_majority();
    joins_->make_edges();
  }
  is_between_rounds_ = false;
}

// One that is among few takes no round: another part of the run may go on. Either news come of an
// edge to the others, or it joins them anew.
void Upkeep::wait_for_majority() {
  Membership& membership = *host_.membership();
  for (membership.expect_majority(); membership.is_among_few(); membership.expect_majority())
    (void)hear_next(host_.now() + kLookForNews);
}

bool Upkeep::join(Joins::Hands hands, Time deadline, const std::function<void()>& taken_in) {
  expects(joins_.has_value(), "a run that takes nodes in goes on without lost ones");
  is_between_rounds_ = true;
  return joins_->join(hands, deadline, taken_in);
}

bool Upkeep::hear_next(Time deadline) {
  const std::optional<Aside> aside = host_.next_aside(deadline);
  if (!aside) return false;
  hear(*aside);
  return true;
}

void Upkeep::hear(const Aside& aside) {
  switch (aside.kind) {
    case AsideKind::kAudit:
    case AsideKind::kVerdict:
    case AsideKind::kRepair:
      audits_.hear(aside);
      break;
    default:
      if (joins_) joins_->hear(aside);
  }
}

}  // namespace gossamer
