#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/topology/topology_fixtures.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/topology/graph.hpp"
#include "gossamer/topology/registry.hpp"

namespace gossamer::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<NodeId> peers(const Topology& topology, NodeId id, Round t = 0) {
  std::vector<NodeId> ids;
  for (const Edge& edge : topology.at(id, t).neighbours)
    ids.push_back(edge.peer);
  return ids;
}

std::set<std::pair<NodeId, NodeId>> edges_of(const Topology& topology) {
  std::set<std::pair<NodeId, NodeId>> found;
  for (NodeId id = 0; id < topology.size(); ++id) {
    for (const NodeId peer : peers(topology, id))
      found.insert(std::minmax(id, peer));
  }
  return found;
}

TEST(Registry, EveryEntryHasAnExampleOfItsOwnNameAndOneSentence) {
  std::set<std::string_view> names;
  for (const TopologyEntry& entry : topologies()) {
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    EXPECT_TRUE(entry.example == entry.name ||
                entry.example.starts_with(std::string(entry.name) + ":"));
    EXPECT_GT(entry.summary.size(), 10u);
    EXPECT_FALSE(entry.summary.ends_with("."));
  }
  EXPECT_EQ(names.size(), 12u);
}

TEST(Registry, SuggestsTheNearestName) {
  EXPECT_THAT(refusal("rign", 8), HasSubstr("unknown topology 'rign'; did you mean 'ring'?"));
  EXPECT_THAT(refusal("hypercub", 8), HasSubstr("did you mean 'hypercube'?"));
  EXPECT_THAT(refusal("", 8), HasSubstr("unknown topology ''"));
}

TEST(Registry, RefusesOptionsThatNobodyKnows) {
  EXPECT_EQ(refusal("ring:5", 5), "ring takes no option '5'");
  EXPECT_EQ(refusal("torus:2x2,fast", 4), "torus takes no option 'fast'");
  EXPECT_THAT(refusal("social:weights=maxdegre"), HasSubstr("did you mean 'weights=maxdegree'?"));
}

TEST(Registry, RefusesAnAbsurdNumberOfNodes) {
  EXPECT_EQ(refusal("ring", 0), "the number of nodes must be from 1 to 131072, not 0");
  EXPECT_EQ(refusal("ring", 2'000'000),
            "the number of nodes must be from 1 to 131072, not 2000000");
  EXPECT_EQ(
      refusal("complete", 5000),
      "complete with 5000 nodes has about 12497500 edges, more than the 8388608 that are kept");
}

TEST(Registry, AsksForTheNumberOfNodes) {
  EXPECT_EQ(refusal("ring"), "ring comes in every size: say how many nodes (--nodes N)");
  EXPECT_EQ(refusal("torus"), "torus comes in every size: say how many nodes (--nodes N)");
}

TEST(Registry, RefusesNodesThatContradictTheSpec) {
  EXPECT_EQ(refusal("torus:4x8", 30), "torus:4x8 has 32 nodes, but --nodes says 30");
  EXPECT_EQ(refusal("social", 8), "social has 32 nodes, but --nodes says 8");
  EXPECT_EQ(refusal("torus:4x8", 32), "");
  EXPECT_EQ(refusal("social", 32), "");
}

TEST(Topology, ReadingARowBeyondTheLastIsAContractViolation) {
  for (const char* spec : {"ring", "exponential", "one-peer-exponential"}) {
    EXPECT_THROW((void)topology(spec, 4)->at(4, 0), ContractViolation);
    EXPECT_THROW((void)topology(spec, 4)->listeners(4, 0), ContractViolation);
  }
}

TEST(GraphOf, NamesEachPairThatTalksOnce) {
  const Graph chain = graph_of(*topology("chain", 3));
  EXPECT_EQ(chain.nodes, 3u);
  EXPECT_THAT(chain.pairs, ElementsAre(NodePair{0, 1}, NodePair{1, 2}));
  // Heard one way only, and from node to node in some round of the period.
  for (const char* spec : {"exponential", "one-peer-exponential"})
    EXPECT_EQ(graph_of(*topology(spec, 8)).pairs.size(), 8u + 8u + 4u) << spec;
}

TEST(SmallGraphs, OfOneNodeKeepAllOfIt) {
  for (const char* spec : {"ring", "chain", "torus", "torus:1x1", "complete", "star", "hypercube",
                           "exponential", "one-peer-exponential", "erdos-renyi:0.3"}) {
    SCOPED_TRACE(spec);
    const auto one = topology(spec, 1);
    EXPECT_EQ(one->at(0, 7).self_weight, 1.0);
    EXPECT_TRUE(one->at(0, 7).neighbours.empty());
    EXPECT_TRUE(one->listeners(0, 7).empty());
  }
}

