// PowerGossip against what it promises, and against numbers of an independent model.

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "tests/algorithms/swarm.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/math/kernels/orthogonalize.hpp"
#include "gossamer/math/kernels/reduce.hpp"

namespace gossamer {
namespace {

using namespace gossamer::testing;
using ::testing::HasSubstr;

// 2^-24: half a unit in the last place of 1, what one operation rounds by.
constexpr double kUlp = 0x1.0p-24;

Models first_models(const Swarm& swarm) {
  Models models;
  for (NodeId id = 0; id < swarm.nodes; ++id)
    models.push_back(swarm.start(id));
  return models;
}

double largest_difference(const Models& a, const Models& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < a[i].size(); ++j)
      largest = std::max(largest, std::abs(double{a[i][j]} - double{b[i][j]}));
  }
  return largest;
}

Swarm gaussian_matrices(std::string algorithm, std::size_t rows, std::size_t columns) {
  const std::size_t size = rows * columns;
  return {.algorithm = std::move(algorithm),
          .size = size,
          .start = [size](NodeId id) { return normal_vector(size, 1000 + id); },
          .rows = rows};
}

// The forms that differ in code.
const char* const kForms[] = {"powergossip",         "powergossip:3",
                              "powergossip:8",       "powergossip:2,cold",
                              "powergossip:steps=3", "powergossip:rank=2,steps=2,cold"};

/// All that survives a round, by name.
struct SavedState {
  std::map<std::string, std::vector<float>> vectors;
  std::map<std::string, std::uint64_t> numbers;
};

class Save final : public StateVisitor {
 public:
  explicit Save(SavedState& state) : state_(state) {}

  void visit(std::string_view name, Vec values) override {
    const std::vector<float> copy(values.begin(), values.end());
    EXPECT_TRUE(state_.vectors.emplace(name, copy).second) << name << " is visited twice";
  }

  void visit(std::string_view name, std::uint64_t& number) override {
    EXPECT_TRUE(state_.numbers.emplace(name, number).second) << name << " is visited twice";
  }

 private:
  SavedState& state_;
};

class Restore final : public StateVisitor {
 public:
  explicit Restore(const SavedState& state) : state_(state) {}

  void visit(std::string_view name, Vec values) override {
    values = view(state_.vectors.at(std::string(name)));
  }

  void visit(std::string_view name, std::uint64_t& number) override {
    number = state_.numbers.at(std::string(name));
  }

 private:
  const SavedState& state_;
};

SavedState state_of(Algorithm& algorithm) {
  SavedState state;
  Save save(state);
  algorithm.visit_state(save);
  return state;
}

// A half-step of full rank is D-PSGD but for rounding. With rows of length 11 at most (eight
// numbers of 4) both products round by 2 * 11 ulp per entry of A, P by twice that, and P Q^T and
// the error of Q Q^T against the identity by some 200 ulp each, if all roundings go one way: 500
// ulp. They do not: a sum of 100 roundings is about ten times smaller, 50 ulp. Every gradient step
// leaves 0.9 of an error, so that ten rounds' worth of them are there at a time.
constexpr double kFullRankRounding = 10 * 50 * kUlp;

TEST(PowerGossip, WithFullRankItIsDpsgdOfTheSameOrdering) {
  for (const char* topology : {"ring", "star"}) {
    for (const Ordering ordering : {Ordering::kCombineWhileAdapt, Ordering::kAdaptThenCombine}) {
      for (const float gamma : {1.0f, 0.6f}) {
        const Swarm swarm{.algorithm = "powergossip:8",
                          .topology = topology,
                          .size = 64,
                          .gamma = gamma,
                          .ordering = ordering,
                          .lr = 0.1f,
                          .rows = 8};
        Swarm reference = swarm;
        reference.algorithm = "dpsgd";
        EXPECT_LT(largest_difference(run(swarm), run(reference)), kFullRankRounding) << topology;
      }
    }
  }
}

TEST(PowerGossip, BlocksOfOneDimensionAreDpsgdWithGammaOneToTheBit) {
  const Swarm reference{.algorithm = "dpsgd", .lr = 0.1f};
  for (const float gamma : {1.0f, 1.3f}) {
    Swarm swarm = reference;
    swarm.algorithm = "powergossip:2";
    swarm.gamma = gamma;
    EXPECT_EQ(run(swarm), run(reference));
  }
}

// Each round adds a few roundings of numbers of size 4 to every model, and the mean of eight models
// those of all of them.
constexpr double kMeanRounding = 50 * 16 * 4 * kUlp;

