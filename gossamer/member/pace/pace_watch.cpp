#include "gossamer/member/pace/pace_watch.hpp"

#include <algorithm>
#include <utility>

namespace gossamer {
namespace {

float share_of(Duration part, Duration whole) {
  const double share = static_cast<double>(part.count()) / static_cast<double>(whole.count());
  return static_cast<float>(std::clamp(share, 0.0, 1.0));
}

Duration waited_by(const Node& node) {
  return node.timeline().spent().by_phase[static_cast<std::size_t>(Phase::kWait)];
}

}  // namespace

PaceWatch::PaceWatch(NodeHost& host, std::vector<NodeId> partners, NodeId endpoints)
    : host_(host),
      partners_(std::move(partners)),
      endpoints_(endpoints),
      waited_for_(partners_.size()) {
  host_.node().count_waits();
}

void PaceWatch::between_rounds() {
  const Node& node = host_.node();
  // The time of the last change of phase is near enough, and costs nothing.
  const Time now = node.timeline().since();
  if (!begin_) return begin_window(now);
  if (now - *begin_ < kWindow || node.round() < first_round_ + kRounds) return;
  Pace pace = pace_until(now);
  std::erase_if(heard_, [&](const auto& entry) { return node.is_lost(entry.first); });
  pace.cause = find_slowness(node.id(), endpoints_, pace, heard_);
  tell_partners(pace);
  tell_if_clear(pace.cause);
  begin_window(now);
}

bool PaceWatch::hear(const Aside& aside) {
  if (aside.kind != AsideKind::kPace) return false;
  if (std::ranges::count(partners_, aside.from) == 0) return true;
  try {
    ByteReader in = aside.reader();
    heard_[aside.from] = Pace::read(in, endpoints_);
  } catch (const CorruptMessage&) {
    // It counts as not sent: nothing depends on it.
  }
  return true;
}

Pace PaceWatch::pace_until(Time now) {
  const Node& node = host_.node();
  const Duration window = now - *begin_;
  const auto rounds = static_cast<Duration::rep>(node.round() - first_round_);
  Pace pace{.waiting = share_of(waited_by(node) - waited_, window)};
  for (std::size_t i = 0; i < partners_.size(); ++i) {
    const Duration waited = node.waited_for(partners_[i]) - waited_for_[i];
    const bool counts = waited >= rounds * kLeastWait;
    pace.waits.push_back({partners_[i], counts ? share_of(waited, window) : 0.0f});
  }
  return pace;
}

void PaceWatch::begin_window(Time now) {
  const Node& node = host_.node();
  begin_ = now;
  first_round_ = node.round();
  waited_ = waited_by(node);
  for (std::size_t i = 0; i < partners_.size(); ++i)
    waited_for_[i] = node.waited_for(partners_[i]);
}

void PaceWatch::tell_partners(const Pace& pace) {
  const Message aside = make_aside(AsideKind::kPace, [&](ByteWriter& out) { pace.write(out); });
  for (const NodeId partner : partners_) {
    if (!host_.node().is_lost(partner)) host_.send_aside(partner, aside);
  }
}

void PaceWatch::tell_if_clear(const std::optional<Slowness>& cause) {
  const bool is_clear = cause && last_ && cause->is(*last_);
  last_ = cause;
  if (!is_clear || (told_ && told_->is(*cause))) return;
  told_ = cause;
  host_.events().emit(host_.node().round(),
                      SlowPeer{cause->peer, cause->other, cause->cause, double{cause->share}});
}

}  // namespace gossamer
