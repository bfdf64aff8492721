#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/e2e/program.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace gossamer::testing {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

constexpr int kSuccess = 0;
constexpr int kBadInput = 2;

json examine(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "topology");
  arguments.emplace_back("--json");
  const ProgramResult result = run_program(arguments);
  EXPECT_EQ(result.exit_code, kSuccess) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 1) << "one object on one line";
  return json::parse(result.out);
}

void expect_refused(std::vector<std::string> arguments, const std::string& sentence) {
  arguments.insert(arguments.begin(), "topology");
  const ProgramResult result = run_program(arguments);
  EXPECT_EQ(result.exit_code, kBadInput);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr("gossamer: " + sentence));
}

TEST(TopologyCommand, DescribesARing) {
  const json ring = examine({"ring", "--nodes", "25"});
  EXPECT_EQ(ring["topology"], "ring");
  EXPECT_EQ(ring["nodes"], 25);
  EXPECT_EQ(ring["edges"], 25);
  EXPECT_EQ(ring["degrees"], (json{{"min", 2}, {"mean", 2.0}, {"max", 2}}));
  EXPECT_EQ(ring["symmetric"], true);
  EXPECT_EQ(ring["time_varying"], false);
  EXPECT_NEAR(ring["spectral_gap"], 0.02094, 5e-6);
  EXPECT_NEAR(ring["beta"], 1.328, 5e-4);
  EXPECT_NEAR(ring["gamma_plain"], 1.4826, 5e-5);
  EXPECT_NEAR(ring["lambda2"], 1.0 - ring["spectral_gap"].get<double>(), 1e-15);
  EXPECT_NEAR(ring["lambda_n"], 1.0 - ring["beta"].get<double>(), 1e-15);
  EXPECT_EQ(ring["gamma_safe"], ring["gamma_safe_by_delta"]["1"]);
  EXPECT_NEAR(ring["gamma_safe_by_delta"]["1"], 6.01e-5, 5e-8);
  EXPECT_NEAR(ring["gamma_safe_by_delta"]["0.1"], 5.89e-6, 5e-9);
  EXPECT_NEAR(ring["gamma_safe_by_delta"]["0.01"], 5.88e-7, 5e-10);
  EXPECT_EQ(ring["notes"], json::array());
}

TEST(TopologyCommand, GivesTheSafeStepForTheDeltaAskedFor) {
  const json ring = examine({"ring", "--nodes", "25", "--delta", "0.1"});
  EXPECT_EQ(ring["delta"], 0.1);
  EXPECT_EQ(ring["gamma_safe"], ring["gamma_safe_by_delta"]["0.1"]);
}

TEST(TopologyCommand, NamesTheSidesOfATorus) {
  EXPECT_EQ(examine({"torus", "--nodes", "32"})["topology"], "torus:4x8");
}

TEST(TopologyCommand, DescribesTheSocialNetwork) {
  const json social = examine({"social"});
  EXPECT_EQ(social["nodes"], 32);
  EXPECT_EQ(social["edges"], 89);
  EXPECT_EQ(social["degrees"]["min"], 2);
  EXPECT_EQ(social["degrees"]["max"], 14);
  EXPECT_NEAR(social["spectral_gap"], 0.08210, 5e-6);
}

TEST(TopologyCommand, AnswersForThousandsOfNodes) {
  const double quarter_turn = std::acos(0.0);
  const double expected =
      std::pow(4.0 * quarter_turn / 10'000, 2) / 3.0;  // 2 (1 - cos x) / 3, x = 2 pi / n
  EXPECT_NEAR(examine({"ring", "--nodes", "10000"})["spectral_gap"].get<double>() / expected, 1.0,
              1e-6);
  const json expander = examine({"random-regular:4", "--nodes", "10000"});
  EXPECT_NEAR(expander["spectral_gap"], 0.107, 0.005);
  EXPECT_EQ(expander["edges"], 20'000);
}

TEST(TopologyCommand, SaysWhatHasNoMeaningForADirectedGraph) {
  const json graph = examine({"exponential", "--nodes", "16"});
  EXPECT_EQ(graph["symmetric"], false);
  EXPECT_NEAR(graph["spectral_gap"], 0.4, 1e-12);
  EXPECT_EQ(graph["degrees"]["max"], 4);
  EXPECT_EQ(graph["edges"], 16 + 16 + 16 + 8);
  for (const char* key :
       {"beta", "lambda2", "lambda_n", "gamma_plain", "gamma_safe", "gamma_safe_by_delta"}) {
    EXPECT_TRUE(graph[key].is_null()) << key;
  }
  ASSERT_EQ(graph["notes"].size(), 1u);
  EXPECT_THAT(graph["notes"][0].get<std::string>(), HasSubstr("plain gossip only"));
}

TEST(TopologyCommand, GivesTheGapOfAWholePeriodForAChangingGraph) {
  const json graph = examine({"one-peer-exponential", "--nodes", "8"});
  EXPECT_EQ(graph["time_varying"], true);
  EXPECT_EQ(graph["period"], 3);
  EXPECT_EQ(graph["spectral_gap"], 1.0);
  EXPECT_EQ(graph["degrees"]["max"], 1);
  EXPECT_EQ(graph["notes"].size(), 2u);
}

TEST(TopologyCommand, DrawsTheSameRandomGraphForTheSameSeed) {
  const std::vector<std::string> arguments = {"erdos-renyi:0.3", "--nodes", "20", "--seed"};
  const auto with_seed = [&](const char* seed) {
    std::vector<std::string> all = arguments;
    all.emplace_back(seed);
    return examine(all);
  };
  EXPECT_EQ(with_seed("3"), with_seed("3"));
  EXPECT_NE(with_seed("3")["spectral_gap"], with_seed("4")["spectral_gap"]);
}

TEST(TopologyCommand, PrintsATableForPeople) {
  const ProgramResult result = run_program({"topology", "torus:4x8"});
  EXPECT_EQ(result.exit_code, kSuccess);
  EXPECT_THAT(result.out, HasSubstr("topology              torus:4x8\n"));
  EXPECT_THAT(result.out, HasSubstr("spectral gap          0.11716 "));
  EXPECT_THAT(result.out, HasSubstr("gamma, delta 0.01     1.08e-05\n"));
}

TEST(TopologyCommand, RefusesWhatItCannotUse) {
  expect_refused({"rign", "--nodes", "8"}, "unknown topology 'rign'; did you mean 'ring'?");
  expect_refused({"ring"}, "ring comes in every size: say how many nodes (--nodes N)");
  expect_refused({"torus:4x8", "--nodes", "30"}, "torus:4x8 has 32 nodes, but --nodes says 30");
  expect_refused({"social", "--nodes", "8"}, "social has 32 nodes, but --nodes says 8");
  expect_refused({"hypercube", "--nodes", "12"}, "hypercube needs a power of two");
  expect_refused({"ring", "--nodes", "0"}, "the number of nodes must be from 1 to 131072, not 0");
  expect_refused({"ring", "--nodes", "8", "--delta", "0"},
                 "--delta must be above 0 and at most 1, not 0");
  expect_refused({"file:/nowhere/graph.txt"}, "cannot open the graph file '/nowhere/graph.txt'");
}

TEST(TopologyCommand, RefusesWhatItCannotRead) {
  expect_refused({}, "");
  expect_refused({"ring", "--nodes", "many"}, "");
  expect_refused({"ring", "--nodes", "-3"}, "");
  expect_refused({"ring", "--node", "8"},
                 "unknown option of 'topology' '--node'; did you mean '--nodes'?");
}

}  // namespace
}  // namespace gossamer::testing
