#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gossamer/base/ring_queue.hpp"
#include "gossamer/events/sink.hpp"
#include "gossamer/member/aside.hpp"
#include "gossamer/member/edges/membership.hpp"
#include "gossamer/node/node.hpp"

namespace gossamer {

/// A node of a run: what its algorithm sees, and beneath it what runs tell each other. Belongs to
/// one thread.
class NodeHost final : private RunSide {
 public:
  /// `setup.side` is this. What happens to it is told to `events`, which may be null, and must
  /// outlive it.
  explicit NodeHost(const NodeSetup& setup, EventSink* events = nullptr);

  [[nodiscard]] Node& node() { return node_; }

  [[nodiscard]] const Node& node() const { return node_; }

  [[nodiscard]] Time now() const { return network_.now(); }

  [[nodiscard]] const EventSource& events() const { return events_; }

  /// Network::troubles().
  [[nodiscard]] std::vector<Trouble> troubles() const { return network_.troubles(); }

  void send_aside(NodeId peer, const Message& aside);

  /// The next aside, if one comes before the deadline; in the past: a poll. Rumours are heard at
  /// once: that some came is told by an empty one. Throws RunEnded if the run is to end.
  [[nodiscard]] std::optional<Aside> next_aside(Time deadline);

  /// Sees each aside when it arrives, also in the midst of a round, and may take it: next_aside()
  /// does not get it then.
  void listen(std::function<bool(const Aside&)> listener) { listener_ = std::move(listener); }

  /// Tells all neighbours that the run ends, and why; they tell theirs. Where a run goes on without
  /// those it loses nobody ends it for others, and nothing is told.
  void say_farewell(const std::string& sentence);

  /// Before the run: neighbours that are lost will be missing from the graph, and end nothing.
  void go_on_without_lost(const std::function<Membership::Setup(Membership::Setup)>& fill);

  /// Nothing where a lost neighbour ends the run.
  [[nodiscard]] Membership* membership() { return membership_.get(); }

 private:
  void hear(Arrival arrival) override;
  void hear_aside(Arrival arrival);

  [[nodiscard]] Time due() const override { return membership_ ? membership_->due() : Time::max(); }

  void tick() override { membership_->tick(); }

  [[nodiscard]] Edges* edges() override { return membership_.get(); }

  Network& network_;
  const Topology& topology_;
  EventSource events_;
  std::unique_ptr<Membership> membership_;
  RingQueue<Aside> asides_;
  bool has_news_ = false;
  std::function<bool(const Aside&)> listener_ = [](const Aside&) { return false; };
  // Last: it asks for edges when it is made.
  Node node_;
};

}  // namespace gossamer
