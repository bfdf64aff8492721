#include "gossamer/learn/partition.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "gossamer/base/portable_math.hpp"
#include "gossamer/base/text/options.hpp"
#include "gossamer/base/text/suggest.hpp"
#include "gossamer/learn/data_key.hpp"

namespace gossamer {
namespace {

using Rows = std::vector<std::uint32_t>;

// More distinct labels than these are measurements, not classes.
constexpr std::size_t kMostClasses = 1000;

/// What a split is made from; each ticks off its own options.
struct Request {
  Options options;
  std::span<const double> labels;
  NodeId nodes;
  Rng rng;
};

Rows all_rows(const Request& request) {
  Rows rows(request.labels.size());
  std::iota(rows.begin(), rows.end(), 0u);
  return rows;
}

// Fisher-Yates.
void shuffle(Rows& rows, Rng& rng) {
  for (std::size_t left = rows.size(); left > 1; --left)
    std::swap(rows[left - 1], rows[rng.below(static_cast<std::uint32_t>(left))]);
}

Partition cut_evenly(const Rows& rows, NodeId nodes) {
  const auto size = static_cast<std::ptrdiff_t>(rows.size() / nodes);
  Partition shards;
  for (auto begin = rows.begin(); shards.size() + 1 < nodes; begin += size)
    shards.emplace_back(begin, begin + size);
  shards.emplace_back(rows.begin() + size * static_cast<std::ptrdiff_t>(nodes - 1), rows.end());
  return shards;
}

Partition split_contiguous(Request& request) {
  return cut_evenly(all_rows(request), request.nodes);
}

Partition split_iid(Request& request) {
  Rows rows = all_rows(request);
  shuffle(rows, request.rng);
  return cut_evenly(rows, request.nodes);
}

Partition split_sorted(Request& request) {
  Rows rows = all_rows(request);
  std::ranges::stable_sort(rows, {}, [&](std::uint32_t row) { return request.labels[row]; });
  return cut_evenly(rows, request.nodes);
}

// The logarithm of a Gamma(a) variable, by Marsaglia and Tsang (2000). Below 1 it is that of
// Gamma(a + 1) times U^(1/a), which for a small a no double could hold: hence the logarithm.
double log_gamma_variable(double a, Rng& rng) {
  const double boost = a < 1 ? portable_log(1 - rng.uniform()) / a : 0;
  const double d = (a < 1 ? a + 1 : a) - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = rng.normal();
    const double root = 1 + c * x;
    const double log_u = portable_log(1 - rng.uniform());
    if (root <= 0) continue;
    const double v = root * root * root;
    const double log_v = portable_log(v);
    if (log_u < x * x / 2 + d - d * v + d * log_v) return portable_log(d) + log_v + boost;
  }
}

// Shares that sum to 1 but for rounding.
std::vector<double> dirichlet(double a, std::size_t size, Rng& rng) {
  std::vector<double> shares(size);
  for (double& share : shares)
    share = log_gamma_variable(a, rng);
  const double largest = std::ranges::max(shares);
  double total = 0;
  for (double& share : shares)
    total += share = portable_exp(share - largest);
  for (double& share : shares)
    share /= total;
  return shares;
}

// Deals a class out; the cuts lie at the rounded sums of the shares.
void deal(const Rows& rows, const std::vector<double>& shares, Partition& shards) {
  double sum = 0;
  std::size_t begin = 0;
  for (std::size_t node = 0; node < shards.size(); ++node) {
    sum += shares[node];
    const auto cut = static_cast<std::size_t>(sum * static_cast<double>(rows.size()) + 0.5);
    const std::size_t end =
        node + 1 == shards.size() ? rows.size() : std::clamp(cut, begin, rows.size());
    for (; begin < end; ++begin)
      shards[node].push_back(rows[begin]);
  }
}

// Whoever came away empty gets the last row of whoever has most, the first of them in a tie.
void feed_the_empty(Partition& shards) {
  for (Rows& shard : shards) {
    if (!shard.empty()) continue;
    Rows& largest =
        *std::ranges::max_element(shards, {}, [](const Rows& rows) { return rows.size(); });
    shard.push_back(largest.back());
    largest.pop_back();
  }
}

Partition split_dirichlet(Request& request) {
  const auto a = request.options.positional_number("A", 1e-3, 1e6);
  if (!a) request.options.refuse("dirichlet needs its parameter, as in dirichlet:0.1");
  std::map<double, Rows> classes;
  for (const std::uint32_t row : all_rows(request))
    classes[request.labels[row]].push_back(row);
  if (classes.size() > kMostClasses) {
    request.options.refuse(
        fmt::format("dirichlet splits classes, and these data have {} different labels, more than "
                    "the {} that count as classes",
                    classes.size(), kMostClasses));
    return {};
  }
  Partition shards(request.nodes);
  for (auto& [label, rows] : classes) {
    shuffle(rows, request.rng);
    deal(rows, dirichlet(a.value_or(1), shards.size(), request.rng), shards);
  }
  feed_the_empty(shards);
  return shards;
}

using SplitFunction = Partition (*)(Request&);

constexpr auto kPartitionInfos = std::to_array<PartitionInfo>({
    {"iid", "iid", "Shuffled, then in equal shards: all nodes see the same distribution"},
    {"contiguous", "contiguous", "Equal shards in the order of the file"},
    {"sorted", "sorted", "Equal shards in the order of the labels: most nodes see one class only"},
    {"dirichlet", "dirichlet:0.1",
     "Shares of each class from Dirichlet(A): smaller is more skewed"},
});

constexpr std::array<SplitFunction, kPartitionInfos.size()> kSplits = {
    split_iid, split_contiguous, split_sorted, split_dirichlet};

}  // namespace

std::span<const PartitionInfo> partitions() {
  return kPartitionInfos;
}

Result<Partition> make_partition(std::string_view spec, std::span<const double> labels,
                                 NodeId nodes, std::uint64_t seed) {
  if (spec == "own") {
    Rows all(labels.size());
    std::iota(all.begin(), all.end(), 0u);
    return Partition(nodes, all);
  }
  NamedOptions named = split_spec(spec);
  const auto found = std::ranges::find(kPartitionInfos, named.name, &PartitionInfo::name);
  if (found == kPartitionInfos.end()) {
    std::vector<std::string> names;
    for (const PartitionInfo& info : kPartitionInfos)
      names.emplace_back(info.name);
    return Error{unknown_name("partition", named.name, names)};
  }
  if (nodes == 0) return Error{"data cannot be split among no nodes"};
  if (labels.size() < nodes) {
    return Error{fmt::format("{} samples are too few for {} nodes: each needs at least one",
                             labels.size(), nodes)};
  }
  Request request{std::move(named.options), labels, nodes,
                  Rng(data_key(seed, DataStream::kPartition))};
  Partition shards = kSplits[static_cast<std::size_t>(found - kPartitionInfos.begin())](request);
  if (const Result<void> finished = request.options.finish(); !finished) return finished.error();
  return shards;
}

}  // namespace gossamer
