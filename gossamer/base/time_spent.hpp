#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "gossamer/base/ids.hpp"
#include "gossamer/base/time.hpp"

namespace gossamer {

/// What a node does with its time.
enum class Phase : std::uint8_t {
  kCompute,  // gradients and the local optimizer
  kEncode,   // making messages
  kWait,     // for messages
  kDecode,   // reading messages, also the node's own
  kMix,      // all else that an algorithm does
  kOther,    // what is no part of training: measuring, saving
};

inline constexpr std::size_t kPhaseCount = 6;

[[nodiscard]] std::string_view name_of(Phase phase);

/// Where time went.
struct TimeSpent {
  /// By the network's clock, real or virtual.
  std::array<Duration, kPhaseCount> by_phase{};
  /// Of the processor, in rounds: of computing, and of all that is neither waiting nor kOther.
  Duration cpu_compute{};
  Duration cpu_total{};

  [[nodiscard]] Duration in(Phase phase) const { return by_phase[static_cast<std::size_t>(phase)]; }

  TimeSpent& operator+=(const TimeSpent& other);
  /// In whole nanoseconds.
  [[nodiscard]] TimeSpent operator/(std::int64_t count) const;
  bool operator==(const TimeSpent&) const = default;
};

/// A stretch of time in one phase.
struct Span {
  Phase phase = Phase::kOther;
  Round round = 0;
  Time begin{};
  Time end{};

  bool operator==(const Span&) const = default;
};

}  // namespace gossamer
