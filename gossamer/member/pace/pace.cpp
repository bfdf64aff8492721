#include "gossamer/member/pace/pace.hpp"

#include <algorithm>
#include <cmath>

namespace gossamer {
namespace {

constexpr float kMuch = 0.5f;

float read_share(ByteReader& in) {
  const auto share = in.read<float>();
  if (!(share >= 0.0f && share <= 1.0f)) throw CorruptMessage("a share is between 0 and 1");
  return share;
}

NodeId read_node(ByteReader& in, NodeId nodes) {
  const auto node = in.read<NodeId>();
  if (node >= nodes) throw CorruptMessage("a node of another run");
  return node;
}

void write_slowness(ByteWriter& out, const Slowness& slowness) {
  out.write(slowness.peer);
  out.write(slowness.other.value_or(slowness.peer));
  out.write(static_cast<std::uint8_t>(slowness.cause));
  out.write(slowness.share);
  out.write(slowness.hops);
}

Slowness read_slowness(ByteReader& in, NodeId nodes) {
  Slowness slowness{.peer = read_node(in, nodes)};
  const NodeId other = read_node(in, nodes);
  if (other != slowness.peer) slowness.other = other;
  const auto cause = in.read<std::uint8_t>();
  if (cause > static_cast<std::uint8_t>(SlowPeer::Cause::kComputation))
    throw CorruptMessage("a cause of no kind");
  slowness.cause = static_cast<SlowPeer::Cause>(cause);
  slowness.share = read_share(in);
  slowness.hops = in.read<NodeId>();
  return slowness;
}

// Whether it has more than one, and so shows by not waiting for the others that its own connection
// is good.
bool has_other_neighbours(const Pace& pace) {
  return pace.waits.size() > 1;
}

// Of two who wait for nobody but each other.
std::optional<Slowness> slow_link(NodeId self, const Pace& own, NodeId peer, const Pace& theirs) {
  Slowness slowness{.peer = std::min(self, peer), .other = std::max(self, peer)};
  slowness.share = own.share_of(peer);
  if (has_other_neighbours(own) && has_other_neighbours(theirs)) return slowness;
  slowness.other.reset();
  slowness.peer = has_other_neighbours(own) ? peer : self;
  if (has_other_neighbours(own) || has_other_neighbours(theirs)) return slowness;
  return std::nullopt;
}

// A node that hardly waits, and is waited for.
std::optional<Slowness> own_computation(NodeId self, const std::map<NodeId, Pace>& others) {
  float share = 0.0f;
  for (const auto& [peer, pace] : others) {
    if (pace.awaited() == std::vector{self}) share = std::max(share, pace.share_of(self));
  }
  if (share == 0.0f) return std::nullopt;
  return Slowness{.peer = self, .cause = SlowPeer::Cause::kComputation, .share = share};
}

// What all of them think, if it is the same.
std::optional<Slowness> common_cause(const std::vector<const Pace*>& paces) {
  std::optional<Slowness> common = paces.front()->cause;
  for (const Pace* const pace : paces) {
    if (!common || !pace->cause || !pace->cause->is(*common)) return std::nullopt;
    common->hops = std::max(common->hops, pace->cause->hops);
  }
  return common;
}

}  // namespace

float Pace::share_of(NodeId peer) const {
  const auto found = std::ranges::find(waits, peer, &Wait::peer);
  return found == waits.end() ? 0.0f : found->share;
}

std::vector<NodeId> Pace::awaited() const {
  const auto longest = std::ranges::max_element(waits, {}, &Wait::share);
  if (longest == waits.end() || longest->share <= kMuch) return {};
  std::vector<NodeId> peers;
  for (const Wait& wait : waits) {
    if (2 * wait.share > longest->share) peers.push_back(wait.peer);
  }
  return peers;
}

void Pace::write(ByteWriter& out) const {
  out.write(waiting);
  out.write(static_cast<std::uint32_t>(waits.size()));
  for (const Wait& wait : waits) {
    out.write(wait.peer);
    out.write(wait.share);
  }
  out.write(static_cast<std::uint8_t>(cause ? 1 : 0));
  if (cause) write_slowness(out, *cause);
}

Pace Pace::read(ByteReader& in, NodeId nodes) {
  Pace pace{.waiting = read_share(in)};
  const auto count = in.read<std::uint32_t>();
  if (count > nodes) throw CorruptMessage("more waits than nodes");
  for (std::uint32_t i = 0; i < count; ++i) {
    const NodeId peer = read_node(in, nodes);
    pace.waits.push_back({peer, read_share(in)});
  }
  if (in.read<std::uint8_t>() != 0) pace.cause = read_slowness(in, nodes);
  in.expect_end();
  return pace;
}

std::optional<Slowness> find_slowness(NodeId self, NodeId nodes, const Pace& own,
                                      const std::map<NodeId, Pace>& others) {
  const std::vector<NodeId> awaited = own.awaited();
  if (awaited.empty()) return own.waiting <= kMuch ? own_computation(self, others) : std::nullopt;
  std::vector<const Pace*> theirs;
  float share = 0.0f;
  for (const NodeId peer : awaited) {
    const auto found = others.find(peer);
    if (found == others.end()) return std::nullopt;
    theirs.push_back(&found->second);
    share = std::max(share, own.share_of(peer));
  }
  const bool is_one = awaited.size() == 1;
  if (is_one && theirs.front()->waiting <= kMuch)
    return Slowness{
        .peer = awaited.front(), .cause = SlowPeer::Cause::kComputation, .share = share};
  const bool is_mutual = std::ranges::all_of(
      theirs, [&](const Pace* pace) { return pace->awaited() == std::vector{self}; });
  if (is_mutual && is_one) return slow_link(self, own, awaited.front(), *theirs.front());
  if (is_mutual) {
    const bool is_compared =
        std::ranges::any_of(theirs, [](const Pace* pace) { return has_other_neighbours(*pace); });
    return is_compared ? std::optional<Slowness>({.peer = self, .share = share}) : std::nullopt;
  }
  std::optional<Slowness> passed_on = common_cause(theirs);
  if (!passed_on || passed_on->hops + 1 >= nodes) return std::nullopt;
  passed_on->share = share;
  ++passed_on->hops;
  return passed_on;
}

}  // namespace gossamer
