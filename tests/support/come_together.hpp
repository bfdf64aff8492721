#pragma once

#include "gossamer/member/node_host.hpp"

namespace gossamer::testing {

/// Lets a node begin with all others, in a run that goes on without those it loses. What a Member
/// does before its first round.
inline void come_together(NodeHost& host) {
  host.go_on_without_lost([](Membership::Setup setup) {
    setup.patience = std::chrono::hours(1);
    return setup;
  });
  Membership& membership = *host.membership();
  membership.ask_in(host.node().id() + 1, Presence{});
  membership.tick();
  while (membership.assembly().status() == Assembly::Status::kOutside)
    (void)host.next_aside(Time::max());
  membership.begin_with_all();
  host.node().read_weights();
}

}  // namespace gossamer::testing
