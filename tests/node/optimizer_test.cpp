#include "gossamer/node/optimizer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "tests/support/vectors.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/base/contract.hpp"

namespace gossamer {
namespace {

using ::testing::ElementsAre;
using testing::normal_vector;
using testing::view;

std::string refusal(const char* spec) {
  const Result<OptimizerSetup> parsed = parse_optimizer(spec);
  return parsed ? "" : parsed.error().message;
}

OptimizerSetup setup(const char* spec) {
  return parse_optimizer(spec).value();
}

Layout three_blocks() {
  Layout layout;
  layout.add("conv.weight", {3, 5});
  layout.add("bn1.weight", {5});
  layout.add("fc.weight", {7});
  return layout;
}

// The rule as the paper's code has it, one tensor element after the other.
class PlainTwin {
 public:
  PlainTwin(OptimizerSetup setup, std::vector<bool> decays)
      : setup_(std::move(setup)), decays_(std::move(decays)), m_(decays_.size(), 0.0f) {}

  std::vector<float> step(const std::vector<float>& x, float lr, std::vector<float> g) {
    if (setup_.clip > 0) {
      double squares = 0;
      for (const float value : g)
        squares += double{value} * value;
      const double norm = std::sqrt(squares);
      for (float& value : g)
        value *= static_cast<float>(std::min(1.0, setup_.clip / norm));
    }
    for (std::size_t i = 0; i < g.size(); ++i) {
      const float d = decays_[i] ? g[i] + setup_.weight_decay * x[i] : g[i];
      m_[i] = setup_.momentum * m_[i] + d;
      const float u = setup_.nesterov ? d + setup_.momentum * m_[i] : m_[i];
      g[i] = -lr * u;
    }
    return g;
  }

 private:
  OptimizerSetup setup_;
  std::vector<bool> decays_;
  std::vector<float> m_;
};

TEST(Optimizer, FollowsPyTorchsRuleToTheBit) {
  const Layout layout = three_blocks();
  for (const char* spec :
       {"sgd", "sgd:weight-decay=0.1", "heavy-ball:0.9", "nesterov:0.9", "sgd:clip=0.4",
        "heavy-ball:0.9,weight-decay=1e-4", "nesterov:0.9,weight-decay=0.5,exempt=bn",
        "nesterov:0.5,weight-decay=0.5,exempt=conv|fc,clip=2", "sgd:clip=1000"}) {
    SCOPED_TRACE(spec);
    const OptimizerSetup parsed = setup(spec);
    std::vector<bool> decays;
    for (const Block& block : layout.blocks()) {
      const bool exempt = std::ranges::any_of(parsed.exempt, [&](const std::string& name) {
        return block.name.find(name) != std::string::npos;
      });
      decays.insert(decays.end(), block.size, parsed.weight_decay > 0 && !exempt);
    }
    Optimizer optimizer(parsed, layout);
    PlainTwin twin(parsed, decays);
    for (std::uint64_t t = 0; t < 4; ++t) {
      const std::vector<float> x = normal_vector(layout.size(), 2 * t);
      std::vector<float> g = normal_vector(layout.size(), 2 * t + 1);
      const std::vector<float> expected = twin.step(x, 0.1f, g);
      optimizer.step(view(x), 0.1f, view(g));
      EXPECT_EQ(g, expected);
    }
  }
}

TEST(Optimizer, GivesTheseNumbersByHand) {
  const std::vector<float> x = {4.0f};
  Optimizer heavy(setup("heavy-ball:0.5"), Layout::flat(1));
  Optimizer nesterov(setup("nesterov:0.5,weight-decay=0.25"), Layout::flat(1));
  std::vector<float> g = {1.0f};
  heavy.step(view(x), 2.0f, view(g));
  EXPECT_THAT(g, ElementsAre(-2.0f));  // m = 1
  g = {1.0f};
  heavy.step(view(x), 2.0f, view(g));
  EXPECT_THAT(g, ElementsAre(-3.0f));  // m = 1.5
  g = {1.0f};
  nesterov.step(view(x), 2.0f, view(g));
  EXPECT_THAT(g, ElementsAre(-6.0f));  // d = 2, m = 2, u = 3
}

TEST(Optimizer, ClipsTheNormOfTheWholeGradient) {
  const std::vector<float> x(2, 0.0f);
  Optimizer optimizer(setup("sgd:clip=1"), Layout::flat(2));
  std::vector<float> g = {3.0f, 4.0f};
  optimizer.step(view(x), 1.0f, view(g));
  EXPECT_THAT(g, ElementsAre(-0.6f, -0.8f));
  g = {0.3f, 0.4f};
  optimizer.step(view(x), 1.0f, view(g));
  EXPECT_THAT(g, ElementsAre(-0.3f, -0.4f));
  g = {0.0f, 0.0f};
  optimizer.step(view(x), 1.0f, view(g));
  EXPECT_THAT(g, ElementsAre(0.0f, 0.0f));
}

TEST(Optimizer, DoesNotHideWhatIsNotANumber) {
  const std::vector<float> x(2, 0.0f);
  for (const float bad : {std::numeric_limits<float>::infinity(), std::nanf("")}) {
    Optimizer optimizer(setup("sgd:clip=1"), Layout::flat(2));
    std::vector<float> g = {bad, 1.0f};
    optimizer.step(view(x), 1.0f, view(g));
    EXPECT_FALSE(std::isfinite(g[0]));
  }
}

class Recorder final : public StateVisitor {
 public:
  void visit(std::string_view name, Vec values) override {
    seen[std::string(name)].assign(values.begin(), values.end());
  }

