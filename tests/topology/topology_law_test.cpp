// The laws of gossamer/topology/topology.hpp, held over every registered graph in several sizes and
// seeds. The matrices are written out in full here, so that these checks share nothing with
// validate().
#include <algorithm>
#include <cmath>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "tests/topology/topology_fixtures.hpp"
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "gossamer/topology/registry.hpp"
#include "gossamer/topology/validate.hpp"

namespace gossamer::testing {
namespace {

constexpr std::string_view kPetersen =
    "0 1\n1 2\n2 3\n3 4\n4 0\n0 5\n1 6\n2 7\n3 8\n4 9\n5 7\n7 9\n9 6\n6 8\n8 5\n";

/// A registered spec, all sizes of which that exist are tried.
struct Case {
  std::string name;
  std::string spec;
};

std::ostream& operator<<(std::ostream& out, const Case& param) {
  return out << param.spec;
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const TopologyEntry& entry : topologies()) {
    std::string name(entry.name);
    std::replace(name.begin(), name.end(), '-', '_');
    cases.push_back({name, std::string(entry.example)});
    if (entry.name == "torus") cases.push_back({name + "_most_square", "torus"});
    if (entry.name == "social") cases.push_back({name + "_maxdegree", "social:weights=maxdegree"});
    if (entry.name == "random-regular") cases.push_back({name + "_odd", "random-regular:3"});
  }
  return cases;
}

class TopologyLaw : public ::testing::TestWithParam<Case> {
 protected:
  /// Runs `claim` on every size and seed in which the graph exists.
  template <typename Claim>
  void for_each_topology(Claim claim) {
    const GraphFile file(kPetersen);
    const bool is_file = GetParam().name == "file";
    const std::string spec = is_file ? file.spec() : GetParam().spec;
    std::size_t found = 0;
    for (const std::optional<NodeId> nodes : kSizes) {
      for (const std::uint64_t seed : {0u, 1u, 2u}) {
        const Result<std::unique_ptr<Topology>> made = make_topology(spec, nodes, seed);
        if (!made) continue;
        ++found;
        const std::string size = nodes ? fmt::format(" --nodes {}", *nodes) : "";
        SCOPED_TRACE(fmt::format("repeat: gossamer topology {}{} --seed {}", spec, size, seed));
        claim(*made.value());
        if (HasFatalFailure()) return;
      }
    }
    EXPECT_GT(found, 0u) << "no size at all is accepted";
  }

 private:
  static constexpr std::optional<NodeId> kSizes[] = {std::nullopt, 1,  2,  3,  4,  5,  6,  7,  8, 9,
                                                     12,           15, 16, 17, 32, 33, 64, 100};
};

TEST_P(TopologyLaw, RowsAndColumnsSumToOne) {
  for_each_topology([](const Topology& topology) {
    for (Round t = 0; t < topology.period(); ++t) {
      const auto W = full_matrix(topology, t);
      for (std::size_t i = 0; i < W.size(); ++i) {
        double row = 0.0;
        double column = 0.0;
        for (std::size_t j = 0; j < W.size(); ++j) {
          row += W[i][j];
          column += W[j][i];
        }
        ASSERT_NEAR(row, 1.0, 1e-12) << "row " << i;
        ASSERT_NEAR(column, 1.0, 1e-12) << "column " << i;
      }
    }
  });
}

TEST_P(TopologyLaw, WeightsOfNeighboursArePositiveAndSelfWeightsAreNotNegative) {
  for_each_topology([](const Topology& topology) {
    for (Round t = 0; t < topology.period(); ++t) {
      for (NodeId id = 0; id < topology.size(); ++id) {
        ASSERT_GE(topology.at(id, t).self_weight, 0.0);
        for (const Edge& edge : topology.at(id, t).neighbours)
          ASSERT_GT(edge.weight, 0.0);
      }
    }
  });
}

TEST_P(TopologyLaw, NeighboursAreSortedWithoutDuplicatesAndWithoutTheNodeItself) {
  for_each_topology([](const Topology& topology) {
    for (Round t = 0; t < topology.period(); ++t) {
      for (NodeId id = 0; id < topology.size(); ++id) {
        for (const auto& edges : {topology.at(id, t).neighbours, topology.listeners(id, t)}) {
          for (std::size_t k = 0; k < edges.size(); ++k) {
            ASSERT_LT(edges[k].peer, topology.size());
            ASSERT_NE(edges[k].peer, id);
            ASSERT_TRUE(k == 0 || edges[k - 1].peer < edges[k].peer);
          }
        }
      }
    }
  });
}

TEST_P(TopologyLaw, ListenersAreTheColumns) {
  for_each_topology([](const Topology& topology) {
    for (Round t = 0; t < topology.period(); ++t) {
      const auto W = full_matrix(topology, t);
      for (NodeId id = 0; id < topology.size(); ++id) {
        std::vector<Edge> column;
        for (NodeId row = 0; row < topology.size(); ++row) {
          if (row != id && W[row][id] != 0.0) column.push_back({row, W[row][id]});
        }
        const std::span<const Edge> listeners = topology.listeners(id, t);
        ASSERT_TRUE(std::ranges::equal(column, listeners)) << "node " << id << ", round " << t;
      }
    }
  });
}

TEST_P(TopologyLaw, IsSymmetricExactlyWhereItSaysSo) {
  for_each_topology([](const Topology& topology) {
    bool is_symmetric = true;
    for (Round t = 0; t < topology.period(); ++t) {
      const auto W = full_matrix(topology, t);
      for (std::size_t i = 0; i < W.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j)
          is_symmetric = is_symmetric && W[i][j] == W[j][i];
      }
    }
    ASSERT_EQ(topology.is_symmetric(), is_symmetric);
  });
}

