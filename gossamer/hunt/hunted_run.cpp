#include "gossamer/hunt/hunted_run.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "gossamer/experiment/partners.hpp"
#include "gossamer/hunt/hostile.hpp"
#include "gossamer/hunt/hunt_config.hpp"
#include "gossamer/hunt/verdict.hpp"
#include "gossamer/hunt/world/disk.hpp"
#include "gossamer/topology/graph.hpp"
#include "gossamer/train/process_run.hpp"
#include "gossamer/train/tune_gamma.hpp"

namespace gossamer {
namespace {

constexpr Duration kLookEvery = std::chrono::seconds(1);

// Nobody is farther ahead of its neighbours than a round or two: a round takes a few messages of
// each, and what is told of losses goes round once.
constexpr std::size_t kMostMessages = 2000;

constexpr std::size_t kRemembered = 50;

class HuntedRun {
 public:
  HuntedRun(const Hunt& hunt, std::unique_ptr<Experiment> experiment,
            std::unique_ptr<Experiment> other)
      : hunt_(hunt),
        experiment_(std::move(experiment)),
        other_(std::move(other)),
        edges_(graph_of(*experiment_->topology).pairs),
        watcher_(*experiment_),
        story_(*this),
        current_(hunt.nodes),
        world_({.size = hunt.nodes,
                .seed = hunt.seed,
                .deadline = kHuntDeadline,
                .start_deadline = kHuntPatience,
                .remembered = is_hostile() ? kRemembered : 0}) {}

  HuntReport run() {
    for (NodeId node = 0; node < hunt_.nodes; ++node)
      start(node, Fault::Kind::kRestartEmptyHanded);
    for (const Fault& fault : hunt_.faults)
      world_.clock().at(fault.at, [this, &fault] { happen(fault); });
    if (hunt_.mended_at) world_.clock().at(*hunt_.mended_at, [this] { mend(); });
    look_later();
    report_.end = world_.run(Time::max());
    for (const std::unique_ptr<HuntedLife>& life : lives_)
      report_.lives.push_back(life->life);
    judge();
    return std::move(report_);
  }

 private:
  /// A process, and where it can be looked at.
  struct HuntedLife {
    Life life;
    std::uint64_t number = 0;
    StopLine stop;
    Member* member = nullptr;
  };

  class Story final : public EventSink {
   public:
    explicit Story(HuntedRun& run) : run_(run) {}

    [[nodiscard]] bool wants(EventKind kind) const noexcept override {
      return kind != EventKind::kSpans && kind != EventKind::kMeasured;
    }

    // Nodes run one at a time.
    void take(const Event& event) noexcept override { run_.hear(event); }

   private:
    HuntedRun& run_;
  };

  [[nodiscard]] bool is_hostile() const {
    return std::ranges::any_of(
        hunt_.faults, [](const Fault& fault) { return fault.kind == Fault::Kind::kHostile; });
  }

  [[nodiscard]] Time now() { return world_.clock().now(); }

  void hear(const Event& event) {
    HuntedLife& life = *current_[event.node];
    if (event.kind() == EventKind::kJoined) watcher_.note_joined(event.node);
    if (event.kind() == EventKind::kRoundDone) check_pace(life.life);
    if (event.kind() == EventKind::kBegan || event.kind() == EventKind::kRoundDone) {
      life.life.round = event.round;
      life.life.progress_at = now();
    }
    if (event.kind() != EventKind::kRoundDone) {
      report_.story.push_back(event);
    } else if (life.member != nullptr) {
      watcher_.see({event.node, life.number, life.life.began_at}, now(), look_at(*life.member));
    }
  }

  /// Where nothing is wrong any more, nobody waits until its patience ends.
  void check_pace(const Life& life) {
    const Duration waited = now() - std::max(life.progress_at, last_fault_);
    if (waited < kHuntPatience || std::exchange(is_slow_, true)) return;
    violate("nobody is held up",
            fmt::format("node {} took {:.3f} s for round {}, at {:.3f} s, with nothing wrong",
                        life.node, seconds(waited), life.round, seconds(now().time_since_epoch())));
  }

