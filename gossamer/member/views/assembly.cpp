#include "gossamer/member/views/assembly.hpp"

#include <algorithm>
#include <utility>

#include "gossamer/base/rng.hpp"

namespace gossamer {
namespace {

constexpr Duration kCandidacyPause = std::chrono::seconds(1);

// Of several that would propose the same each one waits for those before it.
constexpr Duration kTurn = std::chrono::milliseconds(200);

// An attempt takes four times the way through the graph. How long that is nobody knows.
constexpr Duration kFirstPause = std::chrono::milliseconds(500);
constexpr std::uint32_t kMostDoublings = 6;

// For so long after an attempt somebody counts as trying to agree.
constexpr Duration kPendingFor = std::chrono::minutes(2);

}  // namespace

Assembly::Assembly(Setup setup)
    : setup_(std::move(setup)),
      rumours_(setup_.self, setup_.nodes, setup_.send),
      news_(setup_.nodes),
      agreement_({.self = setup_.self,
                  .nodes = setup_.nodes,
                  .on_partition = setup_.on_partition,
                  .spread = [this](RumourKind kind,
                                   const auto& fill) { (void)rumours_.spread(kind, fill); },
                  .knows_alive =
                      [this](NodeId node) {
                        return node == setup_.self ? is_running_ : setup_.knows_alive(node);
                      },
                  .decided = [this](const View& view) { adopt(view); }}) {}

Assembly::Status Assembly::status() const {
  if (!view_.has(setup_.self, incarnation())) return Status::kOutside;
  return is_running_ ? Status::kRunning : Status::kAdmitted;
}

void Assembly::ask_in(Incarnation incarnation, const Presence& presence) {
  rumours_.live_as(incarnation);
  agreement_.live_as(incarnation);
  presence_ = presence;
  is_running_ = false;
  edges_.clear();
  wish_.reset();
  pending_since_.reset();
  next_candidacy_ = setup_.now();
}

void Assembly::run_with(const std::map<NodeId, EdgeName>& edges) {
  if (is_running_ && edges == edges_) return;
  is_running_ = true;
  edges_ = edges;
  next_candidacy_ = Time::max();
  candidates_.erase(setup_.self);
  tell_news();
}

void Assembly::tell_news() {
  const News own{incarnation(), is_running_, edges_};
  news_.note(setup_.self, own,
             rumours_.spread(RumourKind::kNews, [&](ByteWriter& out) { own.write(out); }));
}

void Assembly::tell_candidacy() {
  candidates_[setup_.self] = {incarnation(), presence_, setup_.now()};
  (void)rumours_.spread(RumourKind::kCandidacy, [&](ByteWriter& out) { presence_.write(out); });
  next_candidacy_ = setup_.now() + kCandidacyPause;
}

bool Assembly::is_running(NodeId node) const {
  const auto member = view_.members.find(node);
  if (member == view_.members.end()) return false;
  const auto beginner = beginners_.find(node);
  const bool has_begun = beginner != beginners_.end() && beginner->second == member->second;
  return has_begun || news_.is_running(node, view_);
}

bool Assembly::reaches(NodeId node) const {
  return news_.reachable_from(setup_.self, view_)[node];
}

void Assembly::tell_all(NodeId partner) {
  if (view_.number > 0) {
    setup_.send(partner, make_aside(AsideKind::kView,
                                    [&](ByteWriter& out) { agreement_.write_decided(out); }));
  }
  for (const Message& rumour : news_.rumours(view_))
    setup_.send(partner, rumour);
}

void Assembly::partner_back(NodeId partner) {
  tell_all(partner);
  if (next_candidacy_ != Time::max()) tell_candidacy();
}

std::optional<Rumour> Assembly::hear(const Aside& aside) {
  if (aside.kind == AsideKind::kView) {
    const View before = view_;
    agreement_.hear_decided(aside.reader());
    // It was told to this process alone, and others behind it may not know.
    if (view_ != before) {
      (void)rumours_.spread(RumourKind::kDecided,
                            [&](ByteWriter& out) { agreement_.write_decided(out); });
    }
    return std::nullopt;
  }
  std::optional<Rumour> rumour = rumours_.hear(aside);
  if (!rumour) return std::nullopt;
  switch (rumour->kind) {
    case RumourKind::kNews: {
      ByteReader in = rumour->reader();
      News news = News::read(in, rumour->incarnation);
      const auto candidate = candidates_.find(rumour->origin);
      const bool is_let_in = candidate != candidates_.end() && news.is_running &&
                             candidate->second.incarnation == news.incarnation;
      if (is_let_in) candidates_.erase(candidate);
      news_.note(rumour->origin, std::move(news), rumour->aside);
      break;
    }
    case RumourKind::kCandidacy:
      hear_candidacy(*rumour);
      break;
    case RumourKind::kPrepare:
      if (!pending_since_ || pending_until_ < setup_.now()) pending_since_ = setup_.now();
      pending_until_ = setup_.now() + kPendingFor;
      agreement_.hear(*rumour);
      break;
    case RumourKind::kPromise:
    case RumourKind::kAccept:
    case RumourKind::kAccepted:
    case RumourKind::kDecided:
      agreement_.hear(*rumour);
      break;
    case RumourKind::kLoss:
    case RumourKind::kHasMean:
      break;
  }
  return rumour;
}

void Assembly::hear_candidacy(const Rumour& rumour) {
  ByteReader in = rumour.reader();
  candidates_[rumour.origin] = {rumour.incarnation, Presence::read(in), setup_.now()};
  in.expect_end();
  // It may not have heard that it was let in, or on what the others have agreed since.
  if (rumour.is_first_hand() && view_.number > 0) tell_all(rumour.from);
}

void Assembly::adopt(const View& view) {
  for (const auto& [node, incarnation] : view_.members) {
    // What a life that was left out had asked for counts for nothing: if it is there, it will begin
    // another one.
    const auto candidate = candidates_.find(node);
    const bool is_void = candidate != candidates_.end() && !view.has(node) &&
                         candidate->second.incarnation == incarnation;
    if (is_void) candidates_.erase(candidate);
  }
  view_ = view;
  if (view.is_start) beginners_ = view.members;
  wish_.reset();
  attempts_ = 0;
  next_attempt_ = Time::max();
  pending_since_.reset();
  setup_.changed();
}

bool Assembly::is_fresh(const Candidate& candidate) const {
  return setup_.now() - candidate.heard < setup_.freshness;
}

std::optional<std::string> Assembly::objection(NodeId node) const {
  const Candidate& candidate = candidates_.at(node);
  Presence as_theirs = presence_;
  as_theirs.saved = candidate.presence.saved;  // it may come with a checkpoint or without
  return disagreement(setup_.self, as_theirs, node, candidate.presence);
}

std::optional<View> Assembly::wish(const std::set<NodeId>& doubted) const {
  if (status() != Status::kRunning) return start();
  View next = view_.next();
  next.members = view_.members;
  for (const NodeId node : doubted)
    next.members.erase(node);
  for (const auto& [node, candidate] : candidates_) {
    if (node == setup_.self || !is_fresh(candidate) || objection(node)) continue;
    // It asked before it died.
    if (doubted.contains(node) && view_.has(node, candidate.incarnation)) continue;
    next.members[node] = candidate.incarnation;
    next.bridged.erase(node);
  }
  if (next.members == view_.members && next.bridged == view_.bridged) return std::nullopt;
  return next;
}

bool Assembly::nobody_runs() const {
  return candidates_.size() == setup_.nodes &&
         std::ranges::all_of(candidates_, [this](const auto& entry) {
           // Those who were just told to begin have yet to say that they have.
           const auto beginner = beginners_.find(entry.first);
           const bool begins = beginner != beginners_.end() &&
                               beginner->second == entry.second.incarnation &&
                               view_.has(entry.first, beginner->second);
           return is_fresh(entry.second) && !begins;
         });
}

// When nobody is running, those begin who have come farthest together, and let the others in.
std::optional<View> Assembly::start() const {
  if (!nobody_runs()) return std::nullopt;
  std::map<NodeId, Presence> everyones;
  for (const auto& [node, candidate] : candidates_)
    everyones[node] = candidate.presence;
  const Result<Beginners> beginners = who_begins(setup_.self, everyones);
  if (!beginners || (view_.number > 0 && view_.settings != presence_.digest())) return std::nullopt;
  View next = view_.next();
  next.bridged.clear();
  next.is_start = true;
  next.settings = presence_.digest();
  next.resumed_from = beginners.value().from;
  for (const NodeId node : beginners.value().nodes)
    next.members[node] = candidates_.at(node).incarnation;
  return next;
}

void Assembly::tick(const std::set<NodeId>& doubted) {
  if (next_candidacy_ <= setup_.now()) tell_candidacy();
  std::optional<View> wish = this->wish(doubted);
  if (!wish) {
    wish_.reset();
    attempts_ = 0;
    next_attempt_ = Time::max();
    return;
  }
  if (!wish_ || wish_->members != wish->members) {
    attempts_ = 0;
    const auto members = wish->members;
    const auto rank = std::distance(members.begin(), members.lower_bound(setup_.self));
    next_attempt_ = setup_.now() + rank * kTurn;
    if (!pending_since_) pending_since_ = setup_.now();
  }
  wish_ = std::move(wish);
  if (setup_.now() < next_attempt_) return;
  pending_until_ = setup_.now() + kPendingFor;
  next_attempt_ = setup_.now() + pause();
  ++attempts_;
  // It may be decided at once, which forgets the wish.
  const View proposed = *wish_;
  agreement_.propose(proposed);
}

Duration Assembly::pause() const {
  const Duration base = kFirstPause * (1u << std::min(attempts_, kMostDoublings));
  Rng rng(RngKey{.seed = incarnation(),
                 .purpose = Purpose::kSchedule,
                 .node = setup_.self,
                 .round = attempts_});
  return base +
         Duration(static_cast<std::int64_t>(rng.uniform() * static_cast<double>(base.count())));
}

Time Assembly::due() const {
  return std::min(next_candidacy_, next_attempt_);
}

std::optional<Time> Assembly::pending_since() const {
  if (pending_since_ && setup_.now() <= pending_until_) return pending_since_;
  return std::nullopt;
}

std::vector<NodeId> Assembly::missing() const {
  std::vector<NodeId> missing;
  for (NodeId node = 0; node < setup_.nodes; ++node) {
    if (!view_.has(node) && !candidates_.contains(node)) missing.push_back(node);
  }
  return missing;
}

}  // namespace gossamer
