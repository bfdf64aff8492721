#pragma once

#include <memory>

#include "gossamer/base/result.hpp"
#include "gossamer/learn/registry.hpp"
#include "gossamer/learn/task.hpp"

// What the tasks of this folder share with the registry and with nobody else.
namespace gossamer {

#define GOSSAMER_TASK(factory, name, summary) \
  [[nodiscard]] Result<std::unique_ptr<Task>> factory(const TaskSetup& setup);
#include "gossamer/learn/registry.def"
#undef GOSSAMER_TASK

}  // namespace gossamer
