#include "gossamer/base/ring_queue.hpp"

#include <memory>
#include <string>

#include <gtest/gtest.h>

namespace gossamer {
namespace {

TEST(RingQueue, GivesBackInOrderWhileItGrowsAndWraps) {
  RingQueue<int> queue;
  int pushed = 0;
  int popped = 0;
  for (int burst = 1; burst < 40; ++burst) {
    for (int i = 0; i < burst; ++i)
      queue.push(pushed++);
    for (int i = 0; i < burst - burst % 3; ++i)
      EXPECT_EQ(queue.pop(), popped++);
    EXPECT_EQ(queue.size(), static_cast<std::size_t>(pushed - popped));
  }
  while (!queue.empty())
    EXPECT_EQ(queue.pop(), popped++);
  EXPECT_EQ(popped, pushed);
}

TEST(RingQueue, KeepsNothingOfWhatWasTaken) {
  RingQueue<std::shared_ptr<int>> queue;
  const auto value = std::make_shared<int>(1);
  queue.push(value);
  (void)queue.pop();
  EXPECT_EQ(value.use_count(), 1);
}

TEST(RingQueue, RefusesToPopNothing) {
  RingQueue<std::string> queue;
  EXPECT_THROW((void)queue.pop(), ContractViolation);
}

}  // namespace
}  // namespace gossamer
