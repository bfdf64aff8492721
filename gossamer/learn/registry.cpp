#include "gossamer/learn/registry.hpp"

#include <array>

#include <fmt/format.h>

#include "gossamer/base/text/suggest.hpp"
#include "gossamer/learn/factory.hpp"

namespace gossamer {
namespace {

using Factory = Result<std::unique_ptr<Task>> (*)(const TaskSetup&);

constexpr auto kTaskInfos = std::to_array<TaskInfo>({
#define GOSSAMER_TASK(factory, name, summary) {name, summary},
#include "gossamer/learn/registry.def"
#undef GOSSAMER_TASK
});

constexpr auto kFactories = std::to_array<Factory>({
#define GOSSAMER_TASK(factory, name, summary) factory,
#include "gossamer/learn/registry.def"
#undef GOSSAMER_TASK
});

Result<void> refuse_options_of_models(const TaskSetup& setup) {
  const TaskSetup defaults;
  const auto has_no = [&](const char* option) {
    return Error{fmt::format("{} has no option {}: it belongs to network", setup.task, option)};
  };
  if (!setup.model.empty()) return has_no("model");
  if (!setup.loss.empty()) return has_no("loss");
  if (!setup.input_shape.empty()) return has_no("input-shape");
  if (setup.augment != defaults.augment) return has_no("augment");
  if (setup.vocabulary != defaults.vocabulary) return has_no("vocabulary");
  return {};
}

}  // namespace

std::span<const TaskInfo> tasks() {
  return kTaskInfos;
}

Result<std::unique_ptr<Task>> make_task(const TaskSetup& setup) {
  const auto found = find_named("task", setup.task, kTaskInfos, &TaskInfo::name);
  if (!found) return found.error();
  if (setup.task != "network") {
    if (const Result<void> plain = refuse_options_of_models(setup); !plain) return plain.error();
  }
  if (setup.nodes == 0) return Error{"a task needs at least one node"};
  return kFactories[static_cast<std::size_t>(found.value() - kTaskInfos.data())](setup);
}

}  // namespace gossamer
