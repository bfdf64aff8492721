// Every algorithm against the equations of docs/algorithms in double precision, round by round.

#include "tests/algorithms/double_model.hpp"

#include <algorithm>
#include <ostream>
#include <tuple>

#include <gtest/gtest.h>

namespace gossamer {
namespace {

using namespace gossamer::testing;

constexpr double kUnit = 0x1.0p-24;  // the relative error of one rounding to float32

/// The models and the compressions of a float32 run.
struct Diary {
  explicit Diary(Swarm swarm) : models(static_cast<std::size_t>(swarm.rounds)) {
    for (Models& round : models)
      round.resize(swarm.nodes);
    record(swarm, compressions);
    run(swarm, [&](int round, Node& node, Algorithm&) {
      models[static_cast<std::size_t>(round)][node.id()] = copy_of(node.x());
    });
  }

  [[nodiscard]] std::vector<const Compression*> compressed_in(std::size_t round) const {
    std::vector<const Compression*> noted;
    for (const auto& of_node : compressions)
      noted.push_back(of_node[round] ? &*of_node[round] : nullptr);
    return noted;
  }

  std::vector<Models> models;  // by round and node
  Compressions compressions;
};

Eigen::RowVectorXd to_double(const std::vector<float>& x) {
  return view(x).matrix().transpose().cast<double>();
}

double largest(const Eigen::RowVectorXd& x) {
  return x.cwiseAbs().maxCoeff();
}

// A float32 run and the model of it, one round after the other. The model makes the jumping choices
// of its compressors where the run made them (compress_in_double() says why that is sound), so that
// both are the same linear recursion, and the run's rounding errors add up without being amplified.
//
// How far they get: a round makes each number from a sum of weighted terms, where weights sum to 1,
// a step and a difference. With M the largest number so far, its two roundings per term are of
// products and partial sums of size M at most; terms of a sum share its weight, and roundings go
// both ways. 8 * 2^-24 * M per round is what we allow. No case here needs 4, and
// since all of it is deterministic, none will. An error in an equation shows: M is about 4, so that
// 24 rounds may add up to 5e-5, and a gamma that is wrong by 0.2 % has been seen to fail.
class Comparison {
 public:
  explicit Comparison(const Swarm& swarm) : swarm_(swarm), diary_(swarm), model_(swarm) {}

  void run() {
    for (std::size_t t = 0; t < diary_.models.size() && !::testing::Test::HasFailure(); ++t) {
      const auto noted = diary_.compressed_in(t);
      const std::vector<bool> meets = who_meets(t);
      model_.round(noted, meets);
      allow(t);
      for (NodeId i = 0; i < swarm_.nodes; ++i) {
        SCOPED_TRACE(::testing::Message() << "node " << i << ", round " << t);
        if (noted[i] != nullptr) {
          EXPECT_TRUE(meets[i]);
          expect_near(noted[i]->input, model_.V().row(i), "what is compressed");
          expect_compressed(*noted[i]);
        }
        expect_near(diary_.models[t][i], model_.X().row(i), "the model");
      }
    }
  }

 private:
  // In every H-th round and the last. An asynchronous worker's own is read from what it did.
  [[nodiscard]] std::vector<bool> who_meets(std::size_t t) const {
    const auto H = static_cast<std::size_t>(swarm_.local_steps);
    std::vector<bool> meets(swarm_.nodes, (t + 1) % H == 0 || t + 1 == diary_.models.size());
    if (swarm_.algorithm == "qsparse-async") {
      for (NodeId i = 0; i < swarm_.nodes; ++i)
        meets[i] = diary_.compressions[i][t].has_value();
    }
    return meets;
  }

  void allow(std::size_t t) {
    scale_ = std::max({scale_, model_.X().cwiseAbs().maxCoeff(), model_.V().cwiseAbs().maxCoeff()});
    allowed_ = 8 * kUnit * scale_ * static_cast<double>(t + 1);
  }

  void expect_near(const std::vector<float>& x, const Eigen::RowVectorXd& exact, const char* what) {
    EXPECT_LE(largest(to_double(x) - exact), allowed_) << what;
  }

