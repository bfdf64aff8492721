#include "gossamer/member/roll_call.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gossamer/base/contract.hpp"

namespace gossamer {
namespace {

std::map<NodeId, Presence> read_presences(const Aside& aside) {
  std::map<NodeId, Presence> presences;
  ByteReader in = aside.reader();
  for (auto left = in.read<std::uint32_t>(); left > 0; --left) {
    const auto id = in.read<NodeId>();
    presences[id] = Presence::read(in);
  }
  in.expect_end();
  return presences;
}

// Of those who let nodes in, and name whom they refuse; one that calls a roll has no such name.
std::string text_of_refusal(const Aside& aside) {
  ByteReader in = aside.reader();
  (void)in.read<std::uint64_t>();
  return in.read_text();
}

}  // namespace

RollCall::RollCall(NodeHost& host, std::vector<NodeId> partners, NodeId nodes, Presence own,
                   StopLine* stop)
    : host_(host),
      room_(host, stop),
      self_(host.node().id()),
      partners_(std::move(partners)),
      nodes_(nodes) {
  known_[self_] = std::move(own);
}

std::optional<std::vector<Presence>> RollCall::wait(Time deadline, Absent absent) {
  for (const NodeId partner : partners_)
    send_all(partner);
  while (known_.size() < nodes_) {
    const std::optional<Aside> aside = room_.next_aside(deadline, missing());
    if (!aside && room_.is_stopped()) return std::nullopt;
    if (!aside) {
      std::string names;
      for (const NodeId id : missing())
        names += fmt::format("{}node {}", names.empty() ? "" : ", ", id);
      throw RunEnded(
          fmt::format("node {} has waited {:.0f} s for everybody to come, and nothing "
                      "was heard of {}",
                      self_, seconds(host_.now().time_since_epoch()), names));
    }
    switch (aside->kind) {
      case AsideKind::kRollCall:
        hear(*aside);
        break;
      case AsideKind::kPeerBack:
        // It has started again, and knows nobody.
        send_all(aside->from);
        break;
      case AsideKind::kPeerGone:
        if (absent == Absent::kLost && !known_.contains(aside->from)) {
          throw NeighbourLost(aside->from, 0, NeighbourLost::Reason::kEnded,
                              fmt::format("node {} has ended before the run began", aside->from));
        }
        break;
      case AsideKind::kRefusal:
        throw RunEnded(text_of_refusal(*aside));
      default:
        break;
    }
  }
  std::vector<Presence> everyones;
  for (auto& [id, presence] : known_)
    everyones.push_back(presence);
  return everyones;
}

std::optional<Presence> RollCall::presence_of_sender(const Aside& aside) {
  std::map<NodeId, Presence> presences = read_presences(aside);
  const auto found = presences.find(aside.from);
  if (found == presences.end()) return std::nullopt;
  return found->second;
}

void RollCall::hear(const Aside& aside) {
  const std::map<NodeId, Presence> told = read_presences(aside);
  std::vector<NodeId> news;
  for (const auto& [id, presence] : told) {
    if (id >= nodes_ || known_.contains(id)) continue;
    known_[id] = presence;
    news.push_back(id);
  }
  for (const NodeId partner : partners_) {
    if (partner != aside.from && !news.empty()) send(partner, news);
  }
  // Whoever has just come, and knows less, hears the rest.
  if (told.contains(aside.from) && told.size() < known_.size()) send_all(aside.from);
  for (const NodeId id : news) {
    const auto reason = disagreement(self_, known_[self_], id, known_[id]);
    if (reason) throw RunEnded(*reason);
  }
}

void RollCall::send(NodeId partner, const std::vector<NodeId>& about) {
  host_.send_aside(partner, make_aside(AsideKind::kRollCall, [&](ByteWriter& out) {
                     out.write(static_cast<std::uint32_t>(about.size()));
                     for (const NodeId id : about) {
                       out.write(id);
                       known_[id].write(out);
                     }
                   }));
}

void RollCall::send_all(NodeId partner) {
  std::vector<NodeId> all;
  for (const auto& [id, presence] : known_)
    all.push_back(id);
  send(partner, all);
}

std::vector<NodeId> RollCall::missing() const {
  std::vector<NodeId> missing;
  for (NodeId id = 0; id < nodes_; ++id) {
    if (!known_.contains(id)) missing.push_back(id);
  }
  return missing;
}

}  // namespace gossamer
