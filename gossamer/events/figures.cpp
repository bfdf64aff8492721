#include "gossamer/events/figures.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace gossamer {
namespace {

/// Collects figures, and leaves out those that are nothing.
class FigureList {
 public:
  void number(std::string name, std::optional<double> value) {
    if (value) figures_.push_back({std::move(name), *value, Figure::Kind::kNumber});
  }

  void count(std::string name, double value) {
    figures_.push_back({std::move(name), value, Figure::Kind::kCount});
  }

  [[nodiscard]] std::vector<Figure> take() { return std::move(figures_); }

 private:
  std::vector<Figure> figures_;
};

std::optional<double> perplexity(std::optional<double> loss) {
  return loss ? std::optional(std::exp(*loss)) : std::nullopt;
}

// What is of one node's own model says so.
std::string named(const Measurement& measurement, const std::string& name) {
  return measurement.is_own ? "own_" + name : name;
}

// A language model is known by its perplexity, all else by its accuracy.
void add(const Tested& tested, FigureList& list) {
  list.number("test_loss", tested.mean_model.loss);
  if (tested.mean_model.accuracy) {
    list.number("test_accuracy_mean_model", tested.mean_model.accuracy);
    list.number("test_accuracy_nodes_mean", tested.accuracy_nodes_mean);
    list.number("test_accuracy_nodes_worst", tested.accuracy_nodes_worst);
  } else {
    list.number("perplexity_mean_model", perplexity(tested.mean_model.loss));
    list.number("perplexity_nodes_mean", perplexity(tested.loss_nodes_mean));
    list.number("perplexity_nodes_worst", perplexity(tested.loss_nodes_worst));
  }
}

void add_own(const Evaluation& own, FigureList& list) {
  list.number("own_test_loss", own.loss);
  if (own.accuracy) {
    list.number("own_test_accuracy", own.accuracy);
  } else {
    list.number("own_perplexity", perplexity(own.loss));
  }
}

void add_learned(const Measurement& measurement, FigureList& list) {
  list.number("epoch", measurement.epoch);
  list.number(named(measurement, "objective"), measurement.objective);
  list.number(named(measurement, "suboptimality"), measurement.suboptimality);
  list.number("train_loss", measurement.train_loss);
  if (measurement.tested && measurement.is_own) {
    add_own(measurement.tested->mean_model, list);
  } else if (measurement.tested) {
    add(*measurement.tested, list);
  }
  list.number("consensus_distance", measurement.consensus_distance);
}

// Measurements that together have everything that a training has.
std::vector<Measurement> full_trainings() {
  Measurement pictures;
  pictures.epoch = pictures.objective = pictures.suboptimality = pictures.train_loss = 0.0;
  pictures.consensus_distance = 0.0;
  pictures.tested = Tested{{0.0, 0.0}, 0.0, 0.0, 0.0, 0.0};
  pictures.edges.lost = 1;
  Measurement text = pictures;
  text.tested = Tested{{0.0, std::nullopt}, 0.0, 0.0, std::nullopt, std::nullopt};
  Measurement own_pictures = pictures;
  Measurement own_text = text;
  own_pictures.is_own = own_text.is_own = true;
  return {pictures, text, own_pictures, own_text};
}

Measurement full_consensus() {
  Measurement measurement;
  measurement.error = measurement.mean_drift = 0.0;
  measurement.edges.lost = 1;
  return measurement;
}

std::vector<std::string> names_in(const std::vector<Measurement>& measurements) {
  std::vector<std::string> names;
  for (const Measurement& measurement : measurements) {
    for (const Figure& each : figures_of(measurement)) {
      if (std::ranges::count(names, each.name) == 0) names.push_back(each.name);
    }
  }
  return names;
}

}  // namespace

std::vector<Figure> figures_of(const Measurement& measurement) {
  FigureList list;
  list.count("round", static_cast<double>(measurement.round));
  list.number("error", measurement.error);
  list.number("mean_drift", measurement.mean_drift);
  add_learned(measurement, list);
  // Whole numbers wherever all nodes have as many neighbours.
  list.count("bytes_sent_per_node", measurement.bytes_sent_per_node);
  list.count("payload_bytes_per_node", measurement.payload_bytes_per_node);
  list.number("seconds", measurement.seconds);
  for (const Phase phase :
       {Phase::kCompute, Phase::kEncode, Phase::kWait, Phase::kDecode, Phase::kMix})
    list.number(fmt::format("seconds_{}", name_of(phase)), seconds(measurement.spent.in(phase)));
  if (measurement.edges != EdgeEvents{}) {
    list.count("edges_lost", static_cast<double>(measurement.edges.lost));
    list.count("edges_back", static_cast<double>(measurement.edges.back));
    list.count("copies_repaired", static_cast<double>(measurement.edges.repaired));
  }
  return list.take();
}

std::optional<double> figure(const Measurement& measurement, std::string_view name) {
  const std::vector<Figure> figures = figures_of(measurement);
  const auto found = std::ranges::find(figures, name, &Figure::name);
  if (found == figures.end()) return std::nullopt;
  return found->value;
}

const std::vector<std::string>& figure_names_of_training() {
  static const std::vector<std::string> names = names_in(full_trainings());
  return names;
}

const std::vector<std::string>& figure_names_of_consensus() {
  static const std::vector<std::string> names = names_in({full_consensus()});
  return names;
}

}  // namespace gossamer
