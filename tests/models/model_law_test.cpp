// The laws of Objective, of every network that Gossamer brings.

#include <cmath>
#include <numeric>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/models/model_cases.hpp"
#include "tests/models/model_state.hpp"
#include "tests/support/vectors.hpp"
#include <gtest/gtest.h>

#include "gossamer/learn/models.hpp"

namespace gossamer::testing {
namespace {

constexpr RngKey kFirstModel{.seed = 5, .purpose = Purpose::kInit};

class ModelLaw : public ::testing::TestWithParam<ModelCase> {
 protected:
  ModelLaw() : task_(model_task(GetParam().setup)) {}

  [[nodiscard]] const Task& task() const { return *task_; }

  [[nodiscard]] std::unique_ptr<Objective> objective(NodeId id = 0) const {
    return task_->objective_of(id);
  }

  [[nodiscard]] std::vector<float> first_model() const {
    std::vector<float> x(task_->layout().size());
    objective()->initialize(kFirstModel, view(x));
    return x;
  }

  static void descend(std::vector<float>& x, const Step& taken) {
    view(x) -= GetParam().lr * view(taken.gradient);
  }

  /// A model in the middle of training, and the objective that trained it.
  struct Trained {
    std::unique_ptr<Objective> objective;
    std::vector<float> x;
    Round round = 0;
  };

  [[nodiscard]] Trained train(Round rounds) const {
    Trained trained{objective(), first_model(), rounds};
    for (Round round = 0; round < rounds; ++round)
      descend(trained.x, step(*trained.objective, trained.x, round));
    return trained;
  }

