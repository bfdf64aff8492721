// `gossamer consensus`: what it prints, and the tables of docs/golden_numbers.md in small.

#include <cmath>
#include <string>
#include <vector>

#include "tests/e2e/run_output.hpp"
#include "tests/support/temporary_file.hpp"
#include "tests/support/temporary_folder.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

const Arguments kSmall = {"consensus", "--nodes",  "4",  "--dim",       "20",   "--gamma",
                          "1",         "--rounds", "30", "--algorithm", "exact"};

TEST(ConsensusCommand, PrintsAnObjectPerReportedRoundAndASummary) {
  const RunOutput output = run_json(kSmall + Arguments{"--report", "0,10,20"});
  EXPECT_EQ(output.exit_code, 0);
  EXPECT_EQ(output.err, "");
  EXPECT_THAT(output.rounds(), ElementsAre(0, 10, 20));
  for (const nlohmann::json& row : output.rows) {
    EXPECT_THAT(
        keys_of(row),
        UnorderedElementsAre("round", "error", "mean_drift", "bytes_sent_per_node",
                             "payload_bytes_per_node", "seconds", "seconds_compute",
                             "seconds_encode", "seconds_wait", "seconds_decode", "seconds_mix"));
  }
  EXPECT_EQ(output.rows[0].at("error"), 1.0);
  EXPECT_EQ(output.rows[0].at("mean_drift"), 0.0);
  EXPECT_EQ(output.rows[0].at("bytes_sent_per_node"), 0);
  // Each round two neighbours, each 20 floats and a header of 56 bytes.
  EXPECT_EQ(output.rows[2].at("bytes_sent_per_node"), 20 * 2 * (80 + 56));
  EXPECT_EQ(output.summary.at("outcome"), "finished");
  EXPECT_EQ(output.summary.at("round"), 30);
  EXPECT_EQ(output.summary.at("tolerances"), nlohmann::json::array());
}

TEST(ConsensusCommand, TakesRoundsWithCommasOrSpaces) {
  const RunOutput commas = run_json(kSmall + Arguments{"--report", "10,20"});
  const RunOutput spaces = run_json(kSmall + Arguments{"--report", "10", "20"});
  EXPECT_THAT(spaces.rounds(), ElementsAre(10, 20));
  EXPECT_EQ(without_seconds(spaces.rows), without_seconds(commas.rows));
}

TEST(ConsensusCommand, FindsTheFirstRoundOfEachTolerance) {
  const RunOutput output = run_json(
      kSmall + Arguments{"--tolerance", "1e-2", "1e-4", "--rounds", "20", "--report", "20"});
  EXPECT_EQ(output.exit_code, 0);
  const nlohmann::json& tolerances = output.summary.at("tolerances");
  ASSERT_EQ(tolerances.size(), 2u);
  EXPECT_EQ(tolerances[0].at("tolerance"), 1e-2);
  EXPECT_THAT(keys_of(tolerances[0]),
              UnorderedElementsAre("tolerance", "round", "bytes_sent_per_node", "seconds"));
  // On a ring of four each round divides every difference by three, and its square by nine.
  EXPECT_EQ(tolerances[0].at("round"), 3);
  EXPECT_EQ(tolerances[1].at("round"), 5);
  EXPECT_EQ(tolerances[1].at("bytes_sent_per_node"), 5 * 2 * (80 + 56));
}

TEST(ConsensusCommand, SaysWhichToleranceWasNotReached) {
  const RunOutput output =
      run_json(kSmall + Arguments{"--tolerance", "1e-2,1e-9", "--rounds", "4"});
  EXPECT_EQ(output.exit_code, 0) << "it still converges";
  EXPECT_TRUE(output.summary.at("tolerances")[1].at("round").is_null());
}

TEST(ConsensusCommand, OfARunThatStallsExitsWithThree) {
  const RunOutput output = run_json(Arguments{"consensus", "--dim", "100", "--algorithm", "q2",
                                              "--compressor", "qsgd:4,unscaled", "--rounds", "400",
                                              "--report", "100,400", "--tolerance", "1e-12"});
  EXPECT_EQ(output.exit_code, 3);
  EXPECT_EQ(output.summary.at("outcome"), "stalled");
  EXPECT_EQ(output.summary.at("failure").at("quantity"), "consensus error");
  EXPECT_THAT(output.err, HasSubstr("gossamer: consensus has stalled"));
  EXPECT_THAT(output.rounds(), ElementsAre(100, 400));
}

