#include "gossamer/learn/torch/script_model.hpp"

#include <array>
#include <filesystem>
#include <fstream>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <torch/script.h>

#include "gossamer/base/text/parse_number.hpp"
#include "gossamer/base/text/suggest.hpp"
#include "gossamer/learn/torch/torch_error.hpp"

namespace gossamer {
namespace {

using torch::jit::script::Module;

class ScriptedModel final : public DeepModel {
 public:
  explicit ScriptedModel(Module module) : module_(std::move(module)) {}

  [[nodiscard]] std::vector<ModuleTensor> parameters() const override {
    std::vector<ModuleTensor> tensors;
    for (const auto& parameter : module_.named_parameters()) {
      if (parameter.value.requires_grad()) tensors.push_back({parameter.name, parameter.value});
    }
    return tensors;
  }

  [[nodiscard]] std::vector<ModuleTensor> statistics() const override {
    std::vector<ModuleTensor> tensors;
    for (const auto& buffer : module_.named_buffers()) {
      if (buffer.value.is_floating_point()) tensors.push_back({buffer.name, buffer.value});
    }
    return tensors;
  }

  [[nodiscard]] torch::Tensor forward(const torch::Tensor& input) override {
    return module_.forward({input}).toTensor();
  }

  void set_training(bool on) override { module_.train(on); }

 private:
  Module module_;
};

/// A module that shares nothing with the original. What the original has frozen stays frozen.
Module copy_of(const Module& original) {
  // With gradients a copy would be a function of the original, which then would get them.
  const torch::NoGradGuard no_gradients;
  Module copy = original.deepcopy();
  std::vector<bool> is_trained;
  for (const torch::Tensor& parameter : original.parameters())
    is_trained.push_back(parameter.requires_grad());
  std::size_t k = 0;
  for (torch::Tensor parameter : copy.parameters())
    parameter.set_requires_grad(is_trained[k++]);
  return copy;
}

Result<void> read_description(const std::string& path, const std::string& text,
                              ScriptModel& model) {
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return Error{fmt::format("{}: its gossamer.json is not an object", path)};
  if (const auto shape = json.find("input_shape"); shape != json.end()) {
    const bool is_shape = shape->is_array() && shape->size() == 3 &&
                          std::ranges::all_of(*shape, [](const auto& side) {
                            return side.is_number_unsigned() && side > 0;
                          });
    if (!is_shape) {
      return Error{fmt::format(
          "{}: input_shape in its gossamer.json must be [channels, height, width]", path)};
    }
    model.input_shape = ImageShape{(*shape)[0], (*shape)[1], (*shape)[2]};
  }
  if (const auto loss = json.find("loss"); loss != json.end()) {
    const Result<LossKind> kind = parse_loss(loss->is_string() ? loss->get<std::string>() : "");
    if (!kind) return Error{fmt::format("{}: {}", path, kind.error().message)};
    model.loss = kind.value();
  }
  return {};
}

// Float32 and something to train: all else is refused by name.
Result<void> check_tensors(const std::string& path, const Module& module) {
  bool is_trained = false;
  for (const auto& parameter : module.named_parameters()) {
    is_trained = is_trained || parameter.value.requires_grad();
    if (parameter.value.scalar_type() != torch::kFloat32) {
      return Error{fmt::format("{}: parameter '{}' is of {}; convert the model with .float()", path,
                               parameter.name, torch::toString(parameter.value.scalar_type()))};
    }
  }
  if (!is_trained) return Error{fmt::format("{}: the model has no parameters to train", path)};
  return {};
}

}  // namespace

Result<LossKind> parse_loss(std::string_view name) {
  if (name == "cross-entropy") return LossKind::kCrossEntropy;
  if (name == "nll") return LossKind::kLogLikelihood;
  const std::array<std::string, 2> names = {"cross-entropy", "nll"};
  return Error{unknown_name("loss", name, names)};
}

Result<ImageShape> parse_input_shape(std::string_view text) {
  std::array<std::size_t, 3> sides{};
  std::string_view rest = text;
  for (std::size_t k = 0; k < sides.size(); ++k) {
    const std::size_t cross = k + 1 < sides.size() ? rest.find('x') : rest.size();
    const auto side = parse_number<std::size_t>(rest.substr(0, cross));
    if (cross == std::string_view::npos || !side || *side == 0) {
      return Error{fmt::format(
          "the input shape must be channels x height x width, as 1x28x28, not '{}'", text)};
    }
    sides[k] = *side;
    rest = rest.substr(std::min(cross + 1, rest.size()));
  }
  return ImageShape{sides[0], sides[1], sides[2]};
}

Result<ScriptModel> read_script_model(const std::string& path) {
  if (!std::filesystem::is_regular_file(path))
    return Error{fmt::format("model file {} is not there, or not a file", path)};
  torch::jit::ExtraFilesMap extra{{"gossamer.json", ""}};
  std::optional<Module> module;
  try {
    module = torch::jit::load(path, torch::kCPU, extra);
  } catch (const std::exception& error) {
    return Error{
        fmt::format("{} is not a TorchScript file that torch can read ({}); export the "
                    "model with torch.jit.script(model).save(path)",
                    path, first_line_of(error))};
  }
  if (const Result<void> usable = check_tensors(path, *module); !usable) return usable.error();
  ScriptModel model;
  if (!extra["gossamer.json"].empty()) {
    const Result<void> read = read_description(path, extra["gossamer.json"], model);
    if (!read) return read.error();
  }
  model.factory = [original = std::move(*module)] {
    return std::make_unique<ScriptedModel>(copy_of(original));
  };
  return model;
}

}  // namespace gossamer
