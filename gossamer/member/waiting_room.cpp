#include "gossamer/member/waiting_room.hpp"

#include <algorithm>

namespace gossamer {
namespace {

// A person who has pressed Ctrl-C takes this for at once.
constexpr Duration kSlice = std::chrono::milliseconds(100);

std::string reason_for(NodeId peer, const std::vector<Trouble>& troubles) {
  const auto found = std::ranges::find(troubles, peer, &Trouble::peer);
  // Of a node that is no neighbour only others can know more.
  return found == troubles.end() ? "nothing was heard of it" : found->reason;
}

}  // namespace

WaitingRoom::WaitingRoom(NodeHost& host, StopLine* stop)
    : host_(host), stop_(stop), begin_(host.now()), next_told_(begin_ + kTellEvery) {}

std::optional<Aside> WaitingRoom::next_aside(Time deadline, const std::vector<NodeId>& missing) {
  while (!is_stopped()) {
    Time slice = std::min(deadline, next_told_);
    if (stop_ != nullptr) slice = std::min(slice, host_.now() + kSlice);
    if (std::optional<Aside> aside = host_.next_aside(slice)) return aside;
    if (host_.now() >= next_told_) {
      tell(missing);
      next_told_ = host_.now() + kTellEvery;
    }
    if (host_.now() >= deadline) break;
  }
  return std::nullopt;
}

bool WaitingRoom::is_stopped() const {
  return stop_ != nullptr && stop_->is_over_before_begin();
}

void WaitingRoom::tell(const std::vector<NodeId>& missing) const {
  if (!host_.events().wants(EventKind::kWaiting)) return;
  Waiting waiting{{}, seconds(host_.now() - begin_)};
  const std::vector<Trouble> troubles = host_.troubles();
  for (const NodeId peer : missing)
    waiting.peers.push_back({peer, reason_for(peer, troubles)});
  host_.events().emit(host_.node().round(), waiting);
}

}  // namespace gossamer