TEST(ConsensusCommand, OfARunThatDivergesKeepsAllThatWasMeasured) {
  const RunOutput output = run_json(
      Arguments{"consensus", "--nodes", "25", "--dim", "2000", "--algorithm", "q2", "--compressor",
                "randk:0.01,unbiased", "--rounds", "1000", "--report", "1,5,1000"});
  // Golden: diverges near round 42, and so within ten times that.
  EXPECT_EQ(output.exit_code, 3);
  // Between two reports the error may pass every limit at once.
  EXPECT_THAT(output.summary.at("outcome").get<std::string>(), AnyOf("diverged", "non-finite"));
  EXPECT_LT(output.summary.at("failure").at("round"), 420);
  EXPECT_THAT(output.rounds(), ElementsAre(1, 5));
  EXPECT_THAT(output.err, HasSubstr("gossamer: warning: q2 compresses whole models"));
}

TEST(ConsensusCommand, InSimulationPrintsTheSameTwice) {
  const Arguments simulated = kSmall + Arguments{"--network", "sim", "--set", "sim.latency=10ms"};
  const RunOutput first = run_json(simulated);
  const RunOutput second = run_json(simulated);
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_EQ(first.rows, second.rows) << "with their virtual times";
  EXPECT_EQ(without(first.summary, "cpu_"), without(second.summary, "cpu_"));
  // 30 rounds of one message each way: at least the latency of each.
  EXPECT_GT(first.summary.at("seconds"), 0.3);
  EXPECT_GT(first.summary.at("seconds_wait"), 0.3);
}

TEST(ConsensusCommand, HasTheSameNumbersOnBothNetworks) {
  const Arguments arguments = {"consensus", "--nodes",      "4",        "--dim",    "20",
                               "--gamma",   "0.9",          "--rounds", "30",       "--algorithm",
                               "choco",     "--compressor", "qsgd:8",   "--report", "1,10,30"};
  EXPECT_EQ(without_seconds(run_json(arguments).rows),
            without_seconds(run_json(arguments + Arguments{"--network", "sim"}).rows));
}

TEST(ConsensusCommand, TakesOneRowOfAFilePerNode) {
  const TemporaryFile file("1,0,0\n0,1,0\n0,0,4\n");
  const RunOutput output =
      run_json({"consensus", "--nodes", "3", "--topology", "complete", "--data", file.path(),
                "--algorithm", "exact", "--rounds", "1", "--report", "0,1"});
  ASSERT_EQ(output.rows.size(), 2u);
  // On a complete graph one round is the mean, to float's rounding: 1e-7 squared.
  EXPECT_LT(output.rows[1].at("error"), 1e-13);
  EXPECT_THAT(
      refusal_of({"consensus", "--nodes", "4", "--data", file.path(), "--algorithm", "exact"}),
      HasSubstr("has 3 rows, one per node, and the run has 4 nodes"));
}

TEST(ConsensusCommand, PrintsATableForPeople) {
  const ProgramResult result =
      run_program(kSmall + Arguments{"--report", "10,20", "--tolerance", "1e-2", "1e-30"});
  EXPECT_THAT(result.out, HasSubstr("consensus: exact with identity on ring, 4 nodes"));
  EXPECT_THAT(result.out, HasSubstr("round        error   mean drift   sent/node     seconds\n"));
  EXPECT_THAT(result.out, HasSubstr("error 1e-02 in round 3"));
  EXPECT_THAT(result.out, HasSubstr("error 1e-30 not reached"));
  EXPECT_THAT(result.out, Not(HasSubstr("objective")));
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);)
    EXPECT_LE(line.size(), 100u) << line;
}

