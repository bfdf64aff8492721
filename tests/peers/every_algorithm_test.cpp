// Every registered algorithm among real processes over TLS: the same bits as in one process, on
// threads and simulated (spec T15).
#include <string>
#include <vector>

#include "tests/peers/cluster.hpp"
#include "tests/train/algorithm_settings.hpp"
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

constexpr NodeId kNodes = 4;
constexpr Round kRounds = 50;

std::vector<AlgorithmInfo> all_forms() {
  std::vector<AlgorithmInfo> forms(algorithms().begin(), algorithms().end());
  AlgorithmInfo replicas = find_algorithm("ecd").value();
  replicas.example = "ecd:replicas";
  forms.push_back(replicas);
  return forms;
}

Arguments arguments_for(const AlgorithmInfo& algorithm) {
  Arguments arguments = {"--json", "--checkpoint-every", fmt::format("{}", kRounds)};
  for (const auto& [key, value] : settings_for(algorithm, kNodes, kRounds))
    arguments = arguments + Arguments{"--" + key, value};
  return arguments;
}

class AmongPeers : public ::testing::TestWithParam<AlgorithmInfo> {};

TEST_P(AmongPeers, HasTheBitsOfOneProcess) {
  const Arguments settings = arguments_for(GetParam());
  Cluster cluster(GetParam().reach == Reach::kCoordinator ? kNodes + 1 : kNodes);
  expect_all_ended_with(0, cluster.run(settings + Arguments{"--run-dir", cluster.path("tls")}));
  for (const std::string network : {"inproc", "sim"}) {
    const ProgramResult one =
        run_program(Arguments{"train"} + settings +
                    Arguments{"--network", network, "--run-dir", cluster.path(network)});
    ASSERT_EQ(one.exit_code, 0) << one.err;
    for (NodeId node = 0; node < kNodes; ++node) {
      const std::string model = model_of_node(cluster.path(network), node, kRounds);
      EXPECT_FALSE(model.empty());
      EXPECT_TRUE(model == model_of_peer(cluster.path("tls"), node, kRounds))
          << "node " << node << " is another one with " << network;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryAlgorithm, AmongPeers, ::testing::ValuesIn(all_forms()),
                         [](const auto& tested) {
                           std::string name = tested.param.example;
                           std::erase_if(name, [](char c) { return std::isalnum(c) == 0; });
                           return name;
                         });

}  // namespace
}  // namespace gossamer::testing