TEST(PowerGossip, KeepsTheMean) {
  for (const char* form : kForms) {
    Swarm swarm = gaussian_matrices(form, 10, 7);
    swarm.gamma = 1.3f;
    const std::vector<double> before = mean_of(first_models(swarm));
    const std::vector<double> after = mean_of(run(swarm));
    for (std::size_t j = 0; j < before.size(); ++j)
      ASSERT_NEAR(after[j], before[j], kMeanRounding) << form;
  }
}

TEST(PowerGossip, TheMeanFollowsTheMeanStep) {
  for (const char* form : kForms) {
    for (const Ordering ordering : {Ordering::kCombineWhileAdapt, Ordering::kAdaptThenCombine}) {
      const Swarm swarm{
          .algorithm = form, .size = 70, .ordering = ordering, .lr = 0.05f, .rows = 7};
      Models targets;
      for (NodeId id = 0; id < swarm.nodes; ++id)
        targets.push_back(target_of(id, swarm.size));
      const std::vector<double> optimum = mean_of(targets);
      const std::vector<double> mean = mean_of(run(swarm));
      // mean_t+1 = mean_t - lr (mean_t - optimum), from 0.
      const double share = 1.0 - std::pow(1.0 - double{swarm.lr}, swarm.rounds);
      for (std::size_t j = 0; j < mean.size(); ++j)
        ASSERT_NEAR(mean[j], share * optimum[j], kMeanRounding) << form;
    }
  }
}

TEST(PowerGossip, BothEndsOfAnEdgeHoldTheSameBitsAfterEveryRound) {
  for (const char* form : kForms) {
    for (const char* topology : {"ring", "star"}) {
      Swarm swarm = gaussian_matrices(form, 9, 14);
      swarm.topology = topology;
      swarm.lr = 0.1f;
      swarm.rounds = 10;
      std::vector<std::vector<SavedState>> states(swarm.nodes);
      const Models models = run(swarm, [&](int, Node& node, Algorithm& algorithm) {
        states[node.id()].push_back(state_of(algorithm));
      });
      std::size_t compared = 0;
      for (std::size_t round = 0; round < 10; ++round) {
        std::map<std::string, std::vector<float>> seen;
        for (const std::vector<SavedState>& node : states) {
          for (const auto& [name, values] : node[round].vectors) {
            const auto [place, is_new] = seen.emplace(name, values);
            if (is_new) continue;
            ASSERT_EQ(place->second, values) << name << " in round " << round;
            ++compared;
          }
        }
      }
      const std::size_t edges = topology == std::string("ring") ? 8 : 7;
      EXPECT_EQ(compared, 10 * 2 * edges);  // P and Q
    }
  }
}

// Two nodes whose difference has a rank, in a model of normal numbers.
Swarm two_nodes(const std::string& algorithm, std::size_t rank_of_difference) {
  const std::size_t rows = 30;
  const std::size_t columns = 20;
  Swarm swarm = gaussian_matrices(algorithm, rows, columns);
  swarm.topology = "complete";
  swarm.nodes = 2;
  swarm.start = [=](NodeId id) {
    std::vector<float> model = normal_vector(rows * columns, 7);
    if (id == 0) return model;
    const std::vector<float> p = normal_vector(rows * rank_of_difference, 8);
    const std::vector<float> q = normal_vector(columns * rank_of_difference, 9);
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < columns; ++j) {
        for (std::size_t k = 0; k < rank_of_difference; ++k)
          model[i * columns + j] += p[k * rows + i] * q[k * columns + j];
      }
    }
    return model;
  };
  return swarm;
}

struct Ranks {
  std::size_t difference;
  std::size_t factor;
};

// The even half-step takes the difference off the span of P = D Q + E, where E are the roundings of
// A: at most four ulp of rows of length 12, 3e-6, and typically a tenth of that. What D has outside
// of the span is E divided by the smallest singular value of Q within D's rows, here 1/100 or more.
constexpr double kTwoHalfSteps = 5e-5;

TEST(PowerGossip, AnOddAndAnEvenHalfStepFindADifferenceOfLowRankWhole) {
  for (const Ranks& ranks : {Ranks{1, 1}, {1, 2}, {1, 4}, {2, 2}, {2, 3}, {3, 8}, {8, 8}}) {
    Swarm swarm = two_nodes("powergossip:" + std::to_string(ranks.factor), ranks.difference);
    swarm.rounds = 2;
    const Models models = run(swarm);
    EXPECT_LT(largest_difference({models[0]}, {models[1]}), kTwoHalfSteps)
        << ranks.difference << " in " << ranks.factor;
  }
}