TEST(ConsensusCommand, ExplainsWhatItCannotDo) {
  EXPECT_THAT(refusal_of({"consensus"}), HasSubstr("needs something to agree on"));
  EXPECT_THAT(refusal_of({"consensus", "--dim", "10", "--algorithm", "allreduce"}),
              HasSubstr("averages gradients, and consensus has none"));
  EXPECT_THAT(refusal_of({"consensus", "--dim", "10", "--algorithm", "chocco"}),
              HasSubstr("did you mean 'choco'?"));
  EXPECT_THAT(refusal_of({"consensus", "--dim", "ten"}),
              HasSubstr("--dim: must be a whole number"));
  EXPECT_THAT(refusal_of({"consensus", "--dim"}), HasSubstr("--dim"));
  EXPECT_THAT(refusal_of({"consensus", "--matrix", "10"}), HasSubstr("as 100x100, not '10'"));
  EXPECT_THAT(refusal_of({"consensus", "--dim", "10", "--lr", "1"}),
              HasSubstr("unknown option of 'consensus' '--lr'"));
  EXPECT_THAT(refusal_of({"consensus", "--dim", "10", "--set", "lr=1"}),
              AllOf(HasSubstr("lr has no use here"), HasSubstr("gossamer train")));
  EXPECT_THAT(refusal_of({"consensus", "--dim", "10", "--set", "lr"}), HasSubstr("key=value"));
  const TemporaryFile training("task = \"logistic\"\n");
  EXPECT_THAT(refusal_of({"consensus", "--config", training.path()}),
              HasSubstr("task 'logistic' has a command of its own: gossamer train"));
}

TEST(TuneGammaCommand, ShowsItsTableAndTheBest) {
  const Arguments tune = {"tune-gamma", "--nodes", "4", "--dim", "50", "--compressor", "topk:0.1"};
  const ProgramResult table = run_program(tune);
  EXPECT_EQ(table.exit_code, 0) << table.err;
  EXPECT_THAT(table.out, HasSubstr("diverges"));
  EXPECT_THAT(table.out, HasSubstr("<- best"));
  const auto tuned = nlohmann::json::parse(run_program(tune + Arguments{"--json"}).out);
  ASSERT_EQ(tuned.at("trials").size(), 20u);
  EXPECT_THAT(table.out, HasSubstr("\n--gamma " + nlohmann::json(tuned.at("gamma")).dump() + "\n"));
  EXPECT_THAT(refusal_of({"tune-gamma", "--dim", "50", "--algorithm", "dcd"}),
              HasSubstr("dcd has no gamma that needs tuning"));
}

// The tables of docs/golden_numbers.md, where a debug build can afford them. Within 20 % in rounds:
// with a factor f per round, an error may be off by f^(0.2 rounds).

TEST(ConsensusCommand, ReachesTheGoldenErrorsOfExactGossip) {
  const RunOutput output =
      run_json({"consensus", "--nodes", "25", "--dim", "2000", "--algorithm", "exact", "--gamma",
                "1", "--rounds", "300", "--report", "100,300"});
  ASSERT_EQ(output.rows.size(), 2u);
  // 1.2e-3 and 2.6e-7: a factor of 0.9585 per round, 20 rounds of it are 2.3, and 60 are 12.7.
  EXPECT_NEAR(std::log(output.rows[0].at("error").get<double>() / 1.2e-3), 0.0, std::log(2.3));
  EXPECT_NEAR(std::log(output.rows[1].at("error").get<double>() / 2.6e-7), 0.0, std::log(12.7));
}

TEST(ConsensusCommand, ReachesTheGoldenTolerancesOnMatrices) {
  const auto rounds_to = [](const Arguments& method, int rounds) {
    const RunOutput output =
        run_json(Arguments{"consensus", "--nodes", "8", "--matrix", "100x100", "--rounds",
                           std::to_string(rounds), "--report", "1", "--tolerance", "1e-2"} +
                 method);
    return output.summary.at("tolerances")[0].at("round").get<double>();
  };
  EXPECT_NEAR(rounds_to({"--algorithm", "exact", "--gamma", "1.3084"}, 20), 7, 0.2 * 7);
  EXPECT_NEAR(rounds_to({"--algorithm", "choco", "--compressor", "sign", "--gamma", "1"}, 40), 17,
              0.2 * 17);
  EXPECT_NEAR(rounds_to({"--algorithm", "powergossip:rank=4", "--gamma", "1.3084"}, 200), 140,
              0.2 * 140);
}

}  // namespace
}  // namespace gossamer::testing
