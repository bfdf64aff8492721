#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "gossamer/base/time.hpp"
#include "gossamer/watch/meter.hpp"

namespace gossamer {

/// What one node leaves at the observatory after a round.
struct Sighting {
  NodeId node = 0;
  Round completed = 0;
  std::uint64_t bytes_sent = 0;
  std::uint64_t payload_bytes = 0;  // the part of them that is no header
  Time now{};                       // of the run: without looking, and on from a checkpoint
  Time clock{};                     // of the network, as events have it
  TimeSpent spent{};
  EdgeEvents edges{};
  /// Of the batches since the last sighting; nothing without gradients.
  std::optional<double> train_loss = std::nullopt;
  /// Of its own model; nothing where that is not tested.
  std::optional<Evaluation> evaluation = std::nullopt;
  /// Of all models, and of their statistics behind it, where the nodes have taken it. Lives as long
  /// as the call that leaves it.
  std::span<const float> mean = {};
};

/// Where a node leaves its model after the rounds that are watched. Nothing of this is traffic
/// between nodes.
class Lookout {
 public:
  /// No rounds: every round is watched.
  explicit Lookout(std::vector<Round> watched);
  Lookout(const Lookout&) = delete;
  Lookout& operator=(const Lookout&) = delete;
  virtual ~Lookout() = default;

  [[nodiscard]] bool watches(Round completed) const;

  /// Copies x. A coordinator's x is not looked at, nor how it spent its time; its bytes count.
  virtual void leave(const Sighting& sighting, CVec x, CVec statistics) = 0;

 private:
  std::vector<Round> watched_;  // ascending; empty: every round
};

/// Where the sightings of a round come together. When the last one has come, the round is measured,
/// on the thread that brought it.
///
/// Thread safety: all of it. Nothing waits while the lock is held, so that simulated nodes, which
/// share one thread, may use it too.
class Observatory final : public Lookout {
 public:
  /// Called in the order of rounds, under the lock, with the models that were measured.
  using Callback = std::function<void(const Measurement&, const SeenModels&)>;

  /// The experiment must outlive it. `only`: the one node that is seen, where nobody sees the
  /// others; nothing: all are.
  Observatory(const Experiment& experiment, std::vector<Round> watched, Callback callback,
              std::optional<NodeId> only = std::nullopt);

  void leave(const Sighting& sighting, CVec x, CVec statistics) override;

 private:
  struct Pending {
    std::vector<FloatBuffer> models;
    std::vector<FloatBuffer> statistics;
    std::vector<std::optional<Evaluation>> evaluations;
    std::vector<std::optional<double>> train_losses;
    std::vector<float> mean;
    NodeId missing = 0;
    std::uint64_t bytes = 0;
    std::uint64_t payload_bytes = 0;
    Time latest{};
    Time clock{};
    TimeSpent spent{};
    EdgeEvents edges{};
  };

  /// Nodes with a model that are seen.
  [[nodiscard]] NodeId seen_nodes() const { return only_ ? 1 : experiment_.config.nodes; }

  void measure(Round completed, const Pending& pending);
  [[nodiscard]] Pending new_pending();

  const Experiment& experiment_;
  std::unique_ptr<Meter> meter_;
  Callback callback_;
  std::optional<NodeId> only_;

  std::mutex mutex_;
  std::map<Round, Pending> pending_;
  std::vector<Pending> spare_;
  Duration measuring_{};
};

/// The rounds that are reported when the user names none: the end of each epoch of a network, else
/// 1, 2, 5, 10, ...; and the last.
[[nodiscard]] std::vector<Round> default_reports(const Experiment& experiment);

}  // namespace gossamer