TEST(SmallGraphs, OfTwoNodesAreOneEdgeOfWeightOneHalf) {
  for (const char* spec : {"ring", "chain", "torus", "complete", "star", "hypercube", "exponential",
                           "one-peer-exponential", "erdos-renyi:0.3", "random-regular:1"}) {
    SCOPED_TRACE(spec);
    const auto pair = topology(spec, 2);
    EXPECT_EQ(full_matrix(*pair, 0), (std::vector<std::vector<double>>{{0.5, 0.5}, {0.5, 0.5}}));
    EXPECT_TRUE(pair->is_symmetric());
    EXPECT_FALSE(pair->is_time_varying());
  }
}

TEST(Ring, OfThreeNodesIsComplete) {
  EXPECT_EQ(edges_of(*topology("ring", 3)), edges_of(*topology("complete", 3)));
}

TEST(Ring, HearsBothSides) {
  const auto ring = topology("ring", 5);
  EXPECT_THAT(peers(*ring, 0), ElementsAre(1, 4));
  EXPECT_THAT(peers(*ring, 2), ElementsAre(1, 3));
  EXPECT_EQ(ring->at(2, 0).neighbours[0].weight, 1.0 / 3.0);
  EXPECT_EQ(ring->at(2, 0).self_weight, 1.0 - (1.0 / 3.0 + 1.0 / 3.0));
}

TEST(Chain, HasTwoEnds) {
  const auto chain = topology("chain", 4);
  EXPECT_THAT(peers(*chain, 0), ElementsAre(1));
  EXPECT_THAT(peers(*chain, 1), ElementsAre(0, 2));
  EXPECT_THAT(peers(*chain, 3), ElementsAre(2));
  EXPECT_EQ(chain->at(0, 0).self_weight, 1.0 - 1.0 / 3.0);
}

TEST(Torus, WrapsAroundBothWays) {
  const auto torus = topology("torus:3x4");
  EXPECT_EQ(torus->size(), 12u);
  EXPECT_THAT(peers(*torus, 0), ElementsAre(1, 3, 4, 8));
  EXPECT_THAT(peers(*torus, 5), ElementsAre(1, 4, 6, 9));
}

TEST(Torus, TakesTheMostSquareSides) {
  EXPECT_EQ(topology("torus", 32)->spec(), "torus:4x8");
  EXPECT_EQ(topology("torus", 36)->spec(), "torus:6x6");
  EXPECT_EQ(topology("torus", 12)->spec(), "torus:3x4");
  EXPECT_EQ(topology("torus", 7)->spec(), "torus:1x7");
}

TEST(Torus, WithASideOfTwoHasNoDoubleEdges) {
  const auto square = topology("torus:2x2");
  EXPECT_THAT(peers(*square, 0), ElementsAre(1, 2));
  EXPECT_THAT(peers(*square, 3), ElementsAre(1, 2));
  EXPECT_EQ(square->at(0, 0).neighbours[0].weight, 1.0 / 3.0);
  const auto narrow = topology("torus:2x4");
  EXPECT_THAT(peers(*narrow, 0), ElementsAre(1, 3, 4));
  EXPECT_EQ(narrow->at(0, 0).neighbours[0].weight, 1.0 / 4.0);
}

TEST(Torus, WithASideOfOneIsARing) {
  EXPECT_EQ(edges_of(*topology("torus:1x7")), edges_of(*topology("ring", 7)));
  EXPECT_EQ(edges_of(*topology("torus:7x1")), edges_of(*topology("ring", 7)));
}

TEST(Torus, SaysHowSidesAreWritten) {
  for (const char* sides :
       {"4", "4*8", "4x", "x8", "0x8", "4x8x2", "-4x8", "4x 8", "2000x2000", "4294967296x1"}) {
    EXPECT_EQ(
        refusal(fmt::format("torus:{}", sides)),
        fmt::format("torus: sides are written like 4x8, with at most 131072 nodes in all, not '{}'",
                    sides));
  }
}

TEST(Complete, AveragesInOneRound) {
  const auto complete = topology("complete", 4);
  EXPECT_EQ(gossip(*complete, 0, {4.0, 0.0, 0.0, 0.0}), (std::vector<double>{1.0, 1.0, 1.0, 1.0}));
}

TEST(Star, HasNodeZeroInTheMiddle) {
  const auto star = topology("star", 4);
  EXPECT_THAT(peers(*star, 0), ElementsAre(1, 2, 3));
  EXPECT_THAT(peers(*star, 2), ElementsAre(0));
  EXPECT_EQ(star->at(2, 0).neighbours[0].weight, 0.25);
  EXPECT_EQ(star->at(0, 0).self_weight, 0.25);
}

