// Every registered algorithm among real processes over TLS: the same bits as in one process, on
// threads and simulated, and those that were recorded.
#include <string>
#include <vector>

#include "tests/peers/cluster.hpp"
#include "tests/train/recorded_models.hpp"
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

constexpr NodeId kNodes = kRecordedNodes;

Arguments arguments_for(const AlgorithmInfo& algorithm) {
  Arguments arguments = {"--json", "--checkpoint-every", fmt::format("{}", kRecordedRounds)};
  for (const auto& [key, value] : recorded_settings(algorithm))
    arguments = arguments + Arguments{"--" + key, value};
  return arguments;
}

class AmongPeers : public ::testing::TestWithParam<AlgorithmInfo> {};

TEST_P(AmongPeers, HasTheBitsOfOneProcess) {
  const Arguments settings = arguments_for(GetParam());
  Cluster cluster(GetParam().reach == Reach::kCoordinator ? kNodes + 1 : kNodes);
  expect_all_ended_with(0, cluster.run(settings + Arguments{"--run-dir", cluster.path("tls")}));
  std::vector<std::string> files;
  for (NodeId node = 0; node < kNodes; ++node)
    files.push_back(model_file_of_peer(cluster.path("tls"), node, kRecordedRounds));
  expect_recorded(GetParam(), files);
  for (const std::string network : {"inproc", "sim"}) {
    const ProgramResult one =
        run_program(Arguments{"train"} + settings +
                    Arguments{"--network", network, "--run-dir", cluster.path(network)});
    ASSERT_EQ(one.exit_code, 0) << one.err;
    for (NodeId node = 0; node < kNodes; ++node) {
      const std::string model = model_of_node(cluster.path(network), node, kRecordedRounds);
      EXPECT_FALSE(model.empty());
      EXPECT_TRUE(model == model_of_peer(cluster.path("tls"), node, kRecordedRounds))
          << "node " << node << " is another one with " << network;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryAlgorithm, AmongPeers, ::testing::ValuesIn(recorded_forms()),
                         [](const auto& tested) { return name_of_form(tested.param); });

}  // namespace
}  // namespace gossamer::testing
