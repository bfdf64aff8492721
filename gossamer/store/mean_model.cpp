#include "gossamer/store/mean_model.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gossamer/base/contract.hpp"

namespace gossamer {
namespace {

class Mean {
 public:
  void add(std::span<const float> model) {
    sum_.resize(model.size());
    for (std::size_t i = 0; i < model.size(); ++i)
      sum_[i] += double{model[i]};
    ++count_;
  }

  [[nodiscard]] std::vector<float> value() const {
    std::vector<float> mean(sum_.size());
    std::ranges::transform(sum_, mean.begin(), [this](double sum) {
      return static_cast<float>(sum / static_cast<double>(count_));
    });
    return mean;
  }

 private:
  std::vector<double> sum_;
  std::size_t count_ = 0;
};

// Of one number of all models below a node.
double subtree_sum(std::span<const FloatBuffer> models, const SpanningTree& tree, NodeId node,
                   std::size_t i) {
  double sum = node < models.size() ? double{models[node].data()[i]} : 0.0;
  for (const NodeId child : tree.children[node])
    sum += subtree_sum(models, tree, child, i);
  return sum;
}

bool have_same_form(const SafeTensors& one, const SafeTensors& other) {
  return std::ranges::equal(one.tensors, other.tensors,
                            [](const NamedTensor& a, const NamedTensor& b) {
                              return a.name == b.name && a.shape == b.shape;
                            });
}

}  // namespace

std::vector<float> mean_model(std::span<const FloatBuffer> models, const SpanningTree& tree) {
  const std::size_t size = models.empty() ? 0 : models.front().size();
  std::vector<float> mean(size);
  for (std::size_t i = 0; i < size; ++i) {
    const double sum = subtree_sum(models, tree, tree.root, i);
    mean[i] = static_cast<float>(sum / static_cast<double>(models.size()));
  }
  return mean;
}

Result<void> write_mean_model(std::span<const std::string> model_paths, const std::string& path,
                              const TensorMetadata& metadata) {
  expects(!model_paths.empty(), "a mean is one of something");
  Mean mean;
  Result<SafeTensors> first = read_safetensors(model_paths.front());
  if (!first) return first.error();
  mean.add(first.value().values);
  for (const std::string& other : model_paths.subspan(1)) {
    const Result<SafeTensors> model = read_safetensors(other);
    if (!model) return model.error();
    if (!have_same_form(first.value(), model.value())) {
      return Error{fmt::format("'{}' and '{}' hold models of different forms, which have no mean",
                               model_paths.front(), other)};
    }
    mean.add(model.value().values);
  }
  const std::vector<float> values = mean.value();
  std::size_t offset = 0;
  for (NamedTensor& tensor : first.value().tensors) {
    tensor.values = std::span(values).subspan(offset, tensor.values.size());
    offset += tensor.values.size();
  }
  return write_safetensors(path, first.value().tensors, metadata);
}

}  // namespace gossamer
