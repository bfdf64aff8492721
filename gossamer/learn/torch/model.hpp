#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gossamer/learn/torch/flat_tensors.hpp"

namespace gossamer {

/// A network as training sees it: tensors by name, and the way forward.
class DeepModel {
 public:
  DeepModel() = default;
  DeepModel(const DeepModel&) = delete;
  DeepModel& operator=(const DeepModel&) = delete;
  virtual ~DeepModel() = default;

  [[nodiscard]] virtual std::vector<ModuleTensor> parameters() const = 0;

  /// What belongs to the model and has no gradient: running means of norm layers.
  [[nodiscard]] virtual std::vector<ModuleTensor> statistics() const = 0;

  /// Scores of the classes, one row for each picture of the batch.
  [[nodiscard]] virtual torch::Tensor forward(const torch::Tensor& input) = 0;

  /// Norm layers take the batch's own means in training, and the running ones otherwise.
  virtual void set_training(bool on) = 0;
};

/// Makes the same network again: one for each node. Its first weights come from torch's default
/// generator.
using ModelFactory = std::function<std::unique_ptr<DeepModel>()>;

/// Networks that are written down here: torch modules with one input and one output.
class Layers : public torch::nn::Module {
 public:
  [[nodiscard]] virtual torch::Tensor forward(const torch::Tensor& input) = 0;
};

[[nodiscard]] std::unique_ptr<DeepModel> model_of(std::shared_ptr<Layers> layers);

/// The tensors among a module's buffers that are running statistics: floats, not counters.
[[nodiscard]] std::vector<ModuleTensor> statistics_of(const torch::nn::Module& module);

}  // namespace gossamer
