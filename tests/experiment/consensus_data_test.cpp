#include "gossamer/experiment/consensus_data.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "tests/support/temporary_file.hpp"
#include "tests/support/temporary_folder.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

using ::testing::HasSubstr;

RunConfig consensus_of(NodeId nodes) {
  RunConfig config;
  config.task = "consensus";
  config.nodes = nodes;
  return config;
}

std::vector<float> numbers_of(const FloatBuffer& model) {
  return {model.data(), model.data() + model.size()};
}

std::string refusal(const RunConfig& config) {
  const auto data = make_consensus_data(config);
  return data ? "not refused" : data.error().message;
}

std::string csv_refusal(const std::string& text, NodeId nodes = 2) {
  const TemporaryFile file(text);
  RunConfig config = consensus_of(nodes);
  config.data = file.path();
  std::string sentence = refusal(config);
  const std::size_t name = sentence.find(file.path());
  EXPECT_NE(name, std::string::npos) << sentence;
  return sentence.replace(name, file.path().size(), "FILE");
}

TEST(ConsensusData, HasARowOfTheFileForEachNode) {
  const TemporaryFile file("1,-2.5, 3e2\n\n\t4 ,5,6\r\n");
  RunConfig config = consensus_of(2);
  config.data = file.path();
  const auto data = make_consensus_data(config);
  ASSERT_TRUE(data) << data.error().message;
  EXPECT_EQ(numbers_of(data.value().models[0]), (std::vector<float>{1, -2.5f, 300}));
  EXPECT_EQ(numbers_of(data.value().models[1]), (std::vector<float>{4, 5, 6}));
  EXPECT_EQ(data.value().layout.size(), 3u);
}

TEST(ConsensusData, AMistakeInAFileIsNamedWithItsLine) {
  EXPECT_EQ(csv_refusal("1,2\n3,x\n"), "FILE: line 2: number 2 must be a finite number, not 'x'");
  EXPECT_EQ(csv_refusal("1,2\n\n3,\n"), "FILE: line 3: number 2 must be a finite number, not ''");
  EXPECT_EQ(csv_refusal("1,nan\n3,4\n"),
            "FILE: line 1: number 2 must be a finite number, not 'nan'");
  EXPECT_EQ(csv_refusal("1e39\n2\n"), "FILE: line 1: number 1 must be a finite number, not '1e39'");
  EXPECT_EQ(csv_refusal("1;2\n"), "FILE: line 1: number 1 must be a finite number, not '1;2'");
  EXPECT_EQ(csv_refusal("1,2\n3\n"), "FILE: line 2 has 1 numbers, and the first row 2");
  EXPECT_EQ(csv_refusal("1\n2\n3\n"), "FILE has 3 rows, one per node, and the run has 2 nodes");
  EXPECT_EQ(csv_refusal(""), "FILE has 0 rows, one per node, and the run has 2 nodes");
}

TEST(ConsensusData, AFileThatCannotBeReadIsRefused) {
  const TemporaryFolder folder;
  RunConfig config = consensus_of(2);
  const auto refusal_of_data = [&](const std::string& path) {
    config.data = path;
    return refusal(config);
  };
  EXPECT_EQ(refusal_of_data(folder.path("none.csv")),
            "cannot read '" + folder.path("none.csv") + "'");
  EXPECT_EQ(refusal_of_data(folder.path()), "cannot read '" + folder.path() + "': Is a directory");
  EXPECT_EQ(refusal_of_data("/dev/zero"), "'/dev/zero' is a device, and no regular file");
}

TEST(ConsensusData, IsAVectorOrAMatrixOfTheShapeAskedFor) {
  RunConfig vector = consensus_of(3);
  vector.dim = 7;
  const auto flat = make_consensus_data(vector);
  ASSERT_TRUE(flat);
  EXPECT_EQ(flat.value().models.size(), 3u);
  EXPECT_EQ(flat.value().layout.size(), 7u);

  RunConfig matrix = consensus_of(3);
  matrix.matrix = "4x5";
  const auto square = make_consensus_data(matrix);
  ASSERT_TRUE(square);
  EXPECT_EQ(square.value().layout.blocks().front().shape, (std::vector<std::size_t>{4, 5}));
  EXPECT_EQ(square.value().models.front().size(), 20u);
}