TEST(Star, OfManyNodesKeepsItsSums) {
  const NodeId n = 100'000;
  const auto star = topology("star", n);
  EXPECT_NEAR(star->at(0, 0).self_weight * n, 1.0, 1e-10);
}

TEST(Hypercube, JoinsNodesThatDifferInOneBit) {
  EXPECT_THAT(peers(*topology("hypercube", 8), 5), ElementsAre(1, 4, 7));
}

TEST(Hypercube, NeedsAPowerOfTwo) {
  EXPECT_EQ(refusal("hypercube", 12),
            "hypercube needs a power of two for its number of nodes, 8 or 16, not 12");
}

TEST(Social, HasTheDegreesOfTheDavisGraph) {
  const auto social = topology("social");
  EXPECT_EQ(social->size(), 32u);
  EXPECT_EQ(edges_of(*social).size(), 89u);
  EXPECT_EQ(peers(*social, 0).size(), 8u);
  EXPECT_EQ(peers(*social, 17 + 8).size(), 14u);  // event 8, which most women came to
  EXPECT_THAT(peers(*social, 17), ElementsAre(17 + 9, 17 + 11));
}

TEST(Social, WithMaxDegreeWeightsLeavesNothingToItsLargestNode) {
  const auto social = topology("social:weights=maxdegree");
  EXPECT_EQ(social->spec(), "social:weights=maxdegree");
  EXPECT_NEAR(social->at(17 + 8, 0).self_weight, 0.0, 1e-15);
  EXPECT_EQ(social->at(0, 0).neighbours.back().weight, 1.0 / 12.0);  // event 9 has 12 guests
  EXPECT_EQ(topology("social:weights=metropolis")->spec(), "social");
}

TEST(Exponential, HearsPowersOfTwoAhead) {
  const auto graph = topology("exponential", 10);
  EXPECT_THAT(peers(*graph, 0), ElementsAre(1, 2, 4, 8));
  EXPECT_THAT(peers(*graph, 7), ElementsAre(1, 5, 8, 9));
  EXPECT_EQ(graph->at(0, 0).neighbours[0].weight, 0.2);
  EXPECT_FALSE(graph->is_symmetric());
}

TEST(OnePeerExponential, HearsOnePeerPerRound) {
  const auto graph = topology("one-peer-exponential", 6);
  EXPECT_EQ(graph->period(), 3u);
  EXPECT_THAT(peers(*graph, 4, 0), ElementsAre(5));
  EXPECT_THAT(peers(*graph, 4, 1), ElementsAre(0));
  EXPECT_THAT(peers(*graph, 4, 2), ElementsAre(2));
  EXPECT_THAT(peers(*graph, 4, 3), ElementsAre(5));
  EXPECT_EQ(graph->at(4, 1).self_weight, 0.5);
}

// Halves and sums of small whole numbers are exact in binary: no tolerance.
TEST(OnePeerExponential, GivesTheExactAverageAfterPRoundsOnlyForPowersOfTwo) {
  for (NodeId n = 2; n <= 70; ++n) {
    const auto graph = topology("one-peer-exponential", n);
    const Round p = static_cast<Round>(std::bit_width(n - 1));
    for (const Round first : {Round{0}, Round{5}}) {  // any p rounds in a row will do
      std::vector<double> x(n, 0.0);
      x[1] = static_cast<double>(n);
      for (Round t = first; t < first + p; ++t)
        x = gossip(*graph, t, x);
      const bool is_average = std::ranges::all_of(x, [](double value) { return value == 1.0; });
      EXPECT_EQ(is_average, std::has_single_bit(n)) << n << " nodes, from round " << first;
    }
  }
}

TEST(RandomRegular, GivesEveryNodeTheSameDegree) {
  for (const auto& [degree, nodes] :
       std::map<NodeId, NodeId>{{2, 9}, {3, 20}, {4, 5}, {5, 12}, {8, 10}, {9, 10}, {40, 64}}) {
    const auto graph = topology(fmt::format("random-regular:{}", degree), nodes, 3);
    for (NodeId id = 0; id < nodes; ++id) {
      EXPECT_EQ(peers(*graph, id).size(), degree);
      EXPECT_NEAR(graph->at(id, 0).self_weight, 1.0 / (1.0 + degree), 1e-15);
    }
  }
}

TEST(RandomRegular, SaysWhichDegreesAreImpossible) {
  EXPECT_EQ(refusal("random-regular", 8), "random-regular needs a degree, as in random-regular:4");
  EXPECT_EQ(
      refusal("random-regular:8", 8),
      "random-regular:8 cannot have 8 nodes: each needs more neighbours than there are others");
  EXPECT_EQ(refusal("random-regular:3", 9),
            "random-regular:3 cannot have 9 nodes: an odd degree needs an even number of nodes");
  EXPECT_EQ(refusal("random-regular:1", 8),
            "random-regular:1 cannot have 8 nodes: with one neighbour each they are not connected");
  EXPECT_THAT(refusal("random-regular:x", 8), HasSubstr("degree must be a whole number"));
  EXPECT_THAT(refusal("random-regular:0", 8), HasSubstr("degree must be a whole number"));
}

