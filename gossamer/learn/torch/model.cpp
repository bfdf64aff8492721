#include "gossamer/learn/torch/model.hpp"

#include <utility>

namespace gossamer {
namespace {

class LayersModel final : public DeepModel {
 public:
  explicit LayersModel(std::shared_ptr<Layers> layers) : layers_(std::move(layers)) {}

  [[nodiscard]] std::vector<ModuleTensor> parameters() const override {
    return parameters_of(*layers_);
  }

  [[nodiscard]] std::vector<ModuleTensor> statistics() const override {
    return statistics_of(*layers_);
  }

  [[nodiscard]] torch::Tensor forward(const torch::Tensor& input) override {
    return layers_->forward(input);
  }

  void set_training(bool on) override { layers_->train(on); }

 private:
  std::shared_ptr<Layers> layers_;
};

}  // namespace

std::unique_ptr<DeepModel> model_of(std::shared_ptr<Layers> layers) {
  return std::make_unique<LayersModel>(std::move(layers));
}

std::vector<ModuleTensor> statistics_of(const torch::nn::Module& module) {
  std::vector<ModuleTensor> tensors;
  for (const auto& entry : module.named_buffers()) {
    if (entry.value().is_floating_point()) tensors.push_back({entry.key(), entry.value()});
  }
  return tensors;
}

}  // namespace gossamer
