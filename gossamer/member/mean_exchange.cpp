#include "gossamer/member/mean_exchange.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "gossamer/wire/digest.hpp"

namespace gossamer {
namespace {

template <typename Number>
void write_numbers(ByteWriter& out, const std::vector<Number>& numbers) {
  const std::size_t bytes = numbers.size() * sizeof(Number);
  out.write(static_cast<std::uint64_t>(numbers.size()));
  if (bytes > 0) std::memcpy(out.extend(bytes).data(), numbers.data(), bytes);
}

template <typename Number>
std::vector<Number> read_numbers(ByteReader& in) {
  const auto count = in.read<std::uint64_t>();
  if (count > in.remaining() / sizeof(Number)) throw CorruptMessage("more numbers than bytes");
  const ByteView bytes = in.read_bytes(count * sizeof(Number));
  std::vector<Number> numbers(count);
  if (count > 0) std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

}  // namespace

MeanExchange::MeanExchange(Setup setup)
    : setup_(std::move(setup)), host_(setup_.host), node_(host_.node()) {}

MeanOfNodes MeanExchange::mean(CVec own, std::size_t size) {
  const Round round = node_.round();
  std::optional<std::uint64_t> sent_for;
  Time deadline = host_.now() + setup_.patience;
  while (!mean_ || mean_->round != round || mean_->of.numbers.size() != size) {
    const SpanningTree tree = this->tree();
    const std::uint64_t edges = digest_of_edges();
    const std::optional<NodeId> parent = tree.parent[node_.id()];
    if (const std::optional<NodeId> missing = missing_child(tree, size)) {
      wait_for(*missing, deadline);
    } else if (!parent) {
      const Sum sum = add_up(tree, own, size);
      Mean mean{round, {std::vector<float>(size), sum.count}};
      std::ranges::transform(sum.numbers, mean.of.numbers.begin(), [&](double number) {
        return static_cast<float>(number / static_cast<double>(sum.count));
      });
      mean_ = std::move(mean);
    } else if (sent_for != edges) {
      send_sum(*parent, add_up(tree, own, size));
      sent_for = edges;
      deadline = host_.now() + setup_.patience;
    } else {
      wait_for(*parent, deadline);
    }
  }
  tell_neighbours();
  return mean_->of;
}

bool MeanExchange::is_live(NodePair pair) const {
  const Membership* const membership = host_.membership();
  if (membership == nullptr) return true;
  // Of its own edges a node knows by itself whether they are live, whatever others have told. Who
  // waited for one that is not would wait for ever.
  if (pair.a == node_.id() && !membership->is_live(pair.b)) return false;
  if (pair.b == node_.id() && !membership->is_live(pair.a)) return false;
  return membership->edges().has(pair);
}

// From the lowest node that this one reaches.
SpanningTree MeanExchange::tree() const {
  const auto live = [this](NodePair pair) { return is_live(pair); };
  const SpanningTree own = spanning_tree(setup_.graph, node_.id(), live);
  NodeId lowest = 0;
  while (!own.reaches(lowest))
    ++lowest;
  return spanning_tree(setup_.graph, lowest, live);
}

std::uint64_t MeanExchange::digest_of_edges() const {
  ByteWriter out;
  for (const NodePair& pair : setup_.graph.pairs) {
    if (!is_live(pair)) continue;
    out.write(pair.a);
    out.write(pair.b);
  }
  return digest_of(out.bytes());
}

std::optional<NodeId> MeanExchange::missing_child(const SpanningTree& tree,
                                                  std::size_t size) const {
  const std::uint64_t edges = digest_of_edges();
  for (const NodeId child : tree.children[node_.id()]) {
    const auto found = sums_.find(child);
    const bool is_there = found != sums_.end() && found->second.round == node_.round() &&
                          found->second.edges == edges && found->second.numbers.size() == size;
    if (!is_there) return child;
  }
  return std::nullopt;
}

MeanExchange::Sum MeanExchange::add_up(const SpanningTree& tree, CVec own, std::size_t size) const {
  Sum sum{node_.round(), digest_of_edges(), 0, std::vector<double>(size)};
  if (own.size() > 0) {
    sum.count = 1;
    std::ranges::copy(own, sum.numbers.begin());
  }
  for (const NodeId child : tree.children[node_.id()]) {
    const Sum& theirs = sums_.at(child);
    sum.count += theirs.count;
    for (std::size_t i = 0; i < size; ++i)
      sum.numbers[i] += theirs.numbers[i];
  }
  return sum;
}

void MeanExchange::send_sum(NodeId parent, const Sum& sum) {
  host_.send_aside(parent, make_aside(AsideKind::kMeanSum, [&](ByteWriter& out) {
                     out.write(sum.edges);
                     out.write(sum.count);
                     write_numbers(out, sum.numbers);
                   }));
}

void MeanExchange::send_mean(NodeId peer) {
  host_.send_aside(peer, make_aside(AsideKind::kMean, [&](ByteWriter& out) {
                     out.write(mean_->round);
                     out.write(mean_->of.nodes);
                     write_numbers(out, mean_->of.numbers);
                   }));
}

// All of them: one that was to hear it from somebody else may lose that one now.
void MeanExchange::tell_neighbours() {
  for (const NodePair& pair : setup_.graph.pairs) {
    if (!is_live(pair)) continue;
    if (pair.a == node_.id() && !node_.is_lost(pair.b)) send_mean(pair.b);
    if (pair.b == node_.id() && !node_.is_lost(pair.a)) send_mean(pair.a);
  }
}

// Until something has changed. Throws if there is nothing to wait for.
void MeanExchange::wait_for(NodeId peer, Time deadline) {
  node_.expect_present(peer);
  Membership* const membership = host_.membership();
  if (membership != nullptr && node_.is_lost(peer)) {
    return membership->lose(peer, node_.round(), "it has ended");
  }
  is_waiting_ = true;
  const bool has_come = setup_.hear_next(deadline);
  is_waiting_ = false;
  if (has_come) return;
  if (membership != nullptr) {
    membership->lose(peer, node_.round(), "it did not take part in the mean of all models");
  } else {
    throw NeighbourLost(
        peer, node_.round(), NeighbourLost::Reason::kLate,
        fmt::format("node {} waited {:.3f} s for node {} to take part in the mean of all models, "
                    "and gave up",
                    node_.id(), seconds(setup_.patience), peer));
  }
}

bool MeanExchange::hear(const Aside& aside) {
  try {
    if (aside.kind == AsideKind::kMeanSum) {
      hear_sum(aside);
    } else if (aside.kind == AsideKind::kMean) {
      hear_mean(aside);
    } else {
      return false;
    }
  } catch (const CorruptMessage&) {
    // It counts as not sent: whoever needs it misses it, and nobody else.
  }
  // Whoever waits looks again.
  return !is_waiting_;
}

void MeanExchange::hear_sum(const Aside& aside) {
  if (mean_ && mean_->round == aside.round) return send_mean(aside.from);
  ByteReader in = aside.reader();
  Sum sum;
  sum.round = aside.round;
  sum.edges = in.read<std::uint64_t>();
  sum.count = in.read<std::uint32_t>();
  sum.numbers = read_numbers<double>(in);
  in.expect_end();
  sums_[aside.from] = std::move(sum);
}

void MeanExchange::hear_mean(const Aside& aside) {
  ByteReader in = aside.reader();
  Mean mean;
  mean.round = in.read<Round>();
  mean.of.nodes = in.read<NodeId>();
  mean.of.numbers = read_numbers<float>(in);
  in.expect_end();
  if (mean_ && mean_->round >= mean.round) return;
  mean_ = std::move(mean);
}

}  // namespace gossamer