TEST(PowerGossip, EqualModelsStayEqualToTheBit) {
  for (const char* form : kForms) {
    Swarm swarm = gaussian_matrices(form, 12, 9);
    swarm.start = [](NodeId) { return normal_vector(108, 3); };
    for (const std::vector<float>& model : run(swarm))
      ASSERT_EQ(model, swarm.start(0)) << form;
  }
}

// sum_i |x_i - center|^2 after every round.
std::vector<double> disagreement(const Swarm& swarm) {
  const std::vector<double> exact = mean_of(first_models(swarm));
  const std::vector<float> center(exact.begin(), exact.end());
  std::vector<std::vector<double>> by_node(swarm.nodes);
  (void)run(swarm, [&](int, Node& node, Algorithm&) {
    by_node[node.id()].push_back(sum_squared_difference(node.x(), view(center)));
  });
  std::vector<double> sums(by_node.front().size(), 0.0);
  for (const std::vector<double>& node : by_node) {
    for (std::size_t round = 0; round < sums.size(); ++round)
      sums[round] += node[round];
  }
  return sums;
}

TEST(PowerGossip, DisagreementNeverGrowsUpToTheLargestSafeGamma) {
  // A ring of eight has lambda_n = -1/3: 2 / (1 - lambda_n) = 1.5.
  for (const float gamma : {0.3f, 1.0f, 1.5f}) {
    for (const char* form : kForms) {
      Swarm swarm = gaussian_matrices(form, 12, 17);
      swarm.gamma = gamma;
      const std::vector<double> errors = disagreement(swarm);
      // The models are of length 40 together, and round by an ulp of themselves in every round.
      for (std::size_t round = 1; round < errors.size(); ++round)
        ASSERT_LE(errors[round], errors[round - 1] * (1.0 + 1e-6) + 1e-10) << form;
    }
  }
}

TEST(PowerGossip, NodesThatBeginWithEqualModelsStayTogetherWhileTheyLearn) {
  // Nothing is known of the differences before the first gradients: P is 0 after the first round.
  const Swarm swarm{
      .algorithm = "powergossip:2", .size = 400, .lr = 0.02f, .rounds = 200, .rows = 20};
  const Models models = run(swarm);
  Models targets;
  for (NodeId id = 0; id < swarm.nodes; ++id)
    targets.push_back(target_of(id, swarm.size));
  // Without gossip the models would be 0.97 of their targets apart.
  const double apart = squared_distance_to(targets, mean_of(targets));
  EXPECT_LT(squared_distance_to(models, mean_of(models)), 0.1 * apart);
}

TEST(PowerGossip, SeveralHalfStepsOfAMeetingAreAsManyMeetings) {
  for (const char* rest : {"", ",cold"}) {
    Swarm many = gaussian_matrices(std::string("powergossip:2") + rest, 12, 9);
    many.rounds = 12;
    Swarm few = many;
    few.algorithm += ",steps=3";
    few.rounds = 4;
    EXPECT_EQ(run(few), run(many));
  }
}

// How many half-steps bring the relative error below a tolerance.
std::size_t half_steps_to(const std::vector<double>& errors, double begin, double tolerance) {
  const auto reached =
      std::ranges::find_if(errors, [&](double error) { return error <= tolerance * begin; });
  return static_cast<std::size_t>(reached - errors.begin()) + 1;
}

struct Golden {
  double tolerance;
  double half_steps;
};

// What an independent model of the algorithm needed, on other random numbers. Over the whole table,
// down to 1e-8, the two differ by 2.2 % at most.
void expect_golden(const Swarm& given, std::initializer_list<Golden> table) {
  Swarm swarm = given;
  swarm.rounds = static_cast<int>(1.2 * std::prev(table.end())->half_steps) + 1;
  const Models first = first_models(swarm);
  const double begin = squared_distance_to(first, mean_of(first));
  const std::vector<double> errors = disagreement(swarm);
  for (const Golden& row : table) {
    const auto needed = static_cast<double>(half_steps_to(errors, begin, row.tolerance));
    EXPECT_NEAR(needed, row.half_steps, 0.05 * row.half_steps) << "to " << row.tolerance;
  }
}

// The fastest step of uncompressed gossip on a ring of eight: 2 / (2 - lambda_2 - lambda_n).
constexpr float kGammaPlain = 1.3084f;

Swarm golden_swarm(const char* algorithm, float gamma) {
  Swarm swarm = gaussian_matrices(algorithm, 100, 100);
  swarm.gamma = gamma;
  return swarm;
}

