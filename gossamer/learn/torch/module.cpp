// What the program opens when a run needs torch: one function, behind a plain header. Torch is set
// up here, once, before any thread computes.
#include "gossamer/learn/torch/module.hpp"

#include <limits>
#include <malloc.h>
#include <string>

#include <fmt/format.h>
#include <torch/script.h>
#include <torch/torch.h>

#include "gossamer/learn/models.hpp"
#include "gossamer/learn/torch/image_task.hpp"
#include "gossamer/learn/torch/text_task.hpp"

namespace gossamer {
namespace {

void set_up_torch() {
  // A node is a thread: more threads inside it would only get in each other's way.
  at::set_num_threads(1);
  // A fused or profiled graph may round differently from one run to the next.
  torch::jit::setGraphExecutorOptimize(false);
  // Tensors come and go in every step; giving their pages back to the system and asking for them
  // again took as long as computing.
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
}

}  // namespace
}  // namespace gossamer

extern "C" __attribute__((visibility("default"))) gossamer::Task* gossamer_make_model(
    const gossamer::TaskSetup& setup, std::string& error) {
  using namespace gossamer;
  static const bool is_set_up = (set_up_torch(), true);
  (void)is_set_up;
  try {
    const ModelInput input = find_model(setup.model).value().input;
    Result<std::unique_ptr<Task>> task =
        input == ModelInput::kText ? make_text_task(setup) : make_image_task(setup);
    if (task) return std::move(task).value().release();
    error = task.error().message;
  } catch (const std::exception& unexpected) {
    error = fmt::format("torch: {}", unexpected.what());
  }
  return nullptr;
}

extern "C" __attribute__((visibility("default"))) const char* gossamer_torch_interface() {
  return gossamer::kTorchInterface;
}
