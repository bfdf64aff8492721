// Functions with stacks of their own.
#include "gossamer/hunt/world/fiber.hpp"

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer {
namespace {

using ::testing::ElementsAre;

TEST(Fiber, GoesOnWhereItYielded) {
  std::vector<std::string> done;
  std::unique_ptr<Fiber> fiber;
  fiber = std::make_unique<Fiber>([&] {
    done.emplace_back("one");
    fiber->yield();
    done.emplace_back("three");
  });
  fiber->resume();
  done.emplace_back("two");
  fiber->resume();
  EXPECT_THAT(done, ElementsAre("one", "two", "three"));
}

// Two that wait in the midst of a catch: each goes on with its own exception.
TEST(Fiber, KeepsWhatItHasCaught) {
  std::vector<std::string> caught;
  std::vector<std::unique_ptr<Fiber>> fibers(2);
  const auto handle = [&](std::size_t self, const std::string& name) {
    try {
      throw std::runtime_error(name);
    } catch (const std::runtime_error&) {
      fibers[self]->yield();
      try {
        throw;
      } catch (const std::runtime_error& again) {
        caught.emplace_back(again.what());
      }
    }
  };
  fibers[0] = std::make_unique<Fiber>([&] { handle(0, "first"); });
  fibers[1] = std::make_unique<Fiber>([&] { handle(1, "second"); });
  for (int turn = 0; turn < 2; ++turn) {
    fibers[0]->resume();
    fibers[1]->resume();
  }
  EXPECT_THAT(caught, ElementsAre("first", "second"));
}

TEST(Fiber, MayNeverBegin) {
  bool has_begun = false;
  {
    const Fiber fiber([&] { has_begun = true; });
  }
  EXPECT_FALSE(has_begun);
}

}  // namespace
}  // namespace gossamer
