#include "gossamer/member/last_call.hpp"

#include <utility>

#include "gossamer/topology/spanning_tree.hpp"

namespace gossamer {
namespace {

void write_failure(ByteWriter& out, const Failure& failure) {
  out.write(static_cast<std::uint8_t>(failure.kind));
  out.write(failure.round);
  out.write_text(failure.quantity);
  out.write_text(failure.sentence);
}

Failure read_failure(ByteReader& in, NodeId node) {
  const auto kind = in.read<std::uint8_t>();
  if (kind > static_cast<std::uint8_t>(Failure::Kind::kRefused))
    throw CorruptMessage("a failure of no kind");
  Failure failure{static_cast<Failure::Kind>(kind), node, in.read<Round>(), {}, {}};
  failure.quantity = in.read_text();
  failure.sentence = in.read_text();
  return failure;
}

}  // namespace

LastCall::LastCall(Setup setup)
    : setup_(std::move(setup)), host_(setup_.host), node_(host_.node()) {
  for (const NodePair& pair : setup_.graph.pairs) {
    if (pair.a == node_.id()) neighbours_.push_back(pair.b);
    if (pair.b == node_.id()) neighbours_.push_back(pair.a);
  }
}

Failure LastCall::conclude(const Failure& own) {
  has_ended_ = true;
  endings_[node_.id()].failure = own;
  tell(endings_);
  note_gone();
  const Duration longest = setup_.patience * setup_.graph.nodes;
  Time deadline = host_.now() + longest;
  for (; !knows_all(); note_gone()) {
    // As long as somebody tells something new nobody is waited for in vain.
    if (std::exchange(has_news_, false)) deadline = host_.now() + longest;
    try {
      if (!host_.next_aside(deadline)) break;
    } catch (const RunEnded&) {
      // A farewell of somebody who has lost one and knows nothing of this. It is gone soon.
    }
  }
  std::vector<std::optional<Failure>> failures;
  for (const auto& [id, ending] : endings_)
    failures.push_back(ending.failure);
  return *first_cause(failures);
}

void LastCall::hear(const Aside& aside) {
  if (aside.kind != AsideKind::kEnded) return;
  node_.note_end_of(aside.from);
  try {
    Endings told;
    ByteReader in = aside.reader();
    for (auto left = in.read<std::uint32_t>(); left > 0; --left) {
      const auto id = in.read<NodeId>();
      if (id >= setup_.graph.nodes) throw CorruptMessage("an ending of nobody");
      Ending& ending = told[id];
      ending.is_gone = in.read<std::uint8_t>() != 0;
      if (in.read<std::uint8_t>() != 0) ending.failure = read_failure(in, id);
    }
    in.expect_end();
    learn(told, aside.from);
  } catch (const CorruptMessage&) {
    // It counts as not sent: this node does without, and so may others.
  }
}

void LastCall::learn(const Endings& told, std::optional<NodeId> from) {
  Endings news;
  for (const auto& [id, ending] : told) {
    if (id == node_.id()) continue;
    Ending& known = endings_[id];
    const bool is_new_failure = ending.failure && !known.failure;
    const bool is_newly_gone = ending.is_gone && !known.is_gone;
    if (is_new_failure) known.failure = ending.failure;
    if (is_newly_gone) known.is_gone = true;
    if (is_new_failure || is_newly_gone) news[id] = ending;
  }
  if (news.empty()) return;
  has_news_ = true;
  // Who still runs tells it all when it ends.
  if (has_ended_) tell(news, from);
}

void LastCall::tell(const Endings& news, std::optional<NodeId> all_but) {
  const Message aside = make_aside(AsideKind::kEnded, [&](ByteWriter& out) {
    out.write(static_cast<std::uint32_t>(news.size()));
    for (const auto& [id, ending] : news) {
      out.write(id);
      out.write(static_cast<std::uint8_t>(ending.is_gone ? 1 : 0));
      out.write(static_cast<std::uint8_t>(ending.failure ? 1 : 0));
      if (ending.failure) write_failure(out, *ending.failure);
    }
  });
  for (const NodeId neighbour : neighbours_) {
    if (neighbour != all_but && !node_.is_lost(neighbour)) host_.send_aside(neighbour, aside);
  }
}

void LastCall::note_gone() {
  for (const NodeId neighbour : neighbours_) {
    if (node_.is_lost(neighbour)) learn({{neighbour, {.is_gone = true}}}, std::nullopt);
  }
}

bool LastCall::is_gone(NodeId node) const {
  const auto found = endings_.find(node);
  return found != endings_.end() && found->second.is_gone;
}

bool LastCall::knows_all() const {
  const auto is_way = [this](NodePair pair) { return !is_gone(pair.a) && !is_gone(pair.b); };
  const SpanningTree reached = spanning_tree(setup_.graph, node_.id(), is_way);
  for (NodeId id = 0; id < setup_.graph.nodes; ++id) {
    const auto found = endings_.find(id);
    const bool is_known = found != endings_.end() && found->second.failure;
    if (reached.reaches(id) && !is_known) return false;
  }
  return true;
}

}  // namespace gossamer
