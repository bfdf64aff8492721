#include "gossamer/learn/task_keeper.hpp"

#include <gtest/gtest.h>

namespace gossamer {
namespace {

TEST(TaskKeeper, GivesTheSameTaskForTheSameSetup) {
  TaskKeeper keeper;
  const TaskSetup setup{.task = "quadratic", .dim = 3};
  const auto first = keeper.task(setup).value();
  EXPECT_EQ(keeper.task(setup).value(), first);
}

TEST(TaskKeeper, MakesAnotherTaskForAnotherSetup) {
  TaskKeeper keeper;
  const auto first = keeper.task({.task = "quadratic", .nodes = 2, .dim = 3}).value();
  const auto second = keeper.task({.task = "quadratic", .nodes = 2, .seed = 1, .dim = 3}).value();
  EXPECT_NE(second, first);
  EXPECT_NE(second->optimum(), first->optimum());
}

TEST(TaskKeeper, PassesOnARefusalAndMakesTheNextTaskAllTheSame) {
  TaskKeeper keeper;
  const TaskSetup good{.task = "quadratic", .dim = 3};
  EXPECT_TRUE(keeper.task(good));
  const auto refused = keeper.task({.task = "quadratic", .condition = 0.5});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "quadratic: condition must be a finite number from 1 on, not 0.5");
  EXPECT_EQ(keeper.task(good).value()->layout().size(), 3u);
}

}  // namespace
}  // namespace gossamer