  void happen(const Fault& fault) {
    using Kind = Fault::Kind;
    const NodeId node = fault.node;
    last_fault_ = now();
    switch (fault.kind) {
      case Kind::kKill:
        if (world_.is_running(node)) current_[node]->life.was_killed = true;
        world_.kill(node);
        break;
      case Kind::kStop:
        if (world_.is_running(node)) {
          current_[node]->life.was_stopped = true;
          current_[node]->stop.request();
        }
        break;
      case Kind::kRestart:
      case Kind::kRestartEmptyHanded:
      case Kind::kRestartTorn:
      case Kind::kRestartOtherSettings:
        if (!world_.is_running(node)) start(node, fault.kind);
        break;
      case Kind::kPause:
        world_.pause(node);
        break;
      case Kind::kResume:
        world_.resume(node);
        break;
      case Kind::kCut:
        world_.cut(node, fault.other);
        break;
      case Kind::kHeal:
        world_.heal(node, fault.other);
        break;
      case Kind::kSlow:
      case Kind::kFast:
        world_.slow(node, fault.other, fault.kind == Kind::kSlow);
        break;
      case Kind::kPart:
      case Kind::kUnite:
        part(fault.part, fault.kind == Kind::kPart);
        break;
      case Kind::kHostile:
        watcher_.note_hostile(node);
        for (const Arrival& frame : hostile_frames(fault.seed, node, current_[node]->life.round,
                                                   world_.links().remembered()))
          world_.forge(node, fault.other, frame);
        break;
    }
    note_trouble(fault);
  }

  void part(const std::vector<NodeId>& nodes, bool is_cut) {
    const auto is_in = [&](NodeId node) { return std::ranges::count(nodes, node) > 0; };
    for (NodeId a = 0; a < hunt_.nodes; ++a) {
      for (NodeId b = 0; b < hunt_.nodes; ++b) {
        if (is_in(a) == is_in(b)) continue;
        if (is_cut) {
          world_.cut(a, b);
        } else {
          world_.heal(a, b);
        }
      }
    }
  }

  void note_trouble(const Fault& fault) {
    for (NodeId node = 0; node < hunt_.nodes; ++node) {
      if (node != fault.node) watcher_.note_trouble(fault.node, node, now());
      for (const NodeId other : fault.part) {
        if (node != other) watcher_.note_trouble(node, other, now());
      }
    }
    note_connected();
  }

  void note_connected() {
    std::vector<NodeId> reached = {0};
    for (std::size_t k = 0; k < reached.size(); ++k) {
      for (const auto& [a, b] : edges_) {
        if (a != reached[k] && b != reached[k]) continue;
        const NodeId next = a == reached[k] ? b : a;
        const bool is_new = std::ranges::count(reached, next) == 0;
        if (is_new && world_.links().can_connect(a, b)) reached.push_back(next);
      }
    }
    watcher_.note_connected(reached.size() == hunt_.nodes, now());
  }

  /// From now on nothing is wrong any more.
  void mend() {
    last_fault_ = now();
    for (NodeId a = 0; a < hunt_.nodes; ++a) {
      for (NodeId b = 0; b < hunt_.nodes; ++b) {
        if (a == b) continue;
        world_.heal(a, b);
        world_.slow(a, b, false);
      }
      world_.resume(a);
      const Life& life = current_[a]->life;
      const bool is_missing = !world_.is_running(a) && !life.has_finished();
      const bool by_fault =
          life.was_killed || life.was_stopped || life.began == Fault::Kind::kRestartOtherSettings;
      if (is_missing && by_fault) start(a, Fault::Kind::kRestart);
      note_trouble({.node = a});
    }
  }

  void start(NodeId node, Fault::Kind kind) {
    if (kind == Fault::Kind::kRestartTorn) disk_.tear_newest(node);
    HuntedLife& life = *lives_.emplace_back(std::make_unique<HuntedLife>());
    life.life.node = node;
    life.life.began = kind;
    life.life.began_at = life.life.progress_at = now();
    life.number = lives_.size();
    current_[node] = &life;
    world_.start(node, [this, &life](Network& network) { live(life, network); });
  }