 private:
  std::unique_ptr<Task> task_;
};

TEST(Network, EveryOneThatIsListedIsHeldToTheseLaws) {
  std::set<std::string> tested = {"FILE.pt"};  // tests/script_model has files
  for (const ModelCase& one : model_cases())
    tested.insert(std::string(find_model(one.setup.model).value().name));
  for (const ModelInfo& info : models())
    EXPECT_TRUE(tested.contains(std::string(info.name))) << info.name;
}

TEST(Network, Resnet20HasTheNumberOfParametersOfThePapers) {
  for (const char* model : {"resnet20", "resnet20:norm=group"}) {
    const auto task = model_task({.task = "network", .data = shared_cifar(), .model = model});
    EXPECT_EQ(task->layout().size(), 272'474u) << model;
  }
}

TEST_P(ModelLaw, HasAsManyParametersAsItsDescriptionGives) {
  EXPECT_EQ(task().layout().size(), GetParam().parameters);
}

TEST_P(ModelLaw, FirstModelIsAFunctionOfTheKey) {
  const std::vector<float> x = first_model();
  (void)step(*objective(), x, 0);  // what others do does not matter
  EXPECT_TRUE(same_bits(first_model(), x));
  std::vector<float> of_another_node(x.size());
  objective(1)->initialize(kFirstModel, view(of_another_node));
  EXPECT_TRUE(same_bits(of_another_node, x));
  std::vector<float> of_another_key(x.size());
  objective()->initialize({.seed = 6, .purpose = Purpose::kInit}, view(of_another_key));
  EXPECT_FALSE(same_bits(of_another_key, x));
}

TEST_P(ModelLaw, GradientIsAPureFunctionOfModelBatchAndState) {
  const Trained trained = train(3);
  const ObjectiveState before = state_of(*trained.objective);
  const Step expected = step(*trained.objective, trained.x, trained.round);
  EXPECT_FALSE(same_bits(step(*trained.objective, trained.x, trained.round + 1), expected));

  restore(*trained.objective, before);
  EXPECT_TRUE(same_bits(step(*trained.objective, trained.x, trained.round), expected));

  const auto fresh = objective();
  restore(*fresh, before);
  EXPECT_TRUE(same_bits(step(*fresh, trained.x, trained.round), expected));

  Step elsewhere;
  std::thread([&] {
    const auto own = objective();
    restore(*own, before);
    elsewhere = step(*own, trained.x, trained.round);
  }).join();
  EXPECT_TRUE(same_bits(elsewhere, expected));
}

// In every tensor, along its own part of the gradient, where the slope is that part's norm |g|. A
// step of 5e-5 / |g| either way moves the loss by 1e-4. The loss is a float near 3, so it comes in
// steps of 2.4e-7, and a few roundings make that 1e-6: 1 %. A unit whose sign or whose maximum
// changes on the way costs some more, in these networks up to 3 %. A term that is missing, or there
// twice, costs far more than the 10 % that are allowed.
TEST_P(ModelLaw, GradientIsTheDerivativeOfTheLoss) {
  const Trained trained = train(3);
  const ObjectiveState before = state_of(*trained.objective);
  const auto step_at = [&](const std::vector<float>& x) {
    restore(*trained.objective, before);
    return step(*trained.objective, x, trained.round);
  };
  const std::vector<float> g = step_at(trained.x).gradient;
  for (const Block& block : task().layout().blocks()) {
    const CVec part(g.data() + block.offset, static_cast<Eigen::Index>(block.size));
    const double norm = std::sqrt(part.cast<double>().square().sum());
    ASSERT_GT(norm, 0.0) << block.name;
    const double h = 5e-5 / norm;
    std::vector<float> above = trained.x;
    std::vector<float> below = trained.x;
    for (std::size_t i = block.offset; i < block.offset + block.size; ++i) {
      above[i] += static_cast<float>(h / norm * g[i]);
      below[i] -= static_cast<float>(h / norm * g[i]);
    }
    const double slope = (step_at(above).loss - step_at(below).loss) / (2 * h);
    EXPECT_NEAR(slope / norm, 1.0, 0.1) << block.name << ", |g| = " << norm;
  }
}

TEST_P(ModelLaw, EvaluatingChangesNothing) {
  const Trained looked_at = train(2);
  const Trained left_alone = train(2);
  const ObjectiveState before = state_of(*looked_at.objective);
  const auto own =
      looked_at.objective->evaluate(view(looked_at.x), looked_at.objective->statistics());
  // As of an average: the model and the statistics are somebody else's.
  const std::vector<float> x = first_model();
  const std::vector<float> ones(static_cast<std::size_t>(looked_at.objective->statistics().size()),
                                1.0f);
  (void)looked_at.objective->evaluate(view(x), view(ones));
  const auto again =
      looked_at.objective->evaluate(view(looked_at.x), looked_at.objective->statistics());

  ASSERT_TRUE(own && again);
  EXPECT_EQ(own->loss, again->loss);
  EXPECT_EQ(own->accuracy, again->accuracy);
  EXPECT_EQ(state_of(*looked_at.objective), before);
  EXPECT_TRUE(same_bits(step(*looked_at.objective, looked_at.x, 2),
                        step(*left_alone.objective, left_alone.x, 2)));
}

TEST_P(ModelLaw, LearnsASmallSet) {
  const bool is_text = GetParam().setup.model.starts_with("lstm");
  const Round rounds = is_text ? 400 : 60;
  constexpr Round kSeen = 10;
  Trained trained = train(0);
  const auto tested_loss = [&] {
    return trained.objective->evaluate(view(trained.x), trained.objective->statistics())->loss;
  };
  const double untrained = tested_loss();
  std::vector<double> losses;
  for (Round round = 0; round < rounds; ++round) {
    const Step taken = step(*trained.objective, trained.x, round);
    losses.push_back(taken.loss);
    descend(trained.x, taken);
  }
  const double first = std::accumulate(losses.begin(), losses.begin() + kSeen, 0.0) / kSeen;
  const double last = std::accumulate(losses.end() - kSeen, losses.end(), 0.0) / kSeen;
  EXPECT_LT(last, 0.7 * first);
  EXPECT_LT(tested_loss(), 0.9 * untrained);
}

std::string name_of_model(const ::testing::TestParamInfo<ModelCase>& tested) {
  return tested.param.name;
}

INSTANTIATE_TEST_SUITE_P(EveryModel, ModelLaw, ::testing::ValuesIn(model_cases()), name_of_model);

}  // namespace
}  // namespace gossamer::testing
