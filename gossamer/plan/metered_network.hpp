#pragma once

#include <optional>

#include "gossamer/network/network.hpp"

namespace gossamer {

/// Passes everything on to another network of this thread, and counts the processor time that its
/// node spends in between.
class MeteredNetwork final : public Network {
 public:
  using CpuClock = Duration (*)();

  MeteredNetwork(Network& inner, CpuClock cpu_clock);

  /// Processor time of the node since it was asked the last time: until its last message was sent,
  /// and after that.
  struct Work {
    Duration until_sent{};
    Duration after{};
    std::size_t messages = 0;
    std::uint64_t payload_bytes = 0;
  };

  [[nodiscard]] Work take();

  [[nodiscard]] NodeId self() const override { return inner_.self(); }

  [[nodiscard]] NodeId size() const override { return inner_.size(); }

  [[nodiscard]] Arrival receive(Time deadline) override;

  [[nodiscard]] Time now() const override { return inner_.now(); }

  void spend(Duration compute) override;

  [[nodiscard]] bool shares_thread() const override { return inner_.shares_thread(); }

 private:
  void deliver(NodeId to, FrameKind kind, Round round, const Message& message) override;
  void leave();

  void enter() { entered_ = cpu_clock_(); }

  Network& inner_;
  CpuClock cpu_clock_;
  Duration entered_;
  Work work_;
};

}  // namespace gossamer
