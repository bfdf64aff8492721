#include "apps/launch/happenings.hpp"

#include <fmt/format.h>

#include "gossamer/events/sentence.hpp"

namespace gossamer::cli {
namespace {

using Late = SharedLines::Late;

std::string key_of(EventKind kind, NodeId peer) {
  return fmt::format("{} {}", name_of(kind), peer);
}

/// Of those kinds that are told. What two peers see of a third is the same, whatever reason each
/// has: the first one's stands for both.
struct Telling {
  const Event& event;

  [[nodiscard]] Happening of_peer(NodeId peer, EventKind opposite) const {
    return {{.key = key_of(event.kind(), peer), .text = sentence_of(event)},
            key_of(opposite, peer)};
  }

  // Who it is that lost an edge stands before the line.
  [[nodiscard]] Happening of_edge(NodeId peer, std::string text) const {
    return {{.key = key_of(event.kind(), peer), .text = std::move(text), .late = Late::kTold}};
  }

  [[nodiscard]] std::optional<Happening> sentence() const {
    const std::string text = sentence_of(event);
    return Happening{{.key = text, .text = text}};
  }

  std::optional<Happening> operator()(const LinkDown& down) const {
    return of_peer(down.peer, EventKind::kLinkUp);
  }

  std::optional<Happening> operator()(const LinkUp& up) const {
    return of_peer(up.peer, EventKind::kLinkDown);
  }

  std::optional<Happening> operator()(const PeerLost& lost) const {
    return of_peer(lost.peer, EventKind::kPeerBack);
  }

  std::optional<Happening> operator()(const PeerBack& back) const {
    return of_peer(back.peer, EventKind::kPeerLost);
  }

  std::optional<Happening> operator()(const EdgeLost& lost) const {
    return of_edge(lost.peer, fmt::format("the edge to node {} is gone from round {} on: {}",
                                          lost.peer, event.round, lost.reason));
  }

  std::optional<Happening> operator()(const EdgeBack& back) const {
    return of_edge(back.peer, fmt::format("the edge to node {} is back from round {} on", back.peer,
                                          event.round));
  }

  std::optional<Happening> operator()(const Failed&) const {
    std::optional<Happening> failed = sentence();
    failed->is_failure = true;
    return failed;
  }

  std::optional<Happening> operator()(const CallerRefused&) const { return sentence(); }

  std::optional<Happening> operator()(const JoinRefused&) const { return sentence(); }

  std::optional<Happening> operator()(const JoinFailed&) const { return sentence(); }

  std::optional<Happening> operator()(const Joined&) const { return sentence(); }

  std::optional<Happening> operator()(const CopyRepaired&) const { return sentence(); }

  // Of all who wait for the same the first one's reasons stand for the others'.
  std::optional<Happening> operator()(const Waiting& waiting) const {
    std::string key(name_of(event.kind()));
    for (const Waiting::Awaited& awaited : waiting.peers)
      key += fmt::format(" {}", awaited.peer);
    return Happening{{.key = key, .text = sentence_of(event)}};
  }

  std::optional<Happening> operator()(const SlowPeer& slow) const {
    return Happening{
        {.key = fmt::format("{} {}", key_of(event.kind(), slow.peer), name_of(slow.cause)),
         .text = sentence_of(event)}};
  }

  std::optional<Happening> operator()(const Warned&) const { return sentence(); }

  template <typename Other>
  std::optional<Happening> operator()(const Other&) const {
    return std::nullopt;
  }
};

}  // namespace

std::optional<Happening> happening_of(const Event& event) {
  return std::visit(Telling{event}, event.what);
}

}  // namespace gossamer::cli
