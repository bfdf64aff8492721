// `gossamer plan` without a target: what it prints, whom it recommends, and what it refuses.

#include <fstream>
#include <string>
#include <vector>

#include "tests/e2e/run_output.hpp"
#include "tests/support/temporary_folder.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

// A megabyte that takes no time to compute.
const Arguments kLarge = {"plan", "--layers",  "tensor:500x500",   "--compute", "1ms", "--nodes",
                          "4",    "--methods", "dpsgd,choco/sign", "--latency", "1ms"};

TEST(PlanCommand, RecommendsCompressionWhereBytesAreTheLimit) {
  const ProgramResult result = run_program(kLarge + Arguments{"--bandwidth", "10Mbps"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(result.out, HasSubstr("250000 numbers, 4 nodes, 10Mbps each way and 1ms"));
  EXPECT_THAT(result.out, ContainsRegex("1\\.  choco/sign +ring .* kB  bandwidth"));
  EXPECT_THAT(result.out, HasSubstr("\nCompression pays: a round of choco/sign on ring is "));
  EXPECT_THAT(result.out,
              EndsWith("\n  gossamer train --model model.pt --nodes 4 --algorithm choco "
                       "--compressor sign\n"));
}

TEST(PlanCommand, RecommendsNoCompressionWhereComputingIsTheLimit) {
  const ProgramResult result = run_program({"plan", "--layers", "tensor:1000", "--compute", "1s",
                                            "--nodes", "4", "--methods", "dpsgd,choco/sign",
                                            "--topologies", "ring", "--bandwidth", "10Gbps"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("\nCompression does not pay here: "));
  EXPECT_THAT(result.out, HasSubstr("Most of it is compute."));
  EXPECT_THAT(result.out, EndsWith(" --algorithm dpsgd\n"));
}

TEST(PlanCommand, ShowsTheBestAndWhatItIsComparedWith) {
  const ProgramResult result = run_program(
      kLarge + Arguments{"--bandwidth", "10Mbps", "--topologies", "ring,complete", "--top", "1"});
  EXPECT_THAT(result.out, ContainsRegex("\n  1\\.  choco/sign +ring [^\n]+\n  3\\.  dpsgd +ring "));
  EXPECT_THAT(result.out, HasSubstr("\n      and 2 more: --top 4\n"));
}

TEST(PlanCommand, ExplainsItsColumns) {
  const ProgramResult result = run_program(kLarge);
  EXPECT_THAT(result.out, AllOf(HasSubstr("\nA round is one step of every node."),
                                HasSubstr("\nmixing: "), HasSubstr("\nproven gamma: ")));
  EXPECT_THAT(result.out, Not(HasSubstr("*N"))) << "nobody has local steps";
}

// Their rounds are shorter, but do less.
TEST(PlanCommand, DoesNotRecommendLocalStepsForTheirShortRounds) {
  const ProgramResult result =
      run_program({"plan", "--layers", "tensor:500x500", "--compute", "1ms", "--nodes", "4",
                   "--methods", "allreduce,local-sgd*8", "--bandwidth", "10Mbps"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr(" 1.  local-sgd*8"));
  EXPECT_THAT(result.out, HasSubstr("\nMethods with *N talk once in N rounds only"));
  EXPECT_THAT(result.out, EndsWith(" --algorithm allreduce\n"));
}

TEST(PlanCommand, PrintsAnObjectPerCandidate) {
  const ProgramResult result =
      run_program(kLarge + Arguments{"--bandwidth", "10Mbps", "--topologies", "ring", "--json"});
  const std::vector<nlohmann::json> rows = json_lines(result.out);
  ASSERT_EQ(rows.size(), 2u) << result.out << result.err;
  EXPECT_EQ(rows[0].at("method"), "choco/sign");
  EXPECT_LT(rows[0].at("seconds_per_round"), rows[1].at("seconds_per_round"));
  // A float for each of 250,000 numbers, a header of 56 bytes, two neighbours.
  EXPECT_EQ(rows[1].at("bytes_per_node"), 2 * (1'000'000 + 56));
  EXPECT_EQ(rows[0].at("limit"), "bandwidth");
  EXPECT_EQ(rows[0].at("is_recommended"), true);
  EXPECT_EQ(rows[1].at("is_recommended"), false);
  EXPECT_EQ(rows[0].at("warnings"), nlohmann::json::array());
  EXPECT_FALSE(rows[0].contains("seconds_to_target"));
}

class PlanRefusal : public ::testing::Test {
 protected:
  // Of a small plan with these arguments too.
  static std::string refusal(const Arguments& more) {
    return refusal_of(
        Arguments{"plan", "--layers", "tensor:100", "--compute", "1ms", "--methods", "dpsgd"} +
        more);
  }

  TemporaryFolder folder_;
};

TEST_F(PlanRefusal, OfNetworksThatCannotBe) {
  EXPECT_THAT(refusal({"--bandwidth", "-50Mbps"}),
              HasSubstr("--bandwidth: '-50Mbps' is not a bandwidth; write a positive number"));
  EXPECT_THAT(refusal({"--latency=-5ms"}), HasSubstr("--latency: '-5ms' is not a duration"));
  EXPECT_THAT(refusal({"--byte-cpu=-1"}), HasSubstr("--byte-cpu: it is a number from 0"));
  EXPECT_THAT(refusal({"--platform", folder_.path("none.xml")}),
              HasSubstr("there is no platform file"));
  EXPECT_THAT(refusal({"--platform", folder_.path("none.xml"), "--latency", "1ms"}),
              HasSubstr("--platform says all about the network: leave out --latency"));
}

TEST_F(PlanRefusal, OfAPlatformThatIsNotConnected) {
  const std::string path = folder_.path("platform.xml");
  std::ofstream(path) << R"(<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="z" routing="Full">
<host id="a" speed="1f"/><host id="b" speed="1f"/><host id="c" speed="1f"/>
<link id="l" bandwidth="1MBps" latency="10ms"/>
<route src="a" dst="b"><link_ctn id="l"/></route>
</zone></platform>
)";
  EXPECT_THAT(refusal({"--platform", path, "--nodes", "3"}),
              HasSubstr("no route connects a and c"));
  EXPECT_THAT(refusal({"--platform", path, "--nodes", "4"}),
              HasSubstr("has 3 hosts, and 4 machines are needed"));
}

TEST_F(PlanRefusal, OfLinksThatAreNotThere) {
  EXPECT_THAT(refusal({"--links", folder_.path("none.jsonl")}), HasSubstr("none.jsonl"));
  std::ofstream(folder_.path("empty.jsonl")) << "\n";
  EXPECT_THAT(refusal({"--links", folder_.path("empty.jsonl")}),
              HasSubstr("empty.jsonl: it has no links: write it by gossamer launch"));
  EXPECT_THAT(refusal({"--links", folder_.path("empty.jsonl"), "--bandwidth", "1Gbps"}),
              HasSubstr("--links says all about the network: leave out --bandwidth"));
}

TEST_F(PlanRefusal, OfNumbersOfNodes) {
  for (const char* const nodes : {"1", "0", "-3", "many"}) {
    EXPECT_THAT(refusal({"--nodes", nodes}),
                HasSubstr(std::string("--nodes: it is a number from 2 to 100000, not ") + nodes));
  }
}

TEST_F(PlanRefusal, OfCandidatesThatThereAreNot) {
  EXPECT_THAT(refusal({"--topologies", "rink"}),
              HasSubstr("unknown topology 'rink'; did you mean 'ring'?"));
  const Arguments layers = {"plan", "--layers", "tensor:100", "--compute", "1ms", "--methods"};
  EXPECT_THAT(refusal_of(layers + Arguments{"chocolate/sign"}),
              HasSubstr("--methods: unknown algorithm 'chocolate'"));
  EXPECT_THAT(refusal_of(layers + Arguments{"choco/singn"}), HasSubstr("unknown compressor"));
  EXPECT_THAT(refusal_of(layers + Arguments{"choco/sign@none"}),
              HasSubstr("gamma must be a number above 0 or 'auto', not 'none'"));
  EXPECT_THAT(refusal_of(layers + Arguments{"qsparse-async"}), HasSubstr("cannot be planned"));
}

TEST_F(PlanRefusal, OfModelsThatCannotBe) {
  EXPECT_THAT(refusal_of({"plan", "--layers", "linaer:3x4", "--compute", "1ms"}),
              HasSubstr("--layers: unknown layer type 'linaer'; did you mean 'linear'?"));
  EXPECT_THAT(refusal_of({"plan", "--layers", "linear:3x4"}), HasSubstr("--compute 20ms"));
  EXPECT_THAT(refusal_of({"plan", "--layers", "linear:3x4", "--compute=-5ms"}),
              HasSubstr("--compute: '-5ms' is not a duration"));
  EXPECT_THAT(refusal_of({"plan", "--task", "consensus"}), HasSubstr("learns nothing"));
}

TEST_F(PlanRefusal, OfTargetsThatCannotBeTriedOut) {
  EXPECT_THAT(refusal({"--target-accuracy", "0.9"}),
              HasSubstr("give a --model instead of --layers"));
  const Arguments quadratic = {"plan", "--task", "quadratic", "--nodes", "4"};
  EXPECT_THAT(refusal_of(quadratic + Arguments{"--target-accuracy", "0.9"}),
              HasSubstr("--target-accuracy: this task has no accuracy"));
  EXPECT_THAT(refusal_of(quadratic + Arguments{"--target-accuracy", "85"}),
              HasSubstr("an accuracy is between 0 and 1, as 0.85"));
  EXPECT_THAT(refusal_of(quadratic + Arguments{"--target-loss=-1"}),
              HasSubstr("a loss to reach is above 0"));
  EXPECT_THAT(refusal_of(quadratic + Arguments{"--target-loss", "1", "--target-accuracy", "0.5"}),
              HasSubstr("two targets"));
}

}  // namespace
}  // namespace gossamer::testing
