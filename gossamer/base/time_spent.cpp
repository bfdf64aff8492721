#include "gossamer/base/time_spent.hpp"

namespace gossamer {

std::string_view name_of(Phase phase) {
  constexpr std::array<std::string_view, kPhaseCount> kNames = {"compute", "encode", "wait",
                                                                "decode",  "mix",    "other"};
  return kNames.at(static_cast<std::size_t>(phase));
}

TimeSpent& TimeSpent::operator+=(const TimeSpent& other) {
  for (std::size_t i = 0; i < kPhaseCount; ++i)
    by_phase[i] += other.by_phase[i];
  cpu_compute += other.cpu_compute;
  cpu_total += other.cpu_total;
  return *this;
}

TimeSpent TimeSpent::operator/(std::int64_t count) const {
  TimeSpent share = *this;
  for (Duration& duration : share.by_phase)
    duration /= count;
  share.cpu_compute /= count;
  share.cpu_total /= count;
  return share;
}

}  // namespace gossamer