TEST_P(TopologyLaw, RepeatsAfterItsPeriodAndNotBefore) {
  for_each_topology([](const Topology& topology) {
    const Round period = topology.period();
    ASSERT_GE(period, 1u);
    ASSERT_EQ(topology.is_time_varying(), period > 1);
    ASSERT_EQ(full_matrix(topology, 1), full_matrix(topology, 1 + period));
    ASSERT_EQ(full_matrix(topology, 0), full_matrix(topology, 1000 * period));
    for (Round t = 1; t < period; ++t)
      ASSERT_NE(full_matrix(topology, 0), full_matrix(topology, t));
  });
}

// What node 0 alone knows reaches everybody, if the rounds are repeated as often as there are
// nodes.
TEST_P(TopologyLaw, IsConnected) {
  for_each_topology([](const Topology& topology) {
    std::vector<bool> knows(topology.size(), false);
    knows[0] = true;
    for (Round t = 0; t < topology.size() * topology.period(); ++t) {
      std::vector<bool> next = knows;
      for (NodeId id = 0; id < topology.size(); ++id) {
        for (const Edge& edge : topology.at(id, t).neighbours) {
          if (knows[edge.peer]) next[id] = true;
        }
      }
      knows = next;
    }
    ASSERT_EQ(std::count(knows.begin(), knows.end(), false), 0);
  });
}

TEST_P(TopologyLaw, HasASpectralGapAboveZero) {
  for_each_topology([](const Topology& topology) {
    const Result<Mixing> mixing = mixing_of(topology);
    ASSERT_TRUE(mixing.ok());
    ASSERT_GT(mixing.value().spectral_gap, 0.0);
    ASSERT_LE(mixing.value().spectral_gap, 1.0 + 1e-12);
  });
}

TEST_P(TopologyLaw, ClosedFormEqualsTheDenseSolver) {
  for_each_topology([](const Topology& topology) {
    const std::optional<Mixing> formula = topology.closed_form();
    if (!formula) return;
    const Mixing dense = dense_mixing(topology);
    ASSERT_NEAR(formula->spectral_gap, dense.spectral_gap, 1e-10);
    ASSERT_EQ(formula->spectrum.has_value(), dense.spectrum.has_value());
    if (!dense.spectrum) return;
    ASSERT_NEAR(formula->spectrum->lambda2(), dense.spectrum->lambda2(), 1e-10);
    ASSERT_NEAR(formula->spectrum->lambda_n(), dense.spectrum->lambda_n(), 1e-10);
  });
}

// 300 rounds of gossip from a far-off start: each adds a rounding error of at most a few ulps of
// the largest value, 1000 * 2^-53 = 1e-13.
TEST_P(TopologyLaw, GossipKeepsTheMean) {
  for_each_topology([](const Topology& topology) {
    std::vector<double> x(topology.size(), 0.0);
    x[0] = 1000.0;
    const double mean = 1000.0 / topology.size();
    for (Round t = 0; t < 300; ++t)
      x = gossip(topology, t, x);
    double sum = 0.0;
    for (const double value : x)
      sum += value;
    ASSERT_NEAR(sum / topology.size(), mean, 300 * 1e-12);
  });
}

// No round makes the disagreement larger than (1 - gap) times itself: rounds of a symmetric or a
// circulant W contract by exactly their largest eigenvalue.
TEST_P(TopologyLaw, GossipContractsByTheSpectralGap) {
  for_each_topology([](const Topology& topology) {
    const auto disagreement = [&](const std::vector<double>& x) {
      double sum = 0.0;
      for (const double value : x)
        sum += std::pow(value - 1.0 / topology.size(), 2);
      return std::sqrt(sum);
    };
    const double gap = mixing_of(topology).value().spectral_gap;
    std::vector<double> x(topology.size(), 0.0);
    x[topology.size() / 2] = 1.0;
    for (Round t = 0; t < 10 * topology.period();) {
      const double before = disagreement(x);
      for (Round k = 0; k < topology.period(); ++k, ++t)
        x = gossip(topology, t, x);
      ASSERT_LE(disagreement(x), (1.0 - gap) * before + 1e-14);
    }
  });
}

TEST_P(TopologyLaw, PassesValidate) {
  for_each_topology([](const Topology& topology) {
    const Result<void> lawful = validate(topology);
    ASSERT_TRUE(lawful.ok()) << lawful.error().message;
  });
}

TEST_P(TopologyLaw, ItsSpecMakesItAgain) {
  for_each_topology([](const Topology& first) {
    if (first.spec().starts_with("random-regular") || first.spec().starts_with("erdos-renyi"))
      return;
    const auto second = topology(first.spec(), first.size());
    ASSERT_EQ(first.spec(), second->spec());
    for (Round t = 0; t < first.period(); ++t)
      ASSERT_EQ(full_matrix(first, t), full_matrix(*second, t));
  });
}

INSTANTIATE_TEST_SUITE_P(All, TopologyLaw, ::testing::ValuesIn(all_cases()),
                         [](const auto& instance) { return instance.param.name; });

}  // namespace
}  // namespace gossamer::testing
