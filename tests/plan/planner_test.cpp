#include "gossamer/plan/planner.hpp"

#include <chrono>
#include <cmath>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace gossamer {
namespace {

using namespace std::chrono_literals;

const Layout& some_model() {
  static const Layout layout = [] {
    Layout made;
    made.add("weight", {100, 100});
    made.add("bias", {100});
    return made;
  }();
  return layout;
}

PlanSetup setup_of(NodeId nodes, double bandwidth, Duration latency, Duration gradient) {
  PlanSetup setup{.nodes = nodes, .layout = some_model(), .gradient = gradient, .network = {}};
  setup.network.bandwidth = bandwidth;
  setup.network.latency = latency;
  return setup;
}

Limit limit_of(double bandwidth, Duration latency, Duration gradient) {
  Planner planner(setup_of(8, bandwidth, latency, gradient));
  const Result<Forecast> forecast = planner.forecast({{.algorithm = "dpsgd"}, "ring"});
  EXPECT_TRUE(forecast) << forecast.error().message;
  return forecast.value().limit;
}

TEST(Planner, NamesWhatMostOfARoundIsFor) {
  EXPECT_EQ(limit_of(1e4, 1ms, 1ms), Limit::kBandwidth);  // 8 s for two messages of 40 kB
  EXPECT_EQ(limit_of(1e9, 10s, 1ms), Limit::kLatency);
  EXPECT_EQ(limit_of(1e9, 1ms, 10s), Limit::kCompute);
}

TEST(Planner, EveryUsualCandidateCanBeForecast) {
  Planner planner(setup_of(8, 1e7, 1ms, 1ms));
  std::set<std::string> algorithms;
  for (const Candidate& candidate : usual_candidates(8)) {
    const Result<Forecast> forecast = planner.forecast(candidate);
    ASSERT_TRUE(forecast) << candidate.method.text() << ": " << forecast.error().message;
    EXPECT_GE(forecast.value().round.seconds, 0.001) << "a gradient at least";
    EXPECT_GT(forecast.value().round.bytes_per_node, 0);
    algorithms.insert(candidate.method.algorithm);
  }
  EXPECT_TRUE(algorithms.contains("allreduce") && algorithms.contains("choco") &&
              algorithms.contains("powergossip"));
}

TEST(Planner, FewerBytesAreFasterOnASlowNetwork) {
  Planner planner(setup_of(8, 1e5, 1ms, 1ms));
  const auto seconds_of = [&](const char* compressor) {
    return planner.forecast({{.algorithm = "choco", .compressor = compressor}, "ring"})
        .value()
        .round.seconds;
  };
  EXPECT_LT(seconds_of("sign"), seconds_of("qsgd:8"));
  EXPECT_LT(seconds_of("qsgd:8"), seconds_of("identity"));
}

TEST(Planner, KnowsHowAGraphMixesAndWhichStepIsSafe) {
  Planner planner(setup_of(8, 1e7, 1ms, 1ms));
  const Forecast ring =
      planner.forecast({{.algorithm = "choco", .compressor = "topk:0.1"}, "ring"}).value();
  EXPECT_NEAR(ring.spectral_gap.value(), (2 - std::sqrt(2.0)) / 3, 1e-12);
  EXPECT_GT(ring.safe_gamma.value(), 0.0);
  EXPECT_FALSE(planner.forecast({{.algorithm = "allreduce"}, "ring"}).value().spectral_gap);
}

TEST(Planner, RefusesWhatCannotBeRun) {
  Planner planner(setup_of(8, 1e7, 1ms, 1ms));
  EXPECT_FALSE(planner.forecast({{.algorithm = "choco"}, "no-such-graph"}));
  EXPECT_FALSE(planner.forecast({{.algorithm = "choco"}, "one-peer-exponential"}));
  Planner large(setup_of(500, 1e7, 1ms, 1ms));
  const Result<Forecast> everybody = large.forecast({{.algorithm = "ef-sgd"}, "ring"});
  ASSERT_FALSE(everybody);
  EXPECT_NE(everybody.error().message.find("everybody to everybody"), std::string::npos);
}

TEST(Candidates, MethodsWithoutAGraphComeOnce) {
  const auto candidates =
      candidates_of({{.algorithm = "allreduce"}, {.algorithm = "choco"}}, {"ring", "torus"})
          .value();
  EXPECT_EQ(candidates.size(), 3u);
}

}  // namespace
}  // namespace gossamer
