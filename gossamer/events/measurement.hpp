#pragma once

#include <cstdint>
#include <optional>

#include "gossamer/base/ids.hpp"
#include "gossamer/base/time_spent.hpp"

namespace gossamer {

/// What a model is worth on samples that nobody trains on.
struct Evaluation {
  /// The mean over all of them.
  double loss = 0.0;
  /// The share of right answers, of a task that has such.
  std::optional<double> accuracy;

  bool operator==(const Evaluation&) const = default;
};

/// What the models are worth on samples that nobody trains on.
struct Tested {
  /// The average of all nodes' models, and of their statistics.
  Evaluation mean_model;
  // Each node's own model, where those are tested too.
  std::optional<double> loss_nodes_mean;
  std::optional<double> loss_nodes_worst;
  std::optional<double> accuracy_nodes_mean;
  std::optional<double> accuracy_nodes_worst;

  bool operator==(const Tested&) const = default;
};

/// What became of the edges of a run whose nodes are processes.
struct EdgeEvents {
  std::uint64_t lost = 0;
  std::uint64_t back = 0;
  std::uint64_t repaired = 0;  // copies that an audit found wrong

  EdgeEvents& operator+=(const EdgeEvents& other) {
    lost += other.lost;
    back += other.back;
    repaired += other.repaired;
    return *this;
  }

  bool operator==(const EdgeEvents&) const = default;
};

/// What is reported of one round.
struct Measurement {
  /// Rounds completed.
  Round round = 0;

  // Of training.
  std::optional<double> epoch;      // how often all the data were seen
  std::optional<double> objective;  // of the averaged model, on all the data
  std::optional<double> suboptimality;
  std::optional<double> train_loss;  // of the batches since the report before, the mean over nodes
  std::optional<Tested> tested;
  /// Whether objective, suboptimality and what is tested are of one node's own model, which is all
  /// that was seen, and not of the averaged one.
  bool is_own = false;
  /// The mean over nodes of |x_i - mean|^2; nothing where not all models are seen.
  std::optional<double> consensus_distance;

  // Of consensus.
  std::optional<double> error;       // sum |x_i - mean(x^0)|^2 over its value at the start
  std::optional<double> mean_drift;  // |mean(x) - mean(x^0)| over |mean(x^0)|

  /// Frames as sent, headers included, to all neighbours; the mean over nodes.
  double bytes_sent_per_node = 0.0;
  /// The part of them that is no header.
  double payload_bytes_per_node = 0.0;
  /// Since the start: of the slowest node, real or virtual, without the time that measuring took.
  double seconds = 0.0;
  /// Since the start: the mean over nodes that train.
  TimeSpent spent{};
  /// Since the start: the sum over nodes, each edge once at each of its ends.
  EdgeEvents edges{};

  /// The node whose model is farthest from the mean, or from what the mean should be.
  NodeId farthest_node = 0;

  bool operator==(const Measurement&) const = default;
};

}  // namespace gossamer