// Every 3-regular graph of 6 nodes is K33 or the prism, in 10 and 60 labellings: a uniform walk
// finds K33 one time in seven, 100 times in 700 draws, with a standard deviation of 9.3: five of
// them are accepted.
TEST(RandomRegular, DrawsAllGraphsEquallyOften) {
  int bipartite = 0;
  for (std::uint64_t seed = 0; seed < 700; ++seed) {
    const auto graph = topology("random-regular:3", 6, seed);
    bool has_triangle = false;
    for (const NodeId a : peers(*graph, 0)) {
      for (const NodeId b : peers(*graph, a))
        has_triangle = has_triangle || std::ranges::count(peers(*graph, 0), b) > 0;
    }
    if (!has_triangle) ++bipartite;
  }
  EXPECT_NEAR(bipartite, 100, 46);
}

TEST(ErdosRenyi, HasAboutAsManyEdgesAsItsProbabilitySays) {
  for (const double probability : {0.1, 0.5, 0.9}) {
    const NodeId n = 200;
    const auto graph = topology(fmt::format("erdos-renyi:{}", probability), n, 11);
    const double pairs = 0.5 * n * (n - 1.0);
    const double deviation = std::sqrt(pairs * probability * (1.0 - probability));
    EXPECT_NEAR(static_cast<double>(edges_of(*graph).size()), pairs * probability, 5 * deviation);
  }
}

TEST(ErdosRenyi, OfProbabilityOneIsComplete) {
  EXPECT_EQ(edges_of(*topology("erdos-renyi:1", 9)), edges_of(*topology("complete", 9)));
}

// Each pair is joined in about 30 % of all draws, the first and the last as often as the others.
// Conditioning on connectedness hardly matters: 20 nodes at 0.3 are connected 98 % of the time.
TEST(ErdosRenyi, FavoursNoPair) {
  const NodeId n = 20;
  const int draws = 1000;
  std::map<std::pair<NodeId, NodeId>, int> counts;
  for (std::uint64_t seed = 0; seed < draws; ++seed) {
    for (const auto& pair : edges_of(*topology("erdos-renyi:0.3", n, seed)))
      ++counts[pair];
  }
  EXPECT_EQ(counts.size(), n * (n - 1) / 2);
  for (const auto& [pair, count] : counts)
    EXPECT_NEAR(count, 0.3 * draws, 75) << pair.first << " " << pair.second;
}

TEST(ErdosRenyi, GivesUpAfterAHundredTriesAndSaysWhatWouldWork) {
  EXPECT_EQ(refusal("erdos-renyi:0.01", 50),
            "erdos-renyi:0.01 with 50 nodes was not connected in 100 tries; the probability should "
            "be above "
            "ln(nodes) / nodes = 0.078");
  EXPECT_EQ(refusal("erdos-renyi", 8), "erdos-renyi needs a probability, as in erdos-renyi:0.3");
  EXPECT_THAT(refusal("erdos-renyi:0", 8), HasSubstr("probability must be a number"));
  EXPECT_THAT(refusal("erdos-renyi:1.5", 8), HasSubstr("probability must be a number"));
  EXPECT_THAT(refusal("erdos-renyi:0.9", 100'000),
              HasSubstr("more than the 8388608 that are kept"));
}

TEST(RandomGraphs, AreAFunctionOfTheirSeed) {
  for (const char* spec :
       {"random-regular:2", "random-regular:3", "random-regular:4", "erdos-renyi:0.3"}) {
    EXPECT_EQ(edges_of(*topology(spec, 24, 7)), edges_of(*topology(spec, 24, 7)));
    EXPECT_NE(edges_of(*topology(spec, 24, 7)), edges_of(*topology(spec, 24, 8)));
  }
}

// Every process of a run draws the graph by itself, on whatever machine: these edges are for ever.
TEST(RandomGraphs, AreTheSameOnEveryMachine) {
  const auto neighbours_of_zero = [](const char* spec) {
    return peers(*topology(spec, 16, 42), 0);
  };
  EXPECT_THAT(neighbours_of_zero("random-regular:2"), ElementsAre(2, 9));
  EXPECT_THAT(neighbours_of_zero("random-regular:4"), ElementsAre(4, 5, 7, 9));
  EXPECT_THAT(neighbours_of_zero("erdos-renyi:0.3"), ElementsAre(1, 3, 5, 6, 15));
}

}  // namespace
}  // namespace gossamer::testing
