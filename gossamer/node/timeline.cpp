#include "gossamer/node/timeline.hpp"

#include <cmath>
#include <ctime>

namespace gossamer {
namespace {

constexpr std::size_t kFirstSpans = 4096;

std::size_t index_of(Phase phase) {
  return static_cast<std::size_t>(phase);
}

}  // namespace

Duration thread_cpu_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

Timeline::Timeline(const Network& network, CpuClock cpu_clock)
    : network_(network),
      cpu_clock_(cpu_clock),
      shares_thread_(network.shares_thread()),
      begin_(network.now()) {}

void Timeline::record_spans() {
  records_ = true;
  spans_.reserve(kFirstSpans);
}

void Timeline::enter(Phase phase) {
  if (!tells_all_apart() && work_of(phase) == Work::kRest) phase = Phase::kMix;
  if (phase == phase_) return;
  end_span(network_.now());
  if (weight_ > 0 && work_of(phase) != work_of(phase_)) count_cpu_as(work_of(phase));
  phase_ = phase;
}

void Timeline::end_span(Time now) {
  const bool is_undivided = phase_ == Phase::kMix && !tells_all_apart();
  (is_undivided ? undivided_ : by_phase_[index_of(phase_)]) += now - begin_;
  if (records_ && now > begin_) spans_.push_back({phase_, round_, begin_, now});
  begin_ = now;
}

void Timeline::next_round(Round round) {
  stop_cpu();
  for (std::size_t i = 0; i < cpu_.size(); ++i) {
    cpu_[i] += static_cast<Duration::rep>(weight_) * cpu_of_round_[i];
    cpu_of_round_[i] = Duration{};
  }
  weights_ += weight_;
  ++rounds_;
  const std::uint64_t next_weight = weight_of_round();
  if (records_ || weight_ != next_weight) end_span(network_.now());
  round_ = round;
  weight_ = next_weight;
  start_cpu();
}

TimeSpent Timeline::spent() const {
  TimeSpent spent{.by_phase = divided()};
  if (weights_ == 0) return spent;
  // The last block may have been cut short before or after its sample.
  const double scale = static_cast<double>(rounds_) / static_cast<double>(weights_);
  const auto scaled = [&](Work work) {
    const Duration sampled = cpu_[static_cast<std::size_t>(work)];
    return Duration(static_cast<Duration::rep>(static_cast<double>(sampled.count()) * scale));
  };
  spent.cpu_compute = scaled(Work::kCompute);
  spent.cpu_total = spent.cpu_compute + scaled(Work::kRest);
  return spent;
}

std::array<Duration, kPhaseCount> Timeline::divided() const {
  std::array<Duration, kPhaseCount> by_phase = by_phase_;
  Duration undivided = undivided_;
  const bool is_undivided = phase_ == Phase::kMix && !tells_all_apart();
  (is_undivided ? undivided : by_phase[index_of(phase_)]) += network_.now() - begin_;
  const auto share = [&](Phase phase) {
    const double sampled = static_cast<double>(by_phase_[index_of(phase)].count());
    const Duration all = by_phase_[index_of(Phase::kEncode)] + by_phase_[index_of(Phase::kDecode)] +
                         by_phase_[index_of(Phase::kMix)];
    if (all == Duration{}) return Duration{};
    const double ratio = sampled / static_cast<double>(all.count());
    return Duration(std::llround(static_cast<double>(undivided_.count()) * ratio));
  };
  for (const Phase phase : {Phase::kEncode, Phase::kDecode}) {
    by_phase[index_of(phase)] += share(phase);
    undivided -= share(phase);
  }
  by_phase[index_of(Phase::kMix)] += undivided;
  return by_phase;
}

void Timeline::leave_thread() {
  if (shares_thread_) stop_cpu();
}

void Timeline::return_to_thread() {
  if (shares_thread_) start_cpu();
}

void Timeline::stop_cpu() {
  if (counted_ != Work::kNone) count_cpu_as(Work::kNone);
}

void Timeline::start_cpu() {
  if (weight_ > 0 && work_of(phase_) != Work::kNone) count_cpu_as(work_of(phase_));
}

Timeline::Work Timeline::work_of(Phase phase) {
  switch (phase) {
    case Phase::kCompute:
      return Work::kCompute;
    case Phase::kEncode:
    case Phase::kDecode:
    case Phase::kMix:
      return Work::kRest;
    case Phase::kWait:
    case Phase::kOther:
      break;
  }
  return Work::kNone;
}

std::uint64_t Timeline::weight_of_round() const {
  // By the processor's clock: on any other, rounds are also long when the machine is busy, or when
  // time is virtual.
  const bool are_long = cpu_[0] + cpu_[1] >= static_cast<Duration::rep>(weights_) * kLongRound;
  if (rounds_ < kSampleFirst || are_long) return 1;
  const std::uint64_t block = (rounds_ - kSampleFirst) / kSampleEvery;
  const std::uint64_t place = (rounds_ - kSampleFirst) % kSampleEvery;
  // From the middle on, so that in a short run the first rounds are not outweighed at once.
  return place == (block + kSampleEvery / 2) % kSampleEvery ? kSampleEvery : 0;
}

void Timeline::count_cpu_as(Work next) {
  const Duration now = cpu_clock_();
  if (counted_ != Work::kNone)
    cpu_of_round_[static_cast<std::size_t>(counted_)] += now - cpu_begin_;
  counted_ = next;
  cpu_begin_ = now;
}

}  // namespace gossamer
