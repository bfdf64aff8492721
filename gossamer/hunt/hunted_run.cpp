#include "gossamer/hunt/hunted_run.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "gossamer/algorithms/registry.hpp"
#include "gossamer/experiment/partners.hpp"
#include "gossamer/train/process_run.hpp"
#include "gossamer/train/tune_gamma.hpp"

namespace gossamer {
namespace {

// Virtual: what matters is how they compare with each other.
constexpr Duration kPatience = std::chrono::seconds(30);
constexpr Duration kDeadline = std::chrono::seconds(3);
constexpr Round kCheckpointEvery = 20;
constexpr Round kAuditEvery = 30;

constexpr std::string_view name_of(Fault::Kind kind) {
  switch (kind) {
    case Fault::Kind::kKill:
      return "kill";
    case Fault::Kind::kRestart:
      return "restart";
    case Fault::Kind::kRestartEmptyHanded:
      return "restart without checkpoints";
    case Fault::Kind::kRestartOtherSettings:
      return "restart with other settings";
    case Fault::Kind::kPause:
      return "pause";
    case Fault::Kind::kResume:
      return "resume";
    case Fault::Kind::kCut:
      return "cut";
    case Fault::Kind::kHeal:
      return "heal";
  }
  return "";
}

RunConfig config_of(const Hunt& hunt) {
  RunConfig config;
  config.task = "quadratic";
  config.dim = 12;
  config.noise = 0.1;
  config.lr = 0.01;
  config.nodes = hunt.nodes;
  config.topology = hunt.topology;
  config.algorithm = hunt.algorithm;
  config.compressor = hunt.compressor;
  config.rounds = hunt.rounds;
  config.report = {hunt.rounds};
  config.seed = hunt.seed;
  config.network = "tls";
  config.on_peer_loss = "drop";
  config.patience = kPatience;
  config.peer_deadline = kDeadline;
  config.audit_every = kAuditEvery;
  config.checkpoint_every = kCheckpointEvery;
  config.compute.per_step = hunt.compute;
  // A number, so that nothing is tuned.
  const Result<AlgorithmInfo> algorithm = find_algorithm(hunt.algorithm);
  if (algorithm && algorithm.value().gamma == Gamma::kTuned) config.gamma = "0.2";
  return config;
}

class Story final : public EventSink {
 public:
  explicit Story(std::vector<Event>& events) : events_(events) {}

  [[nodiscard]] bool wants(EventKind kind) const noexcept override {
    return kind != EventKind::kRoundDone && kind != EventKind::kSpans;
  }

  // Nodes run one at a time.
  void take(const Event& event) noexcept override { events_.push_back(event); }

 private:
  std::vector<Event>& events_;
};

/// A folder of its own, gone with it.
class Disk {
 public:
  Disk() {
    // In memory where there is such a folder: checkpoints are flushed to real disks.
    const std::filesystem::path memory = "/dev/shm";
    const auto parent =
        std::filesystem::exists(memory) ? memory : std::filesystem::temp_directory_path();
    std::string pattern = (parent / "gossamer-hunt-XXXXXX").string();
    expects(::mkdtemp(pattern.data()) != nullptr, "a folder for checkpoints");
    path_ = pattern;
  }

  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;

  ~Disk() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] std::string of(NodeId node) const { return fmt::format("{}/{}", path_, node); }

 private:
  std::string path_;
};

class HuntedRun {
 public:
  HuntedRun(const Hunt& hunt, std::unique_ptr<Experiment> experiment,
            std::unique_ptr<Experiment> other)
      : hunt_(hunt),
        experiment_(std::move(experiment)),
        other_(std::move(other)),
        story_(report_.story),
        world_({.size = hunt.nodes,
                .seed = hunt.seed,
                .deadline = kDeadline,
                .start_deadline = kPatience}) {}

  HuntReport run() {
    for (NodeId node = 0; node < hunt_.nodes; ++node)
      start(node, Fault::Kind::kRestartEmptyHanded);
    for (const Fault& fault : hunt_.faults)
      world_.clock().at(fault.at, [this, fault] { happen(fault); });
    report_.end = world_.run(limit());
    for (const std::unique_ptr<Life>& life : lives_)
      report_.lives.push_back(*life);
    judge();
    return std::move(report_);
  }

