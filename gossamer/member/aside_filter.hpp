#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "gossamer/network/network.hpp"

namespace gossamer {

/// A network as a node sees it whose run has more to say to other processes than its algorithm: of
/// what arrives, the run takes its share first.
class AsideFilter final : public Network {
 public:
  /// Gets everything but the end of a wait; returns what is left for the node, if anything is.
  using Take = std::function<std::optional<Arrival>(Arrival)>;

  /// The network must outlive it.
  AsideFilter(Network& network, Take take) : network_(network), take_(std::move(take)) {}

  [[nodiscard]] NodeId self() const override { return network_.self(); }

  [[nodiscard]] NodeId size() const override { return network_.size(); }

  [[nodiscard]] Arrival receive(Time deadline) override {
    for (;;) {
      Arrival arrival = network_.receive(deadline);
      if (arrival.kind == Arrival::Kind::kTimedOut) return arrival;
      if (std::optional<Arrival> rest = take_(std::move(arrival))) return std::move(*rest);
    }
  }

  [[nodiscard]] Time now() const override { return network_.now(); }

  void spend(Duration compute) override { network_.spend(compute); }

  [[nodiscard]] bool shares_thread() const override { return network_.shares_thread(); }

  [[nodiscard]] std::vector<Trouble> troubles() const override { return network_.troubles(); }

  void forget_absent() override { network_.forget_absent(); }

 private:
  void deliver(NodeId to, FrameKind kind, Round round, const Message& message) override {
    if (kind == FrameKind::kAside) {
      network_.send_aside(to, round, message);
    } else {
      network_.send(to, round, message);
    }
  }

  Network& network_;
  Take take_;
};

}  // namespace gossamer
