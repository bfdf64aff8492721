#include "gossamer/member/mean_exchange.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "gossamer/wire/digest.hpp"

namespace gossamer {
namespace {

// Who waits for nobody in particular looks again after so long.
constexpr Duration kLookForMean = std::chrono::milliseconds(500);

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

MeanOfNodes MeanExchange::mean(CVec own, std::size_t size, bool is_last) {
  const Round round = node_.round();
  std::optional<std::uint64_t> sent_for;
  Time deadline = host_.now() + setup_.patience;
  while (!mean_ || mean_->round != round || mean_->of.numbers.size() != size) {
    const SpanningTree tree = this->tree();
    const std::uint64_t edges = digest_of_edges();
    const std::optional<NodeId> parent = tree.parent[node_.id()];
    if (!reaches_all(tree)) {
      wait_for_members();
    } else if (const std::optional<NodeId> missing = missing_child(tree, size)) {
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
  if (is_last) wait_until_all_have_it();
  return mean_->of;
}

// A member that is running and cannot be reached comes back, or the others agree to go on without
// it. A mean without it before that could be one of two.
bool MeanExchange::reaches_all(const SpanningTree& tree) const {
  const Membership* const membership = host_.membership();
  if (membership == nullptr) return true;
  const Assembly& assembly = membership->assembly();
  return std::ranges::all_of(assembly.view().members, [&](const auto& member) {
    return tree.reaches(member.first) || !assembly.is_running(member.first);
  });
}

void MeanExchange::wait_for_members() {
  host_.membership()->lose_those_who_ended(node_.round());
  hear_next(host_.now() + kLookForMean);
  host_.membership()->expect_majority();
}

// Who leaves early is missing when the others have to agree on who is left.
void MeanExchange::wait_until_all_have_it() {
  Membership* const membership = host_.membership();
  if (membership == nullptr) return;
  membership->tell_mean();
  const Time deadline = host_.now() + setup_.last_deadline;
  while (!membership->all_have_mean() && host_.now() < deadline)
    hear_next(std::min(deadline, host_.now() + kLookForMean));
}

bool MeanExchange::hear_next(Time deadline) {
  is_waiting_ = true;
  const bool has_come = setup_.hear_next(deadline);
  is_waiting_ = false;
  return has_come;
}

Graph MeanExchange::edges() const {
  const Membership* const membership = host_.membership();
  if (membership == nullptr) return setup_.graph;
  const Assembly& assembly = membership->assembly();
  return assembly.news().edges(assembly.view());
}

// From the lowest node that this one reaches.
SpanningTree MeanExchange::tree() const {
  const Graph graph = edges();
  const SpanningTree own = spanning_tree(graph, node_.id());
  NodeId lowest = 0;
  while (!own.reaches(lowest))
    ++lowest;
  return spanning_tree(graph, lowest);
}

std::uint64_t MeanExchange::digest_of_edges() const {
  ByteWriter out;
  for (const NodePair& pair : edges().pairs) {
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
  for (const NodePair& pair : edges().pairs) {
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
  if (hear_next(deadline)) return;
  if (membership != nullptr && membership->assembly().pending_since()) {
    (void)hear_next(host_.now() + kLookForMean);
  } else if (membership != nullptr) {
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
