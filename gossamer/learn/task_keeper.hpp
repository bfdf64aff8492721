#pragma once

#include <memory>

#include "gossamer/base/result.hpp"
#include "gossamer/learn/registry.hpp"
#include "gossamer/learn/task.hpp"

namespace gossamer {

/// Makes tasks, and gives the last one out again to who asks for the same: runs that are compared
/// learn the same data, which are then read, and their optimum found, once. Not for several
/// threads.
class TaskKeeper {
 public:
  [[nodiscard]] Result<std::shared_ptr<const Task>> task(const TaskSetup& setup);

 private:
  TaskSetup setup_;
  std::shared_ptr<const Task> task_;
};

}  // namespace gossamer