  // Given the same input, the two operators make the same choices. What is left are roundings, most
  // of them in minmax: of the width, of the step and of their product, which are of size 2 max |v|,
  // and of the sum with the minimum.
  void expect_compressed(const Compression& noted) {
    const Eigen::RowVectorXd v = to_double(noted.input);
    const Eigen::RowVectorXd q = compress_in_double(swarm_.compressor, v, noted);
    EXPECT_LE(largest(to_double(noted.output) - q), (2 + 2 + 2 + 1) * kUnit * largest(v));
  }

  const Swarm& swarm_;
  Diary diary_;
  DoubleModel model_;
  double scale_ = 0.0;
  double allowed_ = 0.0;
};

/// All settings of one algorithm that it takes.
std::vector<Swarm> variants(const Swarm& plain) {
  std::vector<Swarm> all;
  for (const char* compressor :
       {"identity", "topk:0.3", "sign", "topk:0.3+sign", "minmax:8,nearest"}) {
    for (const Ordering ordering : {Ordering::kCombineWhileAdapt, Ordering::kAdaptThenCombine}) {
      for (const Round local_steps : {1, 5}) {
        Swarm swarm = plain;
        swarm.compressor = compressor;
        swarm.ordering = ordering;
        swarm.local_steps = local_steps;
        swarm.gamma = 0.3f;  // stable with all these operators
        if (!accepts(swarm)) swarm.gamma = 1.0f;
        if (accepts(swarm)) all.push_back(swarm);
      }
    }
  }
  return all;
}

struct Place {
  const char* topology;
  NodeId nodes;
};

std::ostream& operator<<(std::ostream& out, const Place& place) {
  return out << place.topology << ' ' << place.nodes;
}

class SecondOpinion : public ::testing::TestWithParam<std::tuple<std::string, Place>> {};

TEST_P(SecondOpinion, TheEquationsInDoublePrecisionAgreeInEveryRound) {
  const auto& [spec, place] = GetParam();
  for (const std::uint64_t seed : {1, 2}) {
    const bool large = place.nodes > 9;  // 32 threads, which sanitizers make slow
    if (large && seed > 1) continue;
    Swarm plain{.algorithm = spec,
                .topology = place.topology,
                .nodes = place.nodes,
                .size = 30,
                .lr = 0.1f,
                .rounds = 24,
                .seed = seed};
    if (find_algorithm(spec).value().consensus == Consensus::kReached)
      plain.start = [seed](NodeId id) { return normal_vector(30, 7'000 * seed + id); };
    const std::vector<Swarm> all = variants(plain);
    ASSERT_FALSE(all.empty());
    for (const Swarm& swarm : all) {
      if (large && swarm.local_steps > 1) continue;
      SCOPED_TRACE(::testing::Message()
                   << swarm.compressor << ", ordering " << static_cast<int>(*swarm.ordering)
                   << ", H " << swarm.local_steps << ", seed " << seed);
      Comparison(swarm).run();
      if (HasFailure()) return;
    }
  }
}

/// Every registered algorithm, and the options that change what it does.
std::vector<std::string> specs() {
  std::vector<std::string> all{"choco:sum", "qsparse:no-memory", "qsparse-async:common"};
  for (const AlgorithmInfo& info : algorithms())
    all.push_back(info.name);
  return all;
}

INSTANTIATE_TEST_SUITE_P(
    Algorithms, SecondOpinion,
    ::testing::Combine(::testing::ValuesIn(specs()),
                       ::testing::Values(Place{"ring", 8}, Place{"star", 7}, Place{"torus:3x3", 9},
                                         Place{"social", 32}, Place{"chain", 5})),
    [](const auto& info_of) {
      std::string name = std::get<0>(info_of.param) + "_on_" + std::get<1>(info_of.param).topology;
      std::ranges::replace_if(
          name, [](char c) { return c == '-' || c == ':'; }, '_');
      return name;
    });

TEST(SecondOpinion, AnAsynchronousWorkerMeetsWithinHRoundsAndInTheLast) {
  const Swarm swarm{.algorithm = "qsparse-async", .lr = 0.1f, .rounds = 50, .local_steps = 5};
  const Diary diary(swarm);
  for (const auto& of_worker : diary.compressions) {
    EXPECT_TRUE(of_worker.back().has_value());
    int gap = 0;
    for (const auto& compression : of_worker) {
      EXPECT_LE(++gap, 5);
      if (compression) gap = 0;
    }
  }
}

}  // namespace
}  // namespace gossamer
