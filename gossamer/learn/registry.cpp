#include "gossamer/learn/registry.hpp"

#include <array>

#include "gossamer/base/suggest.hpp"
#include "gossamer/learn/factory.hpp"

namespace gossamer {
namespace {

using Factory = Result<std::unique_ptr<Task>> (*)(const TaskSetup&);

constexpr auto kInfos = std::to_array<TaskInfo>({
#define GOSSAMER_TASK(factory, name, summary) {name, summary},
#include "gossamer/learn/registry.def"
#undef GOSSAMER_TASK
});

constexpr auto kFactories = std::to_array<Factory>({
#define GOSSAMER_TASK(factory, name, summary) factory,
#include "gossamer/learn/registry.def"
#undef GOSSAMER_TASK
});

}  // namespace

std::span<const TaskInfo> tasks() {
  return kInfos;
}

Result<std::unique_ptr<Task>> make_task(const TaskSetup& setup) {
  const auto found = find_named("task", setup.task, kInfos, &TaskInfo::name);
  if (!found) return found.error();
  if (setup.nodes == 0) return Error{"a task needs at least one node"};
  return kFactories[static_cast<std::size_t>(found.value() - kInfos.data())](setup);
}

}  // namespace gossamer
