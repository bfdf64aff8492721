// Deep networks. Torch takes half a second to start, so it sits in a module of its own, which is
// opened when a run asks for it.
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <vector>

#include <fmt/format.h>

#include "gossamer/learn/factory.hpp"
#include "gossamer/learn/torch/module.hpp"

namespace gossamer {
namespace {

constexpr const char* kModuleFile = "lib/gossamer/libgossamer_torch.so";

/// Beside the program: as installed in the folder above it, as built also in the next, where tests
/// look from. Not farther up: what lies there may be anybody's.
std::optional<std::filesystem::path> find_module() {
  std::error_code error;
  std::filesystem::path folder =
      std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  for (int level = 0; level < 3; ++level) {
    if (std::filesystem::exists(folder / kModuleFile, error)) return folder / kModuleFile;
    folder = folder.parent_path();
  }
  return std::nullopt;
}

// They are read when the libraries are loaded. What a user has set stays.
void prepare_environment() {
  // Torch's own setting does not reach OpenBLAS.
  setenv("OPENBLAS_NUM_THREADS", "1", /*overwrite=*/0);
  // Threads that spin while they wait take the core from those that work.
  setenv("OMP_WAIT_POLICY", "passive", /*overwrite=*/0);
}

struct TorchModule {
  MakeNetwork make;
};

Result<TorchModule> open_module() {
  const std::optional<std::filesystem::path> path = find_module();
  if (!path) {
    return Error{fmt::format(
        "networks need torch, and there is no {} beside this program: build Gossamer with "
        "GOSSAMER_TORCH=ON and install it",
        kModuleFile)};
  }
  prepare_environment();
  // Never closed: its tasks live on, and torch does not like to be unloaded.
  void* const handle = dlopen(path->c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return Error{fmt::format("torch cannot be opened: {}", dlerror())};
  const auto interface_of = reinterpret_cast<InterfaceOf>(dlsym(handle, kInterfaceOf));
  const auto make = reinterpret_cast<MakeNetwork>(dlsym(handle, kMakeNetwork));
  if (interface_of == nullptr || make == nullptr ||
      std::string_view(interface_of()) != kTorchInterface) {
    return Error{fmt::format("{} belongs to another version of Gossamer: install both together",
                             path->string())};
  }
  return TorchModule{make};
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

Result<std::unique_ptr<Task>> make_network(const TaskSetup& setup) {
  if (const Result<void> plain = refuse_what_others_have(setup); !plain) return plain.error();
  static const Result<TorchModule> torch = open_module();
  if (!torch) return torch.error();
  std::string error;
  std::unique_ptr<Task> task(torch.value().make(setup, error));
  if (!task) return Error{error};
  return task;
}

}  // namespace gossamer
