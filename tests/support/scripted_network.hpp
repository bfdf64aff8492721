#pragma once

#include <deque>
#include <utility>
#include <vector>

#include "gossamer/network/network.hpp"

namespace gossamer::testing {

/// The world of one node, all others of which the test plays: it says what arrives, and sees what
/// the node sends. Time stands still, and a wait for more than the test has said ends at once.
class ScriptedNetwork final : public Network {
 public:
  struct Sent {
    NodeId to = 0;
    FrameKind kind = FrameKind::kMessage;
    Round round = 0;
    Message message;
  };

  ScriptedNetwork(NodeId self, NodeId size) : self_(self), size_(size) {}

  void arrives(Arrival arrival) { inbox_.push_back(std::move(arrival)); }

  [[nodiscard]] const std::vector<Sent>& sent() const { return sent_; }

  [[nodiscard]] NodeId self() const override { return self_; }

  [[nodiscard]] NodeId size() const override { return size_; }

  [[nodiscard]] Arrival receive(Time) override {
    if (inbox_.empty()) return {};
    Arrival arrival = std::move(inbox_.front());
    inbox_.pop_front();
    return arrival;
  }

  [[nodiscard]] Time now() const override { return {}; }

  void spend(Duration) override {}

 private:
  void deliver(NodeId to, FrameKind kind, Round round, const Message& message) override {
    sent_.push_back({to, kind, round, message});
  }

  NodeId self_;
  NodeId size_;
  std::deque<Arrival> inbox_;
  std::vector<Sent> sent_;
};

}  // namespace gossamer::testing