TEST(PowerGossipGolden, RankOne) {
  expect_golden(golden_swarm("powergossip", kGammaPlain), {{1e-2, 548}, {1e-4, 1361}});
}

TEST(PowerGossipGolden, RankOneWithGammaOne) {
  expect_golden(golden_swarm("powergossip", 1.0f), {{1e-2, 645}});
}

TEST(PowerGossipGolden, RankOneFromColdStarts) {
  expect_golden(golden_swarm("powergossip:cold", kGammaPlain), {{1e-2, 773}});
}

TEST(PowerGossipGolden, RankFour) {
  expect_golden(golden_swarm("powergossip:4", kGammaPlain), {{1e-2, 140}, {1e-4, 344}});
}

// U diag(1 / k^2) V^T with random orthogonal U and V.
std::vector<float> low_rank_matrix(NodeId id) {
  const std::size_t side = 100;
  std::vector<float> u = normal_vector(side * side, 2 * id + 1);
  std::vector<float> v = normal_vector(side * side, 2 * id + 2);
  orthogonalize(view(u), side);
  orthogonalize(view(v), side);
  std::vector<float> m(side * side, 0.0f);
  for (std::size_t k = 0; k < side; ++k) {
    const float singular_value = 1.0f / static_cast<float>((k + 1) * (k + 1));
    for (std::size_t i = 0; i < side; ++i) {
      for (std::size_t j = 0; j < side; ++j)
        m[i * side + j] += singular_value * u[k * side + i] * v[k * side + j];
    }
  }
  return m;
}

TEST(PowerGossipGolden, WarmStartsPayWhereDifferencesAreOfLowRank) {
  Swarm swarm = golden_swarm("powergossip", kGammaPlain);
  swarm.start = low_rank_matrix;
  expect_golden(swarm, {{1e-2, 91}, {1e-4, 485}});
}

// A model of several blocks, with what it sent in each round.
struct Blocks {
  std::string algorithm;
  Layout layout;
  Round local_steps = 1;
  int rounds = 4;
};

std::vector<Traffic> traffic_of_node_0(const Blocks& run) {
  const std::shared_ptr<const Compressor> identity =
      std::move(make_compressor("identity", run.layout)).value();
  const std::unique_ptr<Topology> ring = std::move(make_topology("ring", 5, 0)).value();
  std::vector<Traffic> traffic;
  run_inproc(5, [&](Network& network) {
    Node node({network, *ring, run.layout, 5});
    const auto algorithm =
        std::move(make_algorithm(run.algorithm, {.compressor = identity,
                                                 .layout = run.layout,
                                                 .local_steps = run.local_steps,
                                                 .rounds = static_cast<Round>(run.rounds)}))
            .value();
    algorithm->start(node);
    const FloatBuffer u(run.layout.size());
    for (int round = 0; round < run.rounds; ++round) {
      algorithm->before_gradient(node);
      algorithm->after_gradient(node, u.view());
      node.end_round();
      if (node.id() == 0) traffic.push_back(network.traffic());
    }
  });
  return traffic;
}

Layout small_network() {
  Layout layout;
  layout.add("weights", {10, 6});
  layout.add("bias", {10});
  layout.add("filters", {3, 2, 5, 5});
  layout.add("scalar", {});
  layout.add("narrow", {1, 30});
  layout.add("nothing", {0, 4});
  return layout;
}

TEST(PowerGossip, SendsTheFactorsAndNothingElse) {
  // Of rank 2: weights 10 x 6, filters 3 x 50; narrow 1 x 30 has rank 1. Plain: bias and scalar.
  const std::uint64_t odd = 4 * (2 * 10 + 2 * 3 + 1);
  const std::uint64_t even = 4 * (2 * 6 + 2 * 50 + 30);
  const std::uint64_t plain = 4 * (10 + 1);
  const std::vector<Traffic> one =
      traffic_of_node_0({.algorithm = "powergossip:2", .layout = small_network()});
  EXPECT_EQ(one[0].payload_bytes, 2 * (odd + plain));
  EXPECT_EQ(one[1].payload_bytes, 2 * (odd + even + 2 * plain));
  EXPECT_EQ(one[3].payload_bytes, 2 * (2 * odd + 2 * even + 4 * plain));
  EXPECT_EQ(one[3].frames, 8u);
  const std::vector<Traffic> three =
      traffic_of_node_0({.algorithm = "powergossip:2,steps=3", .layout = small_network()});
  EXPECT_EQ(three[0].payload_bytes, 2 * (2 * odd + even + plain));
  EXPECT_EQ(three[1].payload_bytes, 2 * (3 * odd + 3 * even + 2 * plain));
  EXPECT_EQ(three[1].frames, 12u);
}

