#include <string>
#include <vector>

#include "tests/topology/topology_fixtures.hpp"
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

/// The refusal of a file with this text, with the path written as FILE.
std::string refusal_of(std::string_view text, std::optional<NodeId> nodes = std::nullopt) {
  const GraphFile file(text);
  std::string sentence = refusal(file.spec(), nodes);
  for (std::size_t at = sentence.find(file.path()); at != std::string::npos;
       at = sentence.find(file.path())) {
    sentence.replace(at, file.path().size(), "FILE");
  }
  return sentence;
}

TEST(GraphFile, WithoutWeightsGetsThoseOfMetropolis) {
  const GraphFile file("# a path\n0 1\n\n  1\t2   # the second edge\r\n");
  const auto graph = topology(file.spec());
  EXPECT_EQ(graph->size(), 3u);
  EXPECT_EQ(full_matrix(*graph, 0), full_matrix(*topology("chain", 3), 0));
  EXPECT_EQ(graph->spec(), file.spec());
}

TEST(GraphFile, KeepsItsWeightsAndLeavesTheRestToTheNode) {
  const auto graph = topology(GraphFile("0 1 0.25\n1 2 0.5\n").spec());
  const std::vector<std::vector<double>> expected = {
      {0.75, 0.25, 0.0}, {0.25, 0.25, 0.5}, {0.0, 0.5, 0.5}};
  EXPECT_EQ(full_matrix(*graph, 0), expected);
}

TEST(GraphFile, MayGiveBothDirections) {
  const auto once = topology(GraphFile("0 1 0.25\n1 2 0.5\n").spec());
  const auto twice = topology(GraphFile("0 1 0.25\n1 0 0.25\n2 1 0.5\n1 2 0.5\n").spec());
  EXPECT_EQ(full_matrix(*once, 0), full_matrix(*twice, 0));
}

TEST(GraphFile, MayUseUpAllOfANode) {
  const auto graph = topology(GraphFile("0 1 0.1\n0 2 0.2\n0 3 0.7\n").spec());
  EXPECT_NEAR(graph->at(0, 0).self_weight, 0.0, 1e-15);
}

TEST(GraphFile, MayHaveACommaAndAColonInItsPath) {
  const GraphFile file("0 1\n");
  const std::string path = file.path() + ",a=b,:c";
  std::filesystem::copy_file(file.path(), path);
  EXPECT_EQ(refusal("file:" + path), "");
  std::filesystem::remove(path);
}

TEST(GraphFile, MayBeOneNodeWithoutEdges) {
  EXPECT_EQ(topology(GraphFile("# alone\n").spec(), 1)->size(), 1u);
}

TEST(GraphFile, MustBeThere) {
  EXPECT_EQ(refusal("file"), "file needs a path, as in file:graph.txt");
  EXPECT_EQ(refusal("file:/nowhere/graph.txt"), "cannot open the graph file '/nowhere/graph.txt'");
  EXPECT_EQ(refusal("file:/"), "cannot read '/': Is a directory");
  EXPECT_EQ(refusal("file:/dev/zero"), "'/dev/zero' is a device, and no regular file");
}

TEST(GraphFile, MustHaveEdges) {
  EXPECT_EQ(refusal_of("# nothing\n"), "the graph file 'FILE' has no edges");
}

TEST(GraphFile, NamesTheLineOfAMalformedEdge) {
  EXPECT_EQ(refusal_of("0 1\n2\n"), "FILE:2: a line holds 'a b' or 'a b weight', not 1 fields");
  EXPECT_EQ(refusal_of("0 1\n1 2 0.5 x\n"),
            "FILE:2: a line holds 'a b' or 'a b weight', not 4 fields");
  EXPECT_EQ(refusal_of("0 1\n1 b\n"), "FILE:2: a node is a whole number from 0 to 131071, not 'b'");
  EXPECT_EQ(refusal_of("-1 1\n"), "FILE:1: a node is a whole number from 0 to 131071, not '-1'");
  EXPECT_EQ(refusal_of("0 99999999\n"),
            "FILE:1: a node is a whole number from 0 to 131071, not '99999999'");
  EXPECT_EQ(refusal_of("0 1\n\n1 1\n"),
            "FILE:3: node 1 is joined to itself; its own weight is what its edges leave of 1");
}

TEST(GraphFile, NamesTheLineOfABadWeight) {
  for (const char* weight : {"-0.5", "0", "1.5", "nan", "inf", "1/3", "0.5x"}) {
    EXPECT_EQ(refusal_of(fmt::format("0 1 0.5\n1 2 {}\n", weight)),
              fmt::format("FILE:2: a weight is a number above 0 and at most 1, not '{}'", weight));
  }
}

TEST(GraphFile, RefusesAnEdgeGivenTwice) {
  EXPECT_EQ(refusal_of("0 1\n1 2\n0 1\n"), "FILE:3: the edge from 0 to 1 was given before");
  EXPECT_EQ(refusal_of("0 1\n1 0\n1 0\n"), "FILE:3: the edge from 1 to 0 was given before");
}

TEST(GraphFile, RefusesWeightsForSomeEdgesOnly) {
  EXPECT_EQ(refusal_of("0 1 0.5\n1 2\n"),
            "FILE:2: this edge has no weight, unlike that on line 1: give all or none");
  EXPECT_EQ(refusal_of("0 1\n1 2 0.5\n"),
            "FILE:2: this edge has a weight, unlike that on line 1: give all or none");
}

TEST(GraphFile, RefusesWeightsThatAreNotSymmetric) {
  EXPECT_EQ(refusal_of("0 1 0.25\n1 0 0.5\n"),
            "FILE:2: weights must be symmetric: 0.5 from 1 to 0, but 0.25 back on line 1");
}

TEST(GraphFile, RefusesWeightsThatSumToMoreThanOne) {
  EXPECT_EQ(refusal_of("0 1 0.5\n1 2 0.4\n3 1 0.2\n"),
            "FILE:3: the weights of node 1 sum to 1.1, more than 1");
}

TEST(GraphFile, NamesANodeThatCannotBeReached) {
  EXPECT_EQ(refusal_of("0 1\n1 2\n3 4\n"), "FILE:3: node 3 cannot be reached from node 0");
  EXPECT_EQ(refusal_of("0 1\n1 3\n"),
            "FILE: node 2 cannot be reached from node 0: no line names it");
  EXPECT_EQ(refusal_of("0 1\n", 3), "FILE: node 2 cannot be reached from node 0: no line names it");
}

TEST(GraphFile, RefusesNodesBeyondTheRequestedNumber) {
  EXPECT_EQ(refusal_of("0 1\n1 2\n", 2),
            "FILE:2: node 2 does not exist: --nodes says 2, counted from 0");
  EXPECT_EQ(refusal_of("0 1\n1 2\n", 3), "");
}

TEST(GraphFile, RefusesWeightsThatNeverMix) {
  EXPECT_EQ(
      refusal_of("0 1 0.5\n1 2 0.5\n2 3 0.5\n3 0 0.5\n"),
      "file:FILE: with these weights models swap places for ever and never agree (spectral gap 0): "
      "let a node keep a share of its own, so that its weights sum to less than 1");
  EXPECT_EQ(refusal_of("0 1 0.5\n1 2 0.5\n2 0 0.5\n"), "") << "an odd cycle mixes";
}

}  // namespace
}  // namespace gossamer::testing