  void visit(std::string_view name, std::uint64_t& /*number*/) override {
    ADD_FAILURE() << "no number survives a round: " << name;
  }

  std::map<std::string, std::vector<float>> seen;
};

TEST(Optimizer, KeepsItsMomentumAndNothingElse) {
  const std::vector<float> x(3, 1.0f);
  std::vector<float> g = {1.0f, 2.0f, 3.0f};
  Optimizer heavy(setup("heavy-ball:0.9"), Layout::flat(3));
  heavy.step(view(x), 0.1f, view(g));
  Recorder recorder;
  heavy.visit_state(recorder);
  EXPECT_THAT(recorder.seen["momentum"], ElementsAre(1.0f, 2.0f, 3.0f));
  EXPECT_EQ(recorder.seen.size(), 1u);

  Recorder none;
  Optimizer(setup("sgd:clip=1,weight-decay=0.1"), Layout::flat(3)).visit_state(none);
  EXPECT_TRUE(none.seen.empty());
}

TEST(Optimizer, RefusesVectorsOfAnotherSize) {
  Optimizer optimizer(setup("sgd"), Layout::flat(3));
  std::vector<float> two(2);
  EXPECT_THROW(optimizer.step(view(std::as_const(two)), 1.0f, view(two)), ContractViolation);
}

TEST(ParseOptimizer, ReadsEveryOption) {
  const OptimizerSetup all = setup("nesterov:0.9,weight-decay=1e-4,exempt=bn|norm,clip=0.4");
  EXPECT_EQ(all.momentum, 0.9f);
  EXPECT_TRUE(all.nesterov);
  EXPECT_EQ(all.weight_decay, 1e-4f);
  EXPECT_THAT(all.exempt, ElementsAre("bn", "norm"));
  EXPECT_EQ(all.clip, 0.4f);
  const OptimizerSetup plain = setup("sgd");
  EXPECT_EQ(plain.momentum, 0.0f);
  EXPECT_EQ(plain.weight_decay, 0.0f);
  EXPECT_EQ(plain.clip, 0.0f);
  EXPECT_FALSE(setup("heavy-ball:0.5").nesterov);
}

TEST(ParseOptimizer, RefusesWithASentence) {
  const std::map<const char*, const char*> refusals = {
      {"sdg", "unknown optimizer 'sdg'; did you mean 'sgd'? Valid: sgd, heavy-ball, nesterov"},
      {"sgd:", "nothing follows the colon of 'sgd:'"},
      {"heavy-ball", "heavy-ball needs its momentum, as in heavy-ball:0.9"},
      {"nesterov:clip=1", "nesterov needs its momentum, as in nesterov:0.9"},
      {"nesterov:1", "nesterov: momentum must be below 1: at 1 nothing is ever forgotten"},
      {"nesterov:1.5", "nesterov: momentum must be a number from 0 to 1, not '1.5'"},
      {"sgd:0.9", "unknown option of sgd '0.9'; valid: weight-decay=, exempt=, clip="},
      {"sgd:weigth-decay=1e-4",
       "unknown option of sgd 'weigth-decay='; did you mean 'weight-decay='? Valid: weight-decay=, "
       "exempt=, clip="},
      {"sgd:weight-decay=-1", "sgd: weight-decay must be a number from 0 to 1, not '-1'"},
      {"sgd:clip=many", "sgd: clip must be a number from 0 to 1000000, not 'many'"},
      {"sgd:exempt=bn", "sgd: exempt= means nothing without weight-decay="},
      {"sgd:weight-decay=0.1,exempt=bn||fc", "sgd: exempt= has an empty name"},
      {"sgd:weight-decay=0.1,exempt=", "sgd: nothing follows 'exempt='"},
  };
  for (const auto& [spec, sentence] : refusals)
    EXPECT_EQ(refusal(spec), sentence) << spec;
}

}  // namespace
}  // namespace gossamer
