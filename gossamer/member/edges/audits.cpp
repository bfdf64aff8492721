#include "gossamer/member/edges/audits.hpp"

#include <vector>

#include <fmt/format.h>

namespace gossamer {

bool Audits::is_due() const {
  const Round round = node_.round();
  return setup_.every > 0 && round > 0 && round % setup_.every == 0 &&
         setup_.algorithm.copies() != nullptr;
}

void Audits::compare() {
  EdgeCopies& copies = *setup_.algorithm.copies();
  for (const Neighbour& neighbour : node_.neighbours()) {
    host_.send_aside(neighbour.peer, make_aside(AsideKind::kAudit, [&](ByteWriter& out) {
                       out.write(copies.own_digest(neighbour.peer));
                     }));
  }
  std::vector<NodeId> wrong;
  wait_for_neighbours(AsideKind::kAudit, [&](NodeId peer, ByteReader in) {
    const bool is_equal = in.read<std::uint64_t>() == copies.copy_digest(peer);
    if (!is_equal) wrong.push_back(peer);
    host_.send_aside(peer, make_aside(AsideKind::kVerdict, [&](ByteWriter& out) {
                       out.write(static_cast<std::uint8_t>(is_equal ? 1 : 0));
                     }));
  });
  wait_for_neighbours(AsideKind::kVerdict, [&](NodeId peer, ByteReader in) {
    if (in.read<std::uint8_t>() != 0) return;
    host_.send_aside(peer, make_aside(AsideKind::kRepair,
                                      [&](ByteWriter& out) { copies.write_own(peer, out); }));
  });
  for (const NodeId peer : wrong)
    repair(peer);
}

void Audits::repair(NodeId peer) {
  const std::optional<Aside> whole = wait_for(AsideKind::kRepair, peer);
  if (!whole) return;
  ByteReader in = whole->reader();
  setup_.algorithm.copies()->read_copy(peer, in);
  in.expect_end();
  ++repairs_;
  host_.events().emit(node_.round(), CopyRepaired{peer});
}

template <typename Got>
void Audits::wait_for_neighbours(AsideKind kind, const Got& got) {
  for (const Neighbour& neighbour : node_.neighbours()) {
    if (const std::optional<Aside> answer = wait_for(kind, neighbour.peer))
      got(neighbour.peer, answer->reader());
  }
}

// Nothing if the neighbour is lost, and the run goes on without it.
std::optional<Aside> Audits::wait_for(AsideKind kind, NodeId peer) {
  const Time deadline = host_.now() + setup_.patience;
  for (;;) {
    // One of an earlier round is of an audit that a loss has cut short.
    const auto answer = answers_.extract({kind, peer});
    if (answer && answer.mapped().round == node_.round()) return answer.mapped();
    node_.expect_present(peer);
    if (node_.is_lost(peer) ||
        (host_.membership() != nullptr && !host_.membership()->is_live(peer)))
      return std::nullopt;
    if (setup_.hear_next(deadline)) continue;
    if (host_.membership() != nullptr) {
      host_.membership()->lose(peer, node_.round(), "it did not answer an audit");
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
