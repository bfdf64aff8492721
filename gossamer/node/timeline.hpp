#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gossamer/base/ids.hpp"
#include "gossamer/base/time.hpp"
#include "gossamer/base/time_spent.hpp"
#include "gossamer/network/network.hpp"

namespace gossamer {

/// The processor time of this thread so far.
[[nodiscard]] Duration thread_cpu_time();

/// Follows one node through its phases. Belongs to its thread. Allocates only while it records.
///
/// Looking at clocks must not be what a small round spends its time on. Computing and waiting are
/// timed in every round. Encoding and decoding are told from the rest of mixing, and the
/// processor's clock, a system call, is read, in rounds that are sampled: the first kSampleFirst,
/// then all if rounds take kLongRound of the processor, else one of every kSampleEvery, in another
/// place of each block, so that no period of the algorithm can hide from it. What is sampled stands
/// for what is not: mixing is split in the same proportions, and processor time is multiplied by
/// how many rounds a sampled one stands for.
class Timeline {
 public:
  using CpuClock = Duration (*)();

  static constexpr std::uint64_t kSampleFirst = 64;
  static constexpr std::uint64_t kSampleEvery = 256;
  static constexpr Duration kLongRound = std::chrono::microseconds(250);

  /// Begins in kOther, in round 0. The network must outlive it.
  explicit Timeline(const Network& network, CpuClock cpu_clock = thread_cpu_time);

  /// From now on every span is kept that took any time, and every round told apart in full.
  void record_spans();

  /// Ends the running span and begins one of this phase; nothing if it runs already.
  void enter(Phase phase);

  /// kMix for what is not told from it in this round.
  [[nodiscard]] Phase phase() const { return phase_; }

  /// When the running span began.
  [[nodiscard]] Time since() const { return begin_; }

  /// A round is over. What comes belongs to `round`.
  void next_round(Round round);

  /// What comes belongs to `round`, before any round has run.
  void begin_at(Round round) { round_ = round; }

  /// Until now, the running span included. Processor time is that of rounds that are over, each
  /// sampled one counting for those that it stands for.
  [[nodiscard]] TimeSpent spent() const;

  /// Those that have ended.
  [[nodiscard]] std::span<const Span> spans() const { return spans_; }

  // Around sending and letting time pass. Where nodes share a thread others run in between, and the
  // processor's time is theirs, or the simulator's.
  void leave_thread();
  void return_to_thread();

 private:
  /// Kinds of work that processor time is counted by.
  enum class Work : std::uint8_t { kCompute, kRest, kNone };

  [[nodiscard]] static Work work_of(Phase phase);

  [[nodiscard]] bool tells_all_apart() const { return records_ || weight_ > 0; }

  /// How many rounds this one stands for; 0: it is not sampled.
  [[nodiscard]] std::uint64_t weight_of_round() const;
  void end_span(Time now);
  [[nodiscard]] std::array<Duration, kPhaseCount> divided() const;
  void count_cpu_as(Work next);
  void stop_cpu();
  void start_cpu();

  const Network& network_;
  CpuClock cpu_clock_;
  bool shares_thread_;

  Phase phase_ = Phase::kOther;
  Round round_ = 0;
  Time begin_;
  std::array<Duration, kPhaseCount> by_phase_{};
  Duration undivided_{};  // mixing of rounds that do not tell all apart

  Work counted_ = Work::kNone;  // what the processor's clock runs for at this moment
  Duration cpu_begin_{};
  std::uint64_t rounds_ = 0;  // over
  std::uint64_t weight_ = 1;  // of the running round
  std::array<Duration, 2> cpu_of_round_{};
  std::array<Duration, 2> cpu_{};  // by Work, times weights, of rounds that are over
  std::uint64_t weights_ = 0;

  bool records_ = false;
  std::vector<Span> spans_;
};

/// A phase that lasts as long as this object, inside another one.
class [[nodiscard]] PhaseScope {
 public:
  PhaseScope(Timeline& timeline, Phase phase) : timeline_(timeline), outer_(timeline.phase()) {
    timeline_.enter(phase);
  }

  PhaseScope(const PhaseScope&) = delete;
  PhaseScope& operator=(const PhaseScope&) = delete;

  ~PhaseScope() { timeline_.enter(outer_); }

 private:
  Timeline& timeline_;
  Phase outer_;
};

/// As long as this object is there, other nodes may run on the thread.
class [[nodiscard]] ThreadLeft {
 public:
  explicit ThreadLeft(Timeline& timeline) : timeline_(timeline) { timeline_.leave_thread(); }

  ThreadLeft(const ThreadLeft&) = delete;
  ThreadLeft& operator=(const ThreadLeft&) = delete;

  ~ThreadLeft() { timeline_.return_to_thread(); }

 private:
  Timeline& timeline_;
};

}  // namespace gossamer
