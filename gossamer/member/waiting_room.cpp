#include "gossamer/member/waiting_room.hpp"

#include <algorithm>

namespace gossamer {
namespace {

// How often it looks, and for how long others are heard out: at once, for a person who has pressed
// Ctrl-C, and long for news that are on their way.
constexpr Duration kSlice = std::chrono::milliseconds(100);
constexpr Duration kMoment = std::chrono::milliseconds(500);

std::string reason_for(NodeId peer, const std::vector<Trouble>& troubles) {
  const auto found = std::ranges::find(troubles, peer, &Trouble::peer);
  // Of a node that is no neighbour only others can know more.
  return found == troubles.end() ? "nothing was heard of it" : found->reason;
}

}  // namespace

WaitingRoom::WaitingRoom(NodeHost& host, StopLine* stop)
    : host_(host), stop_(stop), begin_(host.now()), next_told_(begin_ + kTellEvery) {}

std::optional<Aside> WaitingRoom::next_aside(Time deadline, const std::vector<NodeId>& missing) {
  for (look_for_stop(); !is_stopped_; look_for_stop()) {
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

void WaitingRoom::look_for_stop() {
  if (stop_ == nullptr || is_stopped_) return;
  if (stop_->is_requested() && !stop_seen_) stop_seen_ = host_.now();
  const bool is_time = stop_seen_ && host_.now() >= *stop_seen_ + kMoment;
  is_stopped_ = is_time ? stop_->stop_before_begin() : stop_->line() == Round{0};
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