TEST(ConsensusData, OfAFileCanHaveTheShapeOfAMatrix) {
  const TemporaryFile file("1,2,3,4\n5,6,7,8\n");
  RunConfig config = consensus_of(2);
  config.data = file.path();
  config.matrix = "2x2";
  const auto data = make_consensus_data(config);
  ASSERT_TRUE(data);
  EXPECT_EQ(data.value().layout.blocks().front().shape, (std::vector<std::size_t>{2, 2}));
  config.matrix = "2x3";
  EXPECT_EQ(refusal(config), file.path() + " has rows of 4 numbers, and a matrix of 2x3 has 6");
}

TEST(ConsensusData, IsDecidedByTheSeedAndDiffersBetweenNodes) {
  RunConfig config = consensus_of(2);
  config.dim = 4;
  config.seed = 1;
  const auto one = make_consensus_data(config);
  const auto same = make_consensus_data(config);
  config.seed = 2;
  const auto other = make_consensus_data(config);
  EXPECT_EQ(numbers_of(one.value().models[0]), numbers_of(same.value().models[0]));
  EXPECT_NE(numbers_of(one.value().models[0]), numbers_of(one.value().models[1]));
  EXPECT_NE(numbers_of(one.value().models[0]), numbers_of(other.value().models[0]));
}

// The squared singular values sum to the squared norm, and the largest is what power iteration
// finds: for 1 / k^2 the second is a quarter of it, so that 30 steps leave 4^-60.
TEST(ConsensusData, OfMatricesCanHaveSingularValuesThatDecay) {
  RunConfig config = consensus_of(2);
  config.matrix = "30x20";
  config.decay = 2.0;
  const auto data = make_consensus_data(config);
  ASSERT_TRUE(data) << data.error().message;
  EXPECT_NE(numbers_of(data.value().models[0]), numbers_of(data.value().models[1]));
  double squares = 0.0;
  for (int k = 1; k <= 20; ++k)
    squares += 1.0 / std::pow(k, 4);
  for (const FloatBuffer& model : data.value().models) {
    const Eigen::Map<const Eigen::Matrix<float, 30, 20, Eigen::RowMajor>> m(model.data());
    const Eigen::MatrixXd gram = (m.transpose() * m).cast<double>();
    EXPECT_NEAR(gram.trace(), squares, 1e-4);
    Eigen::VectorXd v = Eigen::VectorXd::Ones(20);
    for (int step = 0; step < 30; ++step)
      v = (gram * v).normalized();
    EXPECT_NEAR((gram * v).norm(), 1.0, 1e-4);
  }
}

TEST(ConsensusData, WithADecayNeedsARandomMatrix) {
  RunConfig config = consensus_of(2);
  config.decay = 2.0;
  config.dim = 5;
  EXPECT_THAT(refusal(config), HasSubstr("decay is about random matrices"));
  config.dim = 0;
  config.matrix = "2x2";
  config.data = "rows.csv";
  EXPECT_THAT(refusal(config), HasSubstr("decay is about random matrices"));
}

TEST(ConsensusData, RefusesAShapeThatIsNone) {
  RunConfig config = consensus_of(2);
  for (const char* shape :
       {"100", "x", "0x5", "5x0", "-1x5", "5x", "x5", "2x3x4", "2 x 3", "axb"}) {
    config.matrix = shape;
    EXPECT_EQ(refusal(config),
              std::string("matrix must be rows and columns, as 100x100, not '") + shape + "'");
  }
  config.matrix = "1000000x1000000";
  EXPECT_THAT(refusal(config), HasSubstr("more than 2^31 numbers"));
}

TEST(ConsensusData, NeedsExactlyOneThingToAgreeOn) {
  RunConfig config = consensus_of(2);
  EXPECT_THAT(refusal(config), HasSubstr("needs something to agree on"));
  config.dim = 5;
  config.matrix = "2x2";
  EXPECT_THAT(refusal(config), HasSubstr("leave it out beside matrix and data"));
  config.matrix = "";
  config.data = "rows.csv";
  EXPECT_THAT(refusal(config), HasSubstr("leave it out beside matrix and data"));
}

}  // namespace
}  // namespace gossamer::testing
