#pragma once

#include <map>
#include <optional>
#include <vector>

#include "gossamer/member/node_host.hpp"
#include "gossamer/member/presence.hpp"
#include "gossamer/member/waiting_room.hpp"

namespace gossamer {

/// Before the first round everybody hears from everybody, with neighbours as messengers: that all
/// are there, and that they agree. No process is special.
class RollCall {
 public:
  /// `partners`: whom this node talks to. The line may be null.
  RollCall(NodeHost& host, std::vector<NodeId> partners, NodeId nodes, Presence own,
           StopLine* stop = nullptr);

  /// What somebody is who has ended before all were there.
  enum class Absent { kMayCome, kLost };

  /// Waits for all, in the order of ids; nothing if it is stopped. Throws RunEnded if somebody is
  /// missing at the deadline, or does not agree, and NeighbourLost for one that is lost.
  [[nodiscard]] std::optional<std::vector<Presence>> wait(Time deadline, Absent absent);

  /// Of an aside of kind kRollCall: what its sender said of itself.
  [[nodiscard]] static std::optional<Presence> presence_of_sender(const Aside& aside);

 private:
  void hear(const Aside& aside);
  void send(NodeId partner, const std::vector<NodeId>& about);
  void send_all(NodeId partner);
  [[nodiscard]] std::vector<NodeId> missing() const;

  NodeHost& host_;
  WaitingRoom room_;
  NodeId self_;
  std::vector<NodeId> partners_;
  NodeId nodes_;
  std::map<NodeId, Presence> known_;
};

}  // namespace gossamer
