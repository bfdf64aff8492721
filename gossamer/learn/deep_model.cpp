// Deep networks. Torch takes half a second to start, so it sits in a module of its own, which is
// opened when a run asks for it.
#include <cstdlib>

#include <fmt/format.h>

#include "gossamer/base/module.hpp"
#include "gossamer/learn/factory.hpp"
#include "gossamer/learn/models.hpp"
#include "gossamer/learn/torch/module.hpp"

namespace gossamer {
namespace {

// They are read when the libraries are loaded. What a user has set stays.
void prepare_environment() {
  // Torch's own setting does not reach OpenBLAS.
  setenv("OPENBLAS_NUM_THREADS", "1", /*overwrite=*/0);
  // Threads that spin while they wait take the core from those that work.
  setenv("OMP_WAIT_POLICY", "passive", /*overwrite=*/0);
}

Result<std::function<MakeModel>> open_torch() {
  prepare_environment();
  const Result<Module> module = Module::open({.name = "torch",
                                              .need = "networks need torch",
                                              .option = "GOSSAMER_TORCH",
                                              .interface_function = kInterfaceOf,
                                              .interface_text = kTorchInterface});
  if (!module) return module.error();
  return module.value().function<MakeModel>(kMakeModel);
}

Result<void> refuse_what_others_have(const TaskSetup& setup) {
  const TaskSetup defaults;
  const auto has_no = [](const char* option) {
    return Error{fmt::format("networks have no option {}", option)};
  };
  if (setup.dim != defaults.dim) return has_no("dim");
  if (setup.condition != defaults.condition) return has_no("condition");
  if (setup.noise != defaults.noise) return has_no("noise");
  if (setup.l2) return has_no("l2: give the optimizer weight-decay=");
  if (!setup.batch) return has_no("batch=full: give a number of samples");
  if (*setup.batch == 0) return Error{"a batch has at least one sample"};
  return {};
}

}  // namespace

Result<std::unique_ptr<Task>> make_model(const TaskSetup& setup) {
  if (const Result<void> plain = refuse_what_others_have(setup); !plain) return plain.error();
  // Before torch is looked for: a name is wrong with and without it.
  if (const Result<ModelInfo> known = find_model(setup.model); !known) return known.error();
  static const auto make = open_torch();
  if (!make) return make.error();
  std::string error;
  std::unique_ptr<Task> task(make.value()(setup, error));
  if (!task) return Error{error};
  return task;
}

}  // namespace gossamer
