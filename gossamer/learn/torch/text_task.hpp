#pragma once

#include <memory>

#include "gossamer/base/result.hpp"
#include "gossamer/learn/registry.hpp"
#include "gossamer/learn/task.hpp"

namespace gossamer {

/// A network that learns which word comes next.
[[nodiscard]] Result<std::unique_ptr<Task>> make_text_task(const TaskSetup& setup);

}  // namespace gossamer
