// Small convolutional networks. `lenet` is LeNet-5 (LeCun, Bottou, Bengio, Haffner, 1998) with ReLU
// and max pooling: 61,706 parameters for 28x28 pictures of one channel. `cnn` is two wider stages
// of 3x3 filters and one hidden layer.
#include <fmt/format.h>

#include "gossamer/learn/torch/image_models.hpp"

namespace gossamer {
namespace {

using torch::nn::Conv2d;
using torch::nn::Conv2dOptions;
using torch::nn::Linear;

/// What both are: two convolutions, each halved by pooling, and fully connected layers.
struct StagePlan {
  std::int64_t filter;
  std::int64_t padding_1;
  std::int64_t padding_2;
  std::int64_t channels_1;
  std::int64_t channels_2;
  std::vector<std::int64_t> hidden;
};

std::int64_t pooled(std::int64_t side, std::int64_t filter, std::int64_t padding) {
  return (side + 2 * padding - filter + 1) / 2;
}

std::int64_t side_after_both(const StagePlan& plan, std::size_t side) {
  return pooled(pooled(static_cast<std::int64_t>(side), plan.filter, plan.padding_1), plan.filter,
                plan.padding_2);
}

class TwoStages final : public Layers {
 public:
  TwoStages(const StagePlan& plan, const PictureTask& task)
      : conv1_(register_module("conv1",
                               Conv2d(Conv2dOptions(static_cast<std::int64_t>(task.shape.channels),
                                                    plan.channels_1, plan.filter)
                                          .padding(plan.padding_1)))),
        conv2_(register_module("conv2",
                               Conv2d(Conv2dOptions(plan.channels_1, plan.channels_2, plan.filter)
                                          .padding(plan.padding_2)))) {
    std::int64_t width = plan.channels_2 * side_after_both(plan, task.shape.height) *
                         side_after_both(plan, task.shape.width);
    std::vector<std::int64_t> outputs = plan.hidden;
    outputs.push_back(static_cast<std::int64_t>(task.classes));
    for (const std::int64_t next : outputs) {
      fc_.push_back(register_module(fmt::format("fc{}", fc_.size() + 1), Linear(width, next)));
      width = next;
    }
  }

  [[nodiscard]] torch::Tensor forward(const torch::Tensor& input) override {
    torch::Tensor x = torch::max_pool2d(torch::relu(conv1_->forward(input)), 2);
    x = torch::max_pool2d(torch::relu(conv2_->forward(x)), 2);
    // Channel by channel again, whatever the order in memory.
    x = x.contiguous().flatten(1);
    for (std::size_t k = 0; k + 1 < fc_.size(); ++k)
      x = torch::relu(fc_[k]->forward(x));
    return fc_.back()->forward(x);
  }

 private:
  Conv2d conv1_;
  Conv2d conv2_;
  std::vector<Linear> fc_;
};

ModelFactory make_two_stages(Options& options, const StagePlan& plan, const PictureTask& task) {
  if (side_after_both(plan, task.shape.height) < 1 || side_after_both(plan, task.shape.width) < 1) {
    options.refuse(fmt::format("{}: pictures of {} x {} are too small for it; take mlp",
                               options.owner(), task.shape.height, task.shape.width));
  }
  return [plan, task] { return model_of(std::make_shared<TwoStages>(plan, task)); };
}

}  // namespace

ModelFactory make_lenet(Options& options, const PictureTask& task) {
  return make_two_stages(options, {5, 2, 0, 6, 16, {120, 84}}, task);
}

ModelFactory make_cnn(Options& options, const PictureTask& task) {
  const auto width = static_cast<std::int64_t>(options.integer("width", 1, 4096).value_or(32));
  const auto hidden = static_cast<std::int64_t>(options.integer("hidden", 1, 65536).value_or(128));
  return make_two_stages(options, {3, 1, 1, width, 2 * width, {hidden}}, task);
}

}  // namespace gossamer
