// Graphs that break one law each: validate() must name it.
#include "gossamer/topology/validate.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

struct FakeRow {
  double self_weight;
  std::vector<Edge> edges;
};

/// Whatever rows a test wants. Columns are the rows, unless given.
class Fake final : public Topology {
 public:
  explicit Fake(std::vector<FakeRow> rows, std::vector<FakeRow> columns = {})
      : rows_(std::move(rows)), columns_(columns.empty() ? rows_ : std::move(columns)) {}

  Fake& directed() {
    symmetric_ = false;
    return *this;
  }

  [[nodiscard]] NodeId size() const override { return static_cast<NodeId>(rows_.size()); }

  [[nodiscard]] Neighborhood at(NodeId id, Round) const override {
    return {rows_[id].self_weight, rows_[id].edges};
  }

  [[nodiscard]] std::span<const Edge> listeners(NodeId id, Round) const override {
    return columns_[id].edges;
  }

  [[nodiscard]] Round period() const override { return 1; }

  [[nodiscard]] bool is_symmetric() const override { return symmetric_; }

  [[nodiscard]] const std::string& spec() const override { return spec_; }

 private:
  std::string spec_ = "fake";
  std::vector<FakeRow> rows_;
  std::vector<FakeRow> columns_;
  bool symmetric_ = true;
};

std::string broken_law(const Topology& topology) {
  const Result<void> lawful = validate(topology);
  return lawful ? "" : lawful.error().message;
}

TEST(Validate, AcceptsALawfulGraph) {
  EXPECT_EQ(broken_law(Fake({{0.5, {{1, 0.5}}}, {0.5, {{0, 0.5}}}})), "");
  EXPECT_EQ(broken_law(Fake({FakeRow{1.0, {}}})), "");
}

TEST(Validate, RefusesAnEmptyGraph) {
  EXPECT_EQ(broken_law(Fake(std::vector<FakeRow>{})), "a topology has one node at least");
}

TEST(Validate, RefusesRowsThatDoNotSumToOne) {
  EXPECT_EQ(broken_law(Fake({{0.4, {{1, 0.5}}}, {0.5, {{0, 0.5}}}})),
            "row 0 of the weights sums to 0.9, not to 1");
  EXPECT_NE(broken_law(Fake({{0.5 + 2e-12, {{1, 0.5}}}, {0.5, {{0, 0.5}}}})), "");
  EXPECT_EQ(broken_law(Fake({{0.5 + 5e-13, {{1, 0.5}}}, {0.5, {{0, 0.5}}}})), "");
}

TEST(Validate, RefusesColumnsThatDoNotSumToOne) {
  Fake graph({{0.5, {{1, 0.5}}}, {0.75, {{0, 0.25}}}}, {{0.5, {{1, 0.25}}}, {0.75, {{0, 0.5}}}});
  EXPECT_EQ(broken_law(graph.directed()), "column 0 of the weights sums to 0.75, not to 1");
}

TEST(Validate, RefusesNegativeWeights) {
  EXPECT_EQ(broken_law(Fake({{1.5, {{1, -0.5}}}, {1.5, {{0, -0.5}}}})),
            "the weight between nodes 0 and 1 is -0.5, not above 0");
  EXPECT_EQ(broken_law(Fake({{-0.5, {{1, 1.5}}}, {-0.5, {{0, 1.5}}}})),
            "the self weight of node 0 is -0.5, below 0");
}

TEST(Validate, RefusesNeighboursOutOfOrderTwiceOrBeyondTheLast) {
  const FakeRow one{0.5, {{0, 0.5}}};
  EXPECT_EQ(broken_law(Fake({{0.0, {{2, 0.5}, {1, 0.5}}}, one, one})),
            "the neighbours of node 0 are not in order at 1");
  EXPECT_EQ(broken_law(Fake({{0.0, {{1, 0.5}, {1, 0.5}}}, one})),
            "the neighbours of node 0 are not in order at 1");
  EXPECT_EQ(broken_law(Fake({{0.5, {{2, 0.5}}}, one})),
            "node 0 has a neighbour 2, but there are 2 nodes");
  EXPECT_EQ(broken_law(Fake({{0.5, {{0, 0.5}}}, one})), "node 0 is its own neighbour");
}

TEST(Validate, RefusesAsymmetryWhereSymmetryIsClaimed) {
  const std::vector<FakeRow> rows = {{0.5, {{1, 0.5}}}, {0.5, {{2, 0.5}}}, {0.5, {{0, 0.5}}}};
  const std::vector<FakeRow> columns = {{0.5, {{2, 0.5}}}, {0.5, {{0, 0.5}}}, {0.5, {{1, 0.5}}}};
  Fake graph(rows, columns);
  EXPECT_EQ(broken_law(graph), "the weights between nodes 0 and 1 differ");
  EXPECT_EQ(broken_law(graph.directed()), "");
}

TEST(Validate, RefusesListenersThatAreNotTheColumns) {
  Fake graph({{0.5, {{1, 0.5}}}, {0.5, {{2, 0.5}}}, {0.5, {{0, 0.5}}}});
  EXPECT_EQ(broken_law(graph.directed()),
            "node 0 hears node 1, which does not send to it with that weight");
}

TEST(Validate, RefusesAGraphInTwoParts) {
  const Fake graph({{0.5, {{1, 0.5}}}, {0.5, {{0, 0.5}}}, {0.5, {{3, 0.5}}}, {0.5, {{2, 0.5}}}});
  EXPECT_EQ(broken_law(graph), "the graph is not connected: node 2 cannot be reached from node 0");
  EXPECT_EQ(find_unreachable(graph), NodeId{2});
}

TEST(Validate, RefusesWeightsWithoutASpectralGap) {
  EXPECT_NE(broken_law(Fake({{0.0, {{1, 1.0}}}, {0.0, {{0, 1.0}}}})).find("spectral gap 0"),
            std::string::npos);
}

}  // namespace
}  // namespace gossamer::testing
