#include "gossamer/hunt/watcher.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gossamer/hunt/hunt.hpp"
#include "gossamer/wire/digest.hpp"

namespace gossamer {
namespace {

// For how long the ends of an edge may differ about it after something has happened to their link:
// each notices after about a deadline, and both have another one to settle.
constexpr Duration kUnsettled = 4 * kHuntDeadline;

// For how many rounds two parts may both go on: news of a loss travel with the messages of rounds.
constexpr Round kApart = 15;

double at_seconds(Time time) {
  return seconds(time.time_since_epoch());
}

ByteView bytes_of(std::span<const float> numbers) {
  return {reinterpret_cast<const std::uint8_t*>(numbers.data()), numbers.size_bytes()};
}

}  // namespace

MemberSight look_at(Member& member) {
  const Node& node = member.node();
  const Vec x = member.node().x();
  MemberSight sight{.round = node.round(),
                    .self_weight = node.self_weight(),
                    .edges = {},
                    .model = {x.begin(), x.end()}};
  EdgeCopies* const copies = member.copies();
  for (const Neighbour& neighbour : node.neighbours()) {
    EdgeSight& edge = sight.edges.emplace_back();
    edge.peer = neighbour.peer;
    edge.weight = neighbour.weight;
    if (copies == nullptr) continue;
    edge.own = copies->own_digest(neighbour.peer);
    edge.copy = copies->copy_digest(neighbour.peer);
  }
  return sight;
}

Watcher::Watcher(const Experiment& experiment)
    : experiment_(experiment),
      size_(experiment.config.nodes),
      joins_(size_, 0),
      trouble_(std::size_t{size_} * size_, Time{} - 2 * kUnsettled) {
  connected_since_ = Time{} - 2 * kUnsettled;
  for (NodeId node = 0; node < size_; ++node)
    objectives_.push_back(experiment.task->objective_of(node));
}

void Watcher::note_trouble(NodeId a, NodeId b, Time now) {
  trouble_[std::size_t{a} * size_ + b] = trouble_[std::size_t{b} * size_ + a] = now;
}

void Watcher::note_connected(bool is_connected, Time now) {
  if (is_connected && !is_connected_) connected_since_ = now;
  is_connected_ = is_connected;
}

void Watcher::see(const Process& process, Time now, MemberSight sight) {
  Views& views = seen_[sight.round];
  views.resize(size_);
  View& view = views[process.node];
  view = {process, joins_[process.node], now, std::move(sight)};
  mix(process.number);
  mix(view.sight.round);
  mix(static_cast<std::uint64_t>(now.time_since_epoch().count()));
  mix(digest_of(bytes_of(view.sight.model)));
  check_row(view);
  check_edges(process.node, view.sight.round, views);
  check_mean(view.sight.round, views);
}

void Watcher::check_row(const View& view) {
  double sum = double{view.sight.self_weight};
  for (const EdgeSight& edge : view.sight.edges)
    sum += double{edge.weight};
  // Each weight is rounded once, and the own one makes up for it.
  if (std::abs(sum - 1.0) < 1e-6) return;
  violate("weights of a row sum to 1",
          fmt::format("the weights of node {} in round {} sum to {}, at {:.3f} s",
                      view.process.node, view.sight.round, sum, at_seconds(view.at)));
}

void Watcher::check_edges(NodeId node, Round round, const Views& views) {
  for (NodeId peer = 0; peer < size_; ++peer) {
    if (hostile_.contains(node) || hostile_.contains(peer)) continue;
    // What it did before this process began may be of a round that both do again.
    if (peer != node && was_seen(views[peer]) && views[peer].at >= views[node].process.began)
      compare(node, peer, round, views);
  }
}

void Watcher::compare(NodeId a, NodeId b, Round round, const Views& views) {
  const auto edge_to = [](const View& view, NodeId peer) {
    const auto found = std::ranges::find(view.sight.edges, peer, &EdgeSight::peer);
    return found == view.sight.edges.end() ? nullptr : &*found;
  };
  const EdgeSight* const of_a = edge_to(views[a], b);
  const EdgeSight* const of_b = edge_to(views[b], a);
  const Time now = views[a].at;
  const Time first = std::min(now, views[b].at);
  if ((of_a == nullptr) != (of_b == nullptr)) {
    if (first - trouble_[std::size_t{a} * size_ + b] < kUnsettled) return;
    violate("both ends of an edge use it",
            fmt::format("in round {} only node {} uses the edge between {} and {}, at {:.3f} s",
                        round, of_a != nullptr ? a : b, a, b, at_seconds(now)));
    return;
  }
  if (of_a == nullptr) return;
  if (of_a->weight != of_b->weight) {
    violate("W is symmetric",
            fmt::format("in round {} node {} weighs node {} by {}, and is "
                        "weighed by {}, at {:.3f} s",
                        round, a, b, of_a->weight, of_b->weight, at_seconds(now)));
  }
  for (const auto& [holder, other, equal] :
       {std::tuple(a, b, of_a->copy == of_b->own), std::tuple(b, a, of_b->copy == of_a->own)}) {
    if (equal) continue;
    violate("copies are equal to what they copy",
            fmt::format("after {} rounds node {} holds something else of node {} than that has, "
                        "at {:.3f} s",
                        round, holder, other, at_seconds(now)));
  }
}

// Where all have done a round, and edges had two ends, the mean has moved by gradients alone.
void Watcher::check_mean(Round round, const Views& views) {
  if (experiment_.algorithm.mean != Mean::kKept || round == 0 || !hostile_.empty()) return;
  const auto before = seen_.find(round - 1);
  if (before == seen_.end()) return;
  Time first = Time::max();
  Time now{};
  for (NodeId node = 0; node < size_; ++node) {
    const View& old = before->second[node];
    const View& view = views[node];
    const bool is_same = view.process.number == old.process.number && view.joins == old.joins;
    if (!was_seen(view) || !is_same) return;
    first = std::min(first, view.at);
    now = std::max(now, view.at);
  }
  if (!is_connected_ || first - connected_since_ < kUnsettled) return;
  const std::size_t dim = views.front().sight.model.size();
  std::vector<double> moved(dim, 0.0);
  FloatBuffer gradient(dim);
  double largest = 1.0;
  const double lr = experiment_.schedule->at(round - 1);
  for (NodeId node = 0; node < size_; ++node) {
    const std::vector<float>& x = before->second[node].sight.model;
    const RngKey batch{.seed = experiment_.config.seed,
                       .purpose = Purpose::kBatch,
                       .node = node,
                       .round = round - 1};
    (void)objectives_[node]->gradient(CVec(x.data(), static_cast<Eigen::Index>(dim)), batch,
                                      gradient.view());
    for (std::size_t k = 0; k < dim; ++k) {
      const double by_gradient = -lr * double{gradient.view()[static_cast<Eigen::Index>(k)]};
      moved[k] += double{views[node].sight.model[k]} - double{x[k]} - by_gradient;
      largest = std::max(largest, std::abs(double{x[k]}));
    }
  }
  // A few roundings of each number of each node.
  const double error =
      *std::ranges::max_element(moved, {}, [](double number) { return std::abs(number); });
  if (std::abs(error) / size_ < 2e-6 * largest) return;
  violate("the mean moves by gradients alone",
          fmt::format("in round {} the mean of all models moves by {:.3g} more than gradients "
                      "explain, at {:.3f} s",
                      round, error / size_, at_seconds(now)));
}

std::vector<std::vector<NodeId>> Watcher::parts_of(const Views& views) const {
  std::vector<NodeId> part(size_);
  std::iota(part.begin(), part.end(), NodeId{0});
  for (NodeId node = 0; node < size_; ++node) {
    for (const EdgeSight& edge : views[node].sight.edges) {
      if (!was_seen(views[edge.peer])) continue;
      std::ranges::replace(part, part[edge.peer], NodeId{part[node]});
    }
  }
  std::map<NodeId, std::vector<NodeId>> parts;
  for (NodeId node = 0; node < size_; ++node) {
    if (was_seen(views[node])) parts[part[node]].push_back(node);
  }
  std::vector<std::vector<NodeId>> all;
  for (auto& [first, nodes] : parts)
    all.push_back(std::move(nodes));
  return all;
}

// Two parts both go on: nobody of the one hears anybody of the other, round after round, at the
// same time.
void Watcher::finish() {
  Round streak = 0;
  const Views* first = nullptr;
  for (const auto& [round, views] : seen_) {
    const std::vector<std::vector<NodeId>> parts = parts_of(views);
    streak = parts.size() < 2 ? 0 : streak + 1;
    if (streak == 1) first = &views;
    if (streak < kApart) continue;
    const auto span_of = [&](const std::vector<NodeId>& part) {
      Time begin = Time::max();
      Time end{};
      for (const NodeId node : part) {
        if (was_seen((*first)[node])) begin = std::min(begin, (*first)[node].at);
        end = std::max(end, views[node].at);
      }
      return std::pair(begin, end);
    };
    const auto [begin_a, end_a] = span_of(parts[0]);
    const auto [begin_b, end_b] = span_of(parts[1]);
    if (begin_a >= end_b || begin_b >= end_a) continue;
    return violate(
        "a run never goes on in two parts",
        fmt::format("nodes {} and nodes {} both go on, apart from each other, for {} rounds up to "
                    "{}, at {:.3f} s",
                    fmt::join(parts[0], " "), fmt::join(parts[1], " "), streak, round,
                    at_seconds(end_a)));
  }
}

// The first of each kind: the others follow from it.
void Watcher::violate(const std::string& rule, std::string sentence) {
  if (broken_.insert(rule).second) violations_.push_back({rule, std::move(sentence)});
}

void Watcher::mix(std::uint64_t number) {
  digest_ = (digest_ ^ number) * 0x9E3779B97F4A7C15;
  digest_ ^= digest_ >> 29;
}

}  // namespace gossamer
