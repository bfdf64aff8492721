// The logistic table of docs/golden_numbers.md on the built-in set, at a tenth of its rounds. What
// the table says is how methods compare: at 20,000 rounds those that work are within a few per cent
// of D-PSGD, those that stall are 2 to 12 times above it, and the others grow or end. The same
// holds at 2,000 rounds, on three draws of the built-in set that the bounds here were measured on.

#include <string>

#include "tests/e2e/run_output.hpp"
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

RunOutput train(const Arguments& method) {
  return run_json(Arguments{"train", "--task", "logistic", "--schedule", "inverse:a=400,b=200",
                            "--rounds", "2000", "--report", "1,2000"} +
                  method);
}

double suboptimality(const Arguments& method) {
  const RunOutput output = train(method);
  EXPECT_EQ(output.exit_code, 0) << output.err;
  return output.summary.at("suboptimality");
}

double dpsgd() {
  static const double value = suboptimality({"--algorithm", "dpsgd", "--ordering", "cwa"});
  return value;
}

TEST(LogisticTable, OfPlainMethodsIsWithinOnePerCent) {
  // The table's own claim. Measured: 0.2 %.
  EXPECT_NEAR(suboptimality({"--algorithm", "allreduce"}) / dpsgd(), 1.0, 0.01);
  EXPECT_NEAR(suboptimality({"--algorithm", "dpsgd", "--ordering", "atc"}) / dpsgd(), 1.0, 0.01);
  EXPECT_NEAR(suboptimality({"--algorithm", "ecd"}) / dpsgd(), 1.0, 0.01);
}

TEST(LogisticTable, OfCompressedMethodsThatWorkIsCloseToPlain) {
  // The table: up to 1.5 % above, measured 0.9 % either way.
  for (const Arguments& method :
       {Arguments{"--algorithm", "choco", "--compressor", "qsgd:s=15", "--gamma", "0.6"},
        Arguments{"--algorithm", "choco", "--compressor", "topk:0.1", "--gamma", "0.3"},
        Arguments{"--algorithm", "choco", "--compressor", "topk:0.01", "--gamma", "0.05"},
        Arguments{"--algorithm", "choco", "--compressor", "sign", "--gamma", "0.45"},
        Arguments{"--algorithm", "deepsqueeze", "--compressor", "sign", "--gamma", "0.05"},
        Arguments{"--algorithm", "dcd", "--compressor", "minmax:8"},
        Arguments{"--algorithm", "qsparse", "--compressor", "topk:0.1", "--local-steps", "4"}}) {
    EXPECT_NEAR(suboptimality(method) / dpsgd(), 1.0, 0.03) << method[1] << " " << method[3];
  }
  // The table: 9 % above; measured 1.5 to 5.5 %.
  EXPECT_NEAR(suboptimality({"--algorithm", "dcd", "--compressor", "qsgd:s=15,unscaled"}) / dpsgd(),
              1.05, 0.06);
}

TEST(LogisticTable, OfMethodsThatStallIsFarAbovePlain) {
  // The table: 12 times; measured 4.3 to 5.4 times, since D-PSGD itself is not so far yet.
  EXPECT_GT(suboptimality({"--algorithm", "dcd", "--compressor", "topk:0.01"}), 3.5 * dpsgd());
  // The table: 4.5 times; measured 2.05 times.
  EXPECT_GT(suboptimality({"--algorithm", "qsparse:no-memory", "--compressor", "topk:0.1",
                           "--local-steps", "4"}),
            1.7 * dpsgd());
}

TEST(LogisticTable, OfMethodsThatGrowIsBeyondTheStart) {
  // f(0) - f* is at most log 2; the table has 36 after 1,000 rounds and 1.5e7 after 20,000.
  EXPECT_GT(suboptimality({"--algorithm", "ecd", "--compressor", "minmax:4"}), 20.0);
  // The table: 341 after 20,000; measured 6.9 to 14.9.
  EXPECT_GT(suboptimality({"--algorithm", "naive", "--compressor", "qsgd:s=15,unscaled"}), 1.0);
}

TEST(LogisticTable, OfMethodsThatDivergeEndsWithThree) {
  // The table: near step 112 and 30. Not later than ten times that.
  const RunOutput coarse = train({"--algorithm", "dcd", "--compressor", "qsgd:s=3,unscaled"});
  EXPECT_EQ(coarse.exit_code, 3);
  EXPECT_LT(coarse.summary.at("failure").at("round"), 1120);
  const RunOutput sparse = train({"--algorithm", "dcd", "--compressor", "randk:0.1,unbiased"});
  EXPECT_EQ(sparse.exit_code, 3);
  EXPECT_LT(sparse.summary.at("failure").at("round"), 300);
  for (const RunOutput& output : {coarse, sparse}) {
    EXPECT_EQ(output.summary.at("outcome"), "diverged");
    ASSERT_EQ(output.rows.size(), 1u);
    EXPECT_EQ(output.rows[0].at("round"), 1);
  }
}

}  // namespace
}  // namespace gossamer::testing