TEST(PowerGossip, IsSilentBetweenMeetings) {
  const std::vector<Traffic> traffic = traffic_of_node_0(
      {.algorithm = "powergossip", .layout = small_network(), .local_steps = 3, .rounds = 8});
  std::vector<std::uint64_t> frames;
  for (const Traffic& t : traffic)
    frames.push_back(t.frames);
  // Rounds 3 and 6, and the last one.
  EXPECT_THAT(frames, ::testing::ElementsAre(0, 0, 2, 2, 2, 4, 4, 6));
}

TEST(PowerGossip, CountsHalfStepsOnlyInMeetings) {
  Swarm swarm{.algorithm = "powergossip:2",
              .size = 60,
              .lr = 0.1f,
              .rounds = 20,
              .local_steps = 4,
              .rows = 6};
  std::vector<std::uint64_t> half_steps(20);
  (void)run(swarm, [&](int round, Node& node, Algorithm& algorithm) {
    if (node.id() == 0)
      half_steps[static_cast<std::size_t>(round)] = state_of(algorithm).numbers.at("half_step");
  });
  for (std::uint64_t round = 0; round < 20; ++round)
    EXPECT_EQ(half_steps[round], 1 + (round + 1) / 4);
}

TEST(PowerGossip, ContinuesFromASavedStateToTheSameBits) {
  for (const char* form : kForms) {
    Swarm swarm = gaussian_matrices(form, 11, 13);
    swarm.lr = 0.05f;
    swarm.rounds = 20;
    std::vector<SavedState> states(swarm.nodes);
    Models saved(swarm.nodes);
    const Models expected = run(swarm, [&](int round, Node& node, Algorithm& algorithm) {
      if (round != 9) return;
      states[node.id()] = state_of(algorithm);
      saved[node.id()].assign(node.x().begin(), node.x().end());
    });
    // A run of another past, which takes over after five rounds and has ten to go.
    Swarm other = swarm;
    other.start = [](NodeId id) { return normal_vector(143, 2000 + id); };
    other.rounds = 15;
    const Models resumed = run(other, [&](int round, Node& node, Algorithm& algorithm) {
      if (round != 4) return;
      Restore restore(states[node.id()]);
      algorithm.visit_state(restore);
      node.x() = view(std::as_const(saved[node.id()]));
    });
    EXPECT_EQ(resumed, expected) << form;
  }
}

Error refusal_of(const char* spec, const char* compressor = "identity") {
  const Layout layout = small_network();
  const std::shared_ptr<const Compressor> made =
      std::move(make_compressor(compressor, layout)).value();
  const auto algorithm = make_algorithm(spec, {.compressor = made, .layout = layout});
  return algorithm ? Error{"accepted"} : algorithm.error();
}

TEST(PowerGossip, RefusesWhatItDoesNotUnderstand) {
  EXPECT_THAT(refusal_of("powergossip:9").message, HasSubstr("8"));
  EXPECT_THAT(refusal_of("powergossip:rank=0").message, HasSubstr("rank"));
  EXPECT_THAT(refusal_of("powergossip:2,rank=2").message, HasSubstr("one rank"));
  EXPECT_THAT(refusal_of("powergossip:steps=0").message, HasSubstr("steps"));
  EXPECT_THAT(refusal_of("powergossip:warm").message, HasSubstr("warm"));
  EXPECT_THAT(refusal_of("powergossip", "sign").message, HasSubstr("compresses by itself"));
  EXPECT_EQ(refusal_of("powergossip:8,steps=32,cold").message, "accepted");
}

TEST(PowerGossip, RefusesFactorsOfAnotherRank) {
  const Layout layout = small_network();
  const std::shared_ptr<const Compressor> identity =
      std::move(make_compressor("identity", layout)).value();
  const std::unique_ptr<Topology> pair = std::move(make_topology("complete", 2, 0)).value();
  EXPECT_THROW(
      run_inproc(2,
                 [&](Network& network) {
                   Node node({network, *pair, layout, 5});
                   const auto algorithm =
                       std::move(make_algorithm(node.id() == 0 ? "powergossip:2" : "powergossip:3",
                                                {.compressor = identity, .layout = layout}))
                           .value();
                   algorithm->start(node);
                   algorithm->before_gradient(node);
                   algorithm->after_gradient(node, node.x());
                 }),
      CorruptMessage);
}

}  // namespace
}  // namespace gossamer
