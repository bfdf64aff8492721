#include "gossamer/member/ledger.hpp"

#include <fmt/format.h>

namespace gossamer {

std::uint64_t Ledger::bytes_sent() const {
  return bytes_before_ + network_.traffic().bytes();
}

std::uint64_t Ledger::payload_bytes() const {
  return payload_before_ + network_.traffic().payload_bytes;
}

TimeSpent Ledger::spent() const {
  TimeSpent spent = timeline_.spent();
  return spent += spent_before_;
}

void Ledger::catch_up() {
  const Time before = network_.now();
  network_.spend(time_before_);
  time_before_ -= network_.now() - before;
}

void Ledger::visit_state(StateVisitor& visitor) {
  const std::uint64_t bytes = bytes_sent();
  const std::uint64_t payload = payload_bytes();
  const auto nanoseconds = static_cast<std::uint64_t>(now().time_since_epoch().count());
  std::uint64_t seen_bytes = bytes;
  std::uint64_t seen_payload = payload;
  std::uint64_t seen_nanoseconds = nanoseconds;
  visitor.visit("bytes", seen_bytes);
  visitor.visit("payload_bytes", seen_payload);
  visitor.visit("nanoseconds", seen_nanoseconds);
  // Nothing is added unless the visitor has loaded them. What this process has sent and spent so
  // far does not count then; a difference below zero wraps around, and back.
  bytes_before_ += seen_bytes - bytes;
  payload_before_ += seen_payload - payload;
  time_before_ += Duration(static_cast<Duration::rep>(seen_nanoseconds - nanoseconds));
  visit_spent(visitor);
}

void Ledger::visit_spent(StateVisitor& visitor) {
  const auto show = [&](const std::string& name, Duration until_now, Duration& before) {
    const auto shown = static_cast<std::uint64_t>(until_now.count());
    std::uint64_t seen = shown;
    visitor.visit(name, seen);
    before += Duration(static_cast<Duration::rep>(seen - shown));
  };
  const TimeSpent until_now = spent();
  for (std::size_t i = 0; i < kPhaseCount; ++i) {
    show(fmt::format("nanoseconds.{}", name_of(static_cast<Phase>(i))), until_now.by_phase[i],
         spent_before_.by_phase[i]);
  }
  show("cpu_nanoseconds.compute", until_now.cpu_compute, spent_before_.cpu_compute);
  show("cpu_nanoseconds.total", until_now.cpu_total, spent_before_.cpu_total);
}

}  // namespace gossamer