 private:
  /// Ten times as long as it takes without faults, and more for each.
  [[nodiscard]] Time limit() const {
    return Time{} + 10 * static_cast<std::int64_t>(hunt_.rounds) * hunt_.compute +
           static_cast<std::int64_t>(hunt_.faults.size() + 1) * kPatience;
  }

  void happen(const Fault& fault) {
    switch (fault.kind) {
      case Fault::Kind::kKill:
        if (world_.is_running(fault.node)) current_[fault.node]->was_killed = true;
        return world_.kill(fault.node);
      case Fault::Kind::kRestart:
      case Fault::Kind::kRestartEmptyHanded:
      case Fault::Kind::kRestartOtherSettings:
        if (!world_.is_running(fault.node)) start(fault.node, fault.kind);
        return;
      case Fault::Kind::kPause:
        return world_.pause(fault.node);
      case Fault::Kind::kResume:
        return world_.resume(fault.node);
      case Fault::Kind::kCut:
        return world_.cut(fault.node, fault.other);
      case Fault::Kind::kHeal:
        return world_.heal(fault.node, fault.other);
    }
  }

  void start(NodeId node, Fault::Kind kind) {
    Life& life = *lives_.emplace_back(std::make_unique<Life>());
    life.node = node;
    life.began = kind;
    current_[node] = &life;
    world_.start(node, [this, &life](Network& network) { live(life, network); });
  }

  void live(Life& life, Network& network) {
    const bool is_other = life.began == Fault::Kind::kRestartOtherSettings;
    const Experiment& experiment = is_other ? *other_ : *experiment_;
    CheckpointStore store(disk_.of(life.node), experiment.identity(), experiment.endpoints(),
                          CheckpointStore::Writers::kOneNode);
    store.keep_behind(most_rounds_apart(experiment));
    RunOptions options;
    options.checkpoints = &store;
    options.resumes = life.began == Fault::Kind::kRestart;
    options.events = &story_;
    // Apart from each other, since a node that is cut off goes on counting.
    options.incarnation = 1000 * lives_.size();
    const RunOutcome outcome = run_process(experiment, network, options, Seen::kSelf);
    life.has_ended = true;
    life.failure = outcome.failure;
    life.model = outcome.model;
  }

  void judge() {
    if (report_.end == FaultWorld::End::kSpins) violate("nodes go on and on, and come to no end");
    const std::vector<float>* mean = nullptr;
    for (const auto& [node, life] : current_) {
      const bool may_fail = life->began == Fault::Kind::kRestartOtherSettings;
      if (life->was_killed || may_fail) continue;
      if (!life->has_ended) {
        violate(fmt::format("node {} does not come to its end", node));
      } else if (life->failure) {
        violate(fmt::format("node {} ends: {}", node, life->failure->sentence));
      } else if (mean == nullptr) {
        mean = &life->model;
      } else if (*mean != life->model) {
        violate(fmt::format("node {} ends with another mean", node));
      }
    }
  }

  void violate(std::string sentence) { report_.violations.push_back(std::move(sentence)); }

  const Hunt& hunt_;
  std::unique_ptr<Experiment> experiment_;
  std::unique_ptr<Experiment> other_;
  HuntReport report_;
  Story story_;
  Disk disk_;
  std::vector<std::unique_ptr<Life>> lives_;
  std::map<NodeId, Life*> current_;
  FaultWorld world_;  // last: processes use all of the above
};

}  // namespace

std::string text_of(const std::vector<Fault>& faults) {
  std::string text;
  for (const Fault& fault : faults) {
    text += fmt::format("{:.3f} s: {} {}", seconds(fault.at.time_since_epoch()),
                        name_of(fault.kind), fault.node);
    const bool has_other = fault.kind == Fault::Kind::kCut || fault.kind == Fault::Kind::kHeal;
    text += has_other ? fmt::format(" -> {}\n", fault.other) : "\n";
  }
  return text;
}

Result<HuntReport> run_hunt(const Hunt& hunt) {
  GammaTuner tuner;
  auto experiment = make_experiment(config_of(hunt), tuner);
  if (!experiment) return experiment.error();
  RunConfig changed = config_of(hunt);
  changed.lr = 0.02;
  auto other = make_experiment(changed, tuner);
  if (!other) return other.error();
  return HuntedRun(hunt, std::move(experiment).value(), std::move(other).value()).run();
}

}  // namespace gossamer
