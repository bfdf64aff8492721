// First weights with many threads at once. Torch draws them from a generator that the whole process
// shares, and a node makes a network whose first weights nobody will look at while its neighbour
// makes one from a key: nodes once began with different models.

#include <atomic>
#include <latch>
#include <thread>
#include <vector>

#include "tests/models/model_cases.hpp"
#include "tests/models/model_state.hpp"
#include "tests/support/vectors.hpp"
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

// What every node of a run does when it starts.
std::vector<float> start_node(const Task& task, NodeId id) {
  const auto own = task.objective_of(id);
  std::vector<float> x(task.layout().size());
  own->initialize({.seed = 11, .purpose = Purpose::kInit}, view(x));
  return x;
}

class FirstWeights : public ::testing::TestWithParam<ModelCase> {
 protected:
  static constexpr NodeId kThreads = 8;

  FirstWeights() : setup_(GetParam().setup) {
    setup_.nodes = kThreads;
    setup_.batch = 2;
  }

  [[nodiscard]] const TaskSetup& setup() const { return setup_; }

  /// All threads begin at the same time, and do it a few times each.
  template <typename Action>
  static void in_all_threads(const Action& action) {
    constexpr int kTimes = 5;
    std::latch all_there(kThreads);
    std::vector<std::thread> threads;
    for (NodeId id = 0; id < kThreads; ++id) {
      threads.emplace_back([&, id] {
        all_there.arrive_and_wait();
        for (int time = 0; time < kTimes; ++time)
          action(id);
      });
    }
    for (std::thread& thread : threads)
      thread.join();
  }

 private:
  TaskSetup setup_;
};

TEST_P(FirstWeights, AreTheSameForNodesThatStartAtOnce) {
  const auto task = model_task(setup());
  const std::vector<float> expected = start_node(*task, 0);
  std::atomic<int> others = 0;
  in_all_threads([&](NodeId id) {
    if (!same_bits(start_node(*task, id), expected)) ++others;
  });
  EXPECT_EQ(others, 0);
}

TEST_P(FirstWeights, DoNotMindThatOtherTasksAreMade) {
  const auto task = model_task(setup());
  const std::vector<float> expected = start_node(*task, 0);
  std::atomic<int> others = 0;
  in_all_threads([&](NodeId id) {
    if (id % 2 == 1) {
      (void)model_task(setup());
    } else if (!same_bits(start_node(*task, id), expected)) {
      ++others;
    }
  });
  EXPECT_EQ(others, 0);
}

std::string name_of_first_weights(const ::testing::TestParamInfo<ModelCase>& tested) {
  return tested.param.name;
}

INSTANTIATE_TEST_SUITE_P(EveryModel, FirstWeights, ::testing::ValuesIn(model_cases()),
                         name_of_first_weights);

}  // namespace
}  // namespace gossamer::testing