  void live(HuntedLife& life, Network& network) {
    const Fault::Kind began = life.life.began;
    const Experiment& experiment =
        began == Fault::Kind::kRestartOtherSettings ? *other_ : *experiment_;
    CheckpointStore store(disk_.of(life.life.node), experiment.identity(), experiment.endpoints(),
                          CheckpointStore::Writers::kOneNode);
    store.keep_behind(most_rounds_apart(experiment));
    RunOptions options;
    options.checkpoints = &store;
    options.resumes = began == Fault::Kind::kRestart || began == Fault::Kind::kRestartTorn;
    options.stop = &life.stop;
    // Apart from each other, since a node that is cut off goes on counting.
    options.incarnation = 1000 * lives_.size();
    options.events = &story_;
    options.shows_member = [&life](Member& member) { life.member = &member; };
    try {
      const RunOutcome outcome = run_process(experiment, network, options, Seen::kSelf);
      life.life.failure = outcome.failure;
      life.life.model = outcome.model;
    } catch (const Killed&) {
      life.member = nullptr;
      throw;
    } catch (const std::exception& bug) {
      life.life.crash = bug.what();
    }
    life.member = nullptr;
    life.life.has_ended = true;
    life.life.ended_at = now();
  }

  void look_later() {
    world_.clock().after(kLookEvery, [this] { look(); });
  }

  /// Ends a run in which somebody waits without end, and all else is well.
  void look() {
    bool any_runs = false;
    for (NodeId node = 0; node < hunt_.nodes; ++node) {
      if (!world_.is_running(node)) continue;
      any_runs = true;
      const Time since = std::max(current_[node]->life.progress_at, last_fault_);
      if (now() - since > 3 * kHuntPatience) return world_.stop();
    }
    if (any_runs || has_more_to_come()) look_later();
  }

  [[nodiscard]] bool has_more_to_come() {
    return std::ranges::any_of(hunt_.faults,
                               [this](const Fault& fault) { return fault.at > now(); }) ||
           (hunt_.mended_at && *hunt_.mended_at > now());
  }

  void judge() {
    if (report_.end == FaultWorld::End::kSpins) {
      violate("nobody goes round in circles",
              world_.spinning()
                  ? fmt::format("node {} asks the network without end, and lets no time pass, "
                                "after {} rounds, at {:.3f} s",
                                *world_.spinning(), current_[*world_.spinning()]->life.round,
                                seconds(now().time_since_epoch()))
                  : "nodes tell each other without end");
    }
    watcher_.finish();
    report_.digest = watcher_.digest();
    for (const Violation& violation : watcher_.violations())
      report_.violations.push_back(violation);
    for (Violation& violation : judge_lives(report_.lives, hunt_))
      report_.violations.push_back(std::move(violation));
    const std::size_t most = std::max(world_.links().most_under_way(), world_.most_unread());
    if (most > kMostMessages && !is_hostile()) {
      violate("queues are bounded",
              fmt::format("{} messages were under way to one node, or unread by it", most));
    }
  }

  void violate(std::string rule, std::string sentence) {
    report_.violations.push_back({std::move(rule), std::move(sentence)});
  }

  const Hunt& hunt_;
  std::unique_ptr<Experiment> experiment_;
  std::unique_ptr<Experiment> other_;
  std::vector<NodePair> edges_;
  HuntReport report_;
  Watcher watcher_;
  Story story_;
  Disk disk_;
  Time last_fault_{};
  bool is_slow_ = false;  // somebody was held up
  std::vector<std::unique_ptr<HuntedLife>> lives_;
  std::vector<HuntedLife*> current_;  // by node
  FaultWorld world_;                  // last: processes use all of the above
};

}  // namespace

Result<HuntReport> run_hunt(const Hunt& hunt) {
  GammaTuner tuner;
  auto experiment = make_experiment(config_of(hunt), tuner);
  if (!experiment) return experiment.error();
  auto other = make_experiment(other_config_of(hunt), tuner);
  if (!other) return other.error();
  return HuntedRun(hunt, std::move(experiment).value(), std::move(other).value()).run();
}

}  // namespace gossamer
