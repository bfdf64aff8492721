// `gossamer plan` for a network, with an accuracy to reach.

#include <string>
#include <vector>

#include "tests/e2e/run_output.hpp"
#include "tests/support/model_data.hpp"
#include "tests/support/temporary_folder.hpp"
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

class ModelPlan : public ::testing::Test {
 protected:
  ModelPlan() { write_idx_pictures(folder_.path("pictures"), {.side = 8}); }

  [[nodiscard]] std::vector<nlohmann::json> plan(const Arguments& more) const {
    const Arguments all = {
        "plan",         "--model",   "mlp:32",  "--data",    folder_.path("pictures"),
        "--nodes",      "4",         "--batch", "4",         "--compute",
        "1ms",          "--latency", "10ms",    "--methods", "allreduce,choco/sign@0.4",
        "--topologies", "ring",      "--json"};
    const ProgramResult result = run_program(all + more);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json_lines(result.out);
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(ModelPlan, RanksByTheTimeToAnAccuracyThatPilotsReach) {
  const std::vector<nlohmann::json> rows =
      plan({"--lr", "0.1", "--pilot-rounds", "60", "--target-accuracy", "0.5"});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].at("method"), "choco/sign@0.4") << "one message in a row instead of six";
  EXPECT_LT(rows[0].at("seconds_to_target"), rows[1].at("seconds_to_target"));
  for (const nlohmann::json& row : rows) {
    EXPECT_EQ(row.at("is_extrapolated"), false);
    const nlohmann::json& run = row.at("pilot").at("run");
    EXPECT_GT(run.front().at("error"), 0.5) << "of ten classes";
    EXPECT_LT(row.at("rounds_to_target"), 60);
  }
}

TEST_F(ModelPlan, GoesOnWhereAPilotEndsBeforeTheAccuracy) {
  const auto rows = plan({"--lr", "0.03", "--pilot-rounds", "12", "--target-accuracy", "0.9"});
  ASSERT_EQ(rows.size(), 2u);
  for (const nlohmann::json& row : rows) {
    EXPECT_EQ(row.at("is_extrapolated"), true) << row.dump();
    EXPECT_GT(row.at("rounds_to_target"), 12);
    EXPECT_GT(row.at("pilot").at("run").back().at("error"), 0.1);
  }
}

}  // namespace
}  // namespace gossamer::testing
