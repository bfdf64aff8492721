#pragma once

#include <memory>

#include "gossamer/base/result.hpp"
#include "gossamer/learn/registry.hpp"
#include "gossamer/learn/task.hpp"

namespace gossamer {

/// A network that learns the classes of pictures.
[[nodiscard]] Result<std::unique_ptr<Task>> make_image_task(const TaskSetup& setup);

}  // namespace gossamer
