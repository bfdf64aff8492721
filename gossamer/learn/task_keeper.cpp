#include "gossamer/learn/task_keeper.hpp"

#include <utility>

namespace gossamer {

Result<std::shared_ptr<const Task>> TaskKeeper::task(const TaskSetup& setup) {
  if (task_ && setup == setup_) return task_;
  task_.reset();  // first: two at a time may not fit into memory
  Result<std::unique_ptr<Task>> made = make_task(setup);
  if (!made) return made.error();
  task_ = std::move(made).value();
  setup_ = setup;
  return task_;
}

}  // namespace gossamer
