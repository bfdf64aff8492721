// Runs on a virtual clock: what takes time, and that time changes no number.

#include <string>

#include "tests/support/temporary_folder.hpp"
#include "tests/train/runs.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gossamer/events/event_queue.hpp"
#include "gossamer/watch/trace.hpp"

namespace gossamer::testing {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// 8 nodes on a ring, 20 rounds of 10 ms of computing.
RunConfig simulated() {
  return config_of({{"task", "quadratic"},
                    {"dim", "100"},
                    {"noise", "0.1"},
                    {"lr", "0.01"},
                    {"algorithm", "dpsgd"},
                    {"rounds", "20"},
                    {"report", rounds_up_to(20)},
                    {"network", "sim"},
                    {"sim.compute", "10ms"}});
}

Recorded record_config(const RunConfig& config, const RunOptions& options = {}) {
  GammaTuner gammas;
  const auto experiment = make_experiment(config, gammas);
  EXPECT_TRUE(experiment) << experiment.error().message;
  return record(*experiment.value(), options);
}

double duration_of(const Recorded& recorded) {
  return recorded.outcome.last->seconds;
}

std::vector<double> times_of(const std::vector<Measurement>& reports) {
  std::vector<double> times;
  for (const Measurement& report : reports)
    times.push_back(report.seconds);
  return times;
}

TEST(SimulatedRun, TakesTheSameVirtualTimeEveryTime) {
  const Recorded first = record_config(simulated());
  const Recorded second = record_config(simulated());
  EXPECT_EQ(times_of(first.reports), times_of(second.reports));
  // Messages of dpsgd travel while nodes compute, and are there before they are done.
  EXPECT_DOUBLE_EQ(duration_of(first), 20 * 0.010);
}

TEST(SimulatedRun, TakesTheTimeOfComputingAndOfSending) {
  // Each node computes, and then sends 456 bytes to both neighbours over its own connection: by
  // max-min fairness both arrive after 912 bytes at 1 MB/s and 5 ms of latency.
  RunConfig config = simulated();
  config.sim.bandwidth = 1e6;
  config.sim.latency = milliseconds(5);
  config.ordering = "atc";
  // Rounded to nanoseconds in every round, and to a double of seconds in SimGrid.
  EXPECT_NEAR(duration_of(record_config(config)), 20 * (0.010 + 0.005 + 912e-6), 1e-6);
}

// Each node computes for 10 ms and then waits for two messages, as above.
RunConfig computing_then_waiting() {
  RunConfig config = simulated();
  config.sim.bandwidth = 1e6;
  config.sim.latency = milliseconds(5);
  config.ordering = "atc";
  return config;
}

TEST(SimulatedRun, SplitsItsTimeIntoComputingAndWaiting) {
  const TimeSpent spent = record_config(computing_then_waiting()).outcome.last->spent;
  EXPECT_EQ(spent.in(Phase::kCompute), 20 * milliseconds(10));
  // Rounded to nanoseconds in every round, and to a double of seconds in SimGrid.
  EXPECT_NEAR(static_cast<double>(spent.in(Phase::kWait).count()), 20 * 5'912'000, 1000);
  for (const Phase phase : {Phase::kEncode, Phase::kDecode, Phase::kMix})
    EXPECT_EQ(spent.in(phase), Duration{}) << "what a node really does costs no virtual time";
  EXPECT_GT(spent.cpu_compute, Duration{}) << "but real one";
  EXPECT_GT(spent.cpu_total, spent.cpu_compute);
}

TEST(SimulatedRun, TracesEverySpanInVirtualTime) {
  RunConfig config = computing_then_waiting();
  config.rounds = 3;
  Trace trace;
  EventQueue events({&trace});
  RunOptions options;
  options.events = &events;
  (void)record_config(config, options);
  events.drain();
  const auto traced = nlohmann::json::parse(trace.json()).at("traceEvents");
  std::vector<double> computed(8, 0.0);
  std::vector<int> waits(8, 0);
  for (const auto& event : traced) {
    if (event.at("ph") != "X") continue;
    const auto node = event.at("tid").get<std::size_t>();
    if (event.at("name") == "compute") {
      EXPECT_EQ(event.at("dur"), 10'000.0);
      computed.at(node) += event.at("dur").get<double>();
    } else {
      EXPECT_EQ(event.at("name"), "wait");
      EXPECT_EQ(event.at("args").at("round"), waits.at(node)++);
    }
  }
  EXPECT_THAT(computed, ::testing::Each(30'000.0));
  EXPECT_THAT(waits, ::testing::Each(3));
}

TEST(SimulatedRun, IsAsSlowAsItsSlowestNode) {
  RunConfig config = simulated();
  const Recorded even = record_config(config);
  config.compute.per_node = {{3, milliseconds(50)}};
  const Recorded uneven = record_config(config);
  EXPECT_NEAR(duration_of(uneven) - duration_of(even), 20 * 0.040, 0.005);
  EXPECT_EQ(fingerprints(uneven.reports), fingerprints(even.reports));
}

TEST(SimulatedRun, TakesLongerWithStragglers) {
  RunConfig config = simulated();
  const Recorded even = record_config(config);
  config.compute.straggler_probability = 0.2;
  config.compute.straggler_factor = 10;
  const Recorded uneven = record_config(config);
  EXPECT_GT(duration_of(uneven), 2 * duration_of(even));
  EXPECT_EQ(fingerprints(uneven.reports), fingerprints(even.reports));
}

TEST(SimulatedRun, LosesTimeAndNothingElseInAnOutageThatEnds) {
  RunConfig config = simulated();
  const Recorded calm = record_config(config);
  config.sim.outages = {{2, 3, Time(milliseconds(45)), Time(seconds(2))}};
  const Recorded troubled = record_config(config);
  ASSERT_FALSE(troubled.outcome.failure);
  EXPECT_EQ(fingerprints(troubled.reports), fingerprints(calm.reports));
  EXPECT_GT(duration_of(troubled), 2.0);
}

TEST(SimulatedRun, ThatIsResumedGoesOnInTime) {
  RunConfig config = simulated();
  config.compute.per_node = {{3, milliseconds(50)}};
  // Halfway after the checkpoint: it must come when it was due, and not so long after the start of
  // the second process.
  config.sim.outages = {{2, 3, Time(milliseconds(800)), Time(seconds(3))}};
  config.checkpoint_every = 10;
  const Recorded whole = record_config(config);

  const TemporaryFolder folder;
  RunConfig half = config;
  half.rounds = 10;
  CheckpointStore store(folder.path(), identity_of(config), config.nodes);
  const Recorded first = record_config(half, {.report = {}, .checkpoints = &store});
  const Recorded second =
      record_config(config, {.report = {}, .checkpoints = &store, .resume_from = 10});
  std::vector<double> times = times_of(first.reports);
  for (const double time : times_of(second.reports))
    times.push_back(time);
  ASSERT_EQ(times.size(), whole.reports.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    // Messages that were under way when a node was saved no longer share a connection with those
    // that follow: less than a millisecond in all.
    EXPECT_NEAR(times[i], whole.reports[i].seconds, 1e-3) << i;
  }
  const TimeSpent& spent = second.outcome.last->spent;
  EXPECT_EQ(spent.in(Phase::kCompute), whole.outcome.last->spent.in(Phase::kCompute));
  EXPECT_GT(spent.cpu_total, first.outcome.last->spent.cpu_total);
}

TEST(SimulatedRun, RefusesANetworkThatCannotBe) {
  RunConfig config = simulated();
  config.sim.links = {{0, 99, 1e6, std::nullopt}};
  GammaTuner gammas;
  const auto experiment = make_experiment(config, gammas);
  ASSERT_TRUE(experiment);
  const auto outcome = run_experiment(*experiment.value(), {});
  ASSERT_FALSE(outcome);
  EXPECT_THAT(outcome.error().message, ::testing::HasSubstr("no node 99"));
}

}  // namespace
}  // namespace gossamer::testing
