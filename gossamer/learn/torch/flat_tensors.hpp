#pragma once

#include <string>
#include <utility>
#include <vector>

#include <torch/torch.h>

#include "gossamer/base/contract.hpp"
#include "gossamer/math/layout.hpp"
#include "gossamer/math/vec.hpp"

namespace gossamer {

/// A tensor of a module, by the name that the module gives it.
struct ModuleTensor {
  std::string name;
  torch::Tensor tensor;
};

/// The parameters of a torch module, in their order.
[[nodiscard]] inline std::vector<ModuleTensor> parameters_of(const torch::nn::Module& module) {
  std::vector<ModuleTensor> tensors;
  for (const auto& entry : module.named_parameters())
    tensors.push_back({entry.key(), entry.value()});
  return tensors;
}

/// Tensors whose numbers live in a flat vector of ours: no copies either way. Header only, so that
/// users can put their own modules on it.
class FlatTensors {
 public:
  explicit FlatTensors(std::vector<ModuleTensor> tensors) : tensors_(std::move(tensors)) {
    for (const ModuleTensor& named : tensors_) {
      const at::IntArrayRef sizes = named.tensor.sizes();
      expects(named.tensor.scalar_type() == torch::kFloat32, "tensors of float32");
      layout_.add(named.name, {sizes.begin(), sizes.end()});
    }
  }

  /// Where each tensor lies in the flat vector.
  [[nodiscard]] const Layout& layout() const { return layout_; }

  /// The tensors' numbers as they are now.
  void copy_to(Vec x) const {
    for (std::size_t k = 0; k < tensors_.size(); ++k)
      part_of(x.data(), k).copy_(tensors_[k].tensor.detach());
  }

  /// From now on the tensors' numbers are those of x. Costs about 2 us for each tensor, and nothing
  /// where they lie there already.
  void put_at(CVec x) {
    expects(static_cast<std::size_t>(x.size()) == layout_.size(), "a vector of the layout's size");
    if (x.data() == values_) return;
    values_ = x.data();
    // Torch has no tensors of constants; nobody writes to a parameter during a pass.
    for (std::size_t k = 0; k < tensors_.size(); ++k)
      tensors_[k].tensor.set_data(part_of(const_cast<float*>(values_), k));
  }

  /// The next backward passes add up their gradients in g, starting from 0.
  void gather_gradients_in(Vec g) {
    g.setZero();
    if (g.data() == gradients_) return;
    gradients_ = g.data();
    for (std::size_t k = 0; k < tensors_.size(); ++k)
      tensors_[k].tensor.mutable_grad() = part_of(gradients_, k);
  }

 private:
  [[nodiscard]] torch::Tensor part_of(float* flat, std::size_t k) const {
    return torch::from_blob(flat + layout_.blocks()[k].offset, tensors_[k].tensor.sizes());
  }

  std::vector<ModuleTensor> tensors_;
  Layout layout_;
  const float* values_ = nullptr;
  float* gradients_ = nullptr;
};

}  // namespace gossamer
