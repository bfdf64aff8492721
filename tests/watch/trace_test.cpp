// The file of a trace, and what a run writes into it.

#include "gossamer/watch/trace.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>

#include "tests/support/temporary_folder.hpp"
#include "tests/train/runs.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gossamer/base/file.hpp"
#include "gossamer/events/event_queue.hpp"

namespace gossamer::testing {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

Time at(std::int64_t nanoseconds) {
  return Time(Duration(nanoseconds));
}

TEST(Trace, IsTheFileThatChromeReads) {
  Trace trace;
  const Span later{Phase::kMix, 8, at(5'000), at(5'001)};
  trace.add(3, {&later, 1});
  const Span compute{Phase::kCompute, 7, at(1'002'003), at(1'012'003)};
  trace.take({1, 5, Time{}, Spans{{compute}}});
  EXPECT_EQ(trace.json(), R"({"displayTimeUnit":"ms","traceEvents":[
{"name":"process_name","ph":"M","pid":0,"args":{"name":"gossamer"}},
{"name":"thread_name","ph":"M","pid":0,"tid":1,"args":{"name":"node 1"}},
{"name":"compute","ph":"X","pid":0,"tid":1,"ts":1002.003,"dur":10.000,"args":{"round":7}},
{"name":"thread_name","ph":"M","pid":0,"tid":3,"args":{"name":"node 3"}},
{"name":"mix","ph":"X","pid":0,"tid":3,"ts":5.000,"dur":0.001,"args":{"round":8}}
]}
)");
}

TEST(Trace, IsJsonAlsoWithoutSpans) {
  EXPECT_EQ(json::parse(Trace().json()).at("traceEvents").size(), 1u);
}

TEST(Trace, IsWrittenToItsFileOrRefusedWithItsName) {
  const TemporaryFolder folder;
  const Trace trace;
  ASSERT_TRUE(trace.write(folder.path("trace.json")));
  const auto bytes = read_file(folder.path("trace.json")).value();
  EXPECT_EQ(std::string(bytes.begin(), bytes.end()), trace.json());
  const Result<void> refused = trace.write(folder.path("none/trace.json"));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("none/trace.json"));
}

class TracedRun : public ::testing::TestWithParam<const char*> {
 protected:
  // By node and phase, in microseconds.
  static std::map<std::pair<NodeId, std::string>, double> sums(const Trace& trace) {
    std::map<std::pair<NodeId, std::string>, double> sums;
    const json parsed = json::parse(trace.json());
    for (const json& event : parsed.at("traceEvents")) {
      if (event.at("ph") == "X")
        sums[{event.at("tid"), event.at("name")}] += event.at("dur").get<double>();
    }
    return sums;
  }
};

TEST_P(TracedRun, HasSpansThatAddUpToWhatIsReported) {
  Trace trace;
  EventQueue events({&trace});
  RunOptions options;
  options.events = &events;
  const auto experiment = experiment_of({{"task", "quadratic"},
                                         {"dim", "50"},
                                         {"nodes", "1"},
                                         {"topology", "complete"},
                                         {"algorithm", "choco"},
                                         {"compressor", "sign"},
                                         {"gamma", "0.5"},
                                         {"rounds", "30"},
                                         {"sim.compute", "3ms"},
                                         {"network", GetParam()}});
  const TimeSpent spent = record(*experiment, options).outcome.last->spent;
  events.drain();
  const auto sum = sums(trace);
  for (const Phase phase : {Phase::kCompute, Phase::kEncode, Phase::kDecode}) {
    const std::string name(name_of(phase));
    const auto found = sum.find({0, name});
    const double traced = found == sum.end() ? 0.0 : found->second;
    // Sums of decimals with three digits.
    EXPECT_NEAR(traced, static_cast<double>(spent.in(phase).count()) / 1000.0, 1e-6) << name;
  }
  EXPECT_GT(spent.in(Phase::kCompute), Duration{});
  const auto other = sum.find({0, "mix"});
  const double mixed = other == sum.end() ? 0.0 : other->second;
  // The end of the run, after its last report, is in the trace only.
  EXPECT_GE(mixed + 1e-6, static_cast<double>(spent.in(Phase::kMix).count()) / 1000.0);
}

INSTANTIATE_TEST_SUITE_P(OnBothNetworks, TracedRun, ::testing::Values("inproc", "sim"));

TEST(FailedRun, KeepsItsTrace) {
  Trace trace;
  EventQueue events({&trace});
  RunOptions options;
  options.events = &events;
  const Recorded recorded = record(*experiment_of({{"task", "quadratic"},
                                                   {"dim", "5"},
                                                   {"algorithm", "dpsgd"},
                                                   {"lr", "1000"},
                                                   {"rounds", "1000"}}),
                                   options);
  ASSERT_TRUE(recorded.outcome.failure);
  events.drain();
  EXPECT_THAT(trace.json(), HasSubstr("\"compute\""));
}

TEST(TimeOfARun, IsNoMoreThanItTook) {
  const Recorded recorded = record({{"task", "quadratic"},
                                    {"dim", "1000"},
                                    {"algorithm", "choco"},
                                    {"compressor", "sign"},
                                    {"gamma", "0.5"},
                                    {"rounds", "100"},
                                    {"report", "10,100"}});
  const TimeSpent& early = recorded.reports.at(0).spent;
  const TimeSpent& late = recorded.reports.at(1).spent;
  for (const Phase phase :
       {Phase::kCompute, Phase::kEncode, Phase::kWait, Phase::kDecode, Phase::kMix})
    EXPECT_GT(late.in(phase), early.in(phase)) << name_of(phase);
  EXPECT_GT(late.cpu_compute, early.cpu_compute);
  EXPECT_GT(late.cpu_total, late.cpu_compute);
}

}  // namespace
}  // namespace gossamer::testing
