// ResNet-20 for small pictures (He, Zhang, Ren, Sun, CVPR 2016, section 4.2): three stages of three
// blocks with 16, 32 and 64 channels. Where a stage begins, the shortcut is a 1x1 convolution with
// a norm of its own, as in the code of the Choco-SGD and PowerGossip papers: 272,474 parameters for
// 3x32x32 pictures of 10 classes.
//
// `norm=batch` keeps running statistics, which stay local; `norm=group` has none, and does not mind
// that nodes see different classes.
#include <fmt/format.h>

#include "gossamer/learn/torch/image_models.hpp"

namespace gossamer {
namespace {

using torch::nn::AnyModule;
using torch::nn::Conv2d;
using torch::nn::Conv2dOptions;

enum class Norm { kBatch, kGroup };

Conv2d convolution(std::int64_t from, std::int64_t to, std::int64_t filter, std::int64_t stride) {
  Conv2d conv(Conv2dOptions(from, to, filter).stride(stride).padding(filter / 2).bias(false));
  torch::nn::init::kaiming_normal_(conv->weight, 0, torch::kFanOut, torch::kReLU);
  return conv;
}

// The group size that PyTorch users take for so few channels.
AnyModule norm_of(Norm norm, std::int64_t channels) {
  if (norm == Norm::kBatch) return AnyModule(torch::nn::BatchNorm2d(channels));
  return AnyModule(torch::nn::GroupNorm(channels / 8, channels));
}

/// Two 3x3 convolutions beside a shortcut.
class ResidualBlockImpl final : public torch::nn::Module {
 public:
  ResidualBlockImpl(std::int64_t from, std::int64_t to, std::int64_t stride, Norm norm)
      : conv1_(register_module("conv1", convolution(from, to, 3, stride))),
        norm1_(norm_of(norm, to)),
        conv2_(register_module("conv2", convolution(to, to, 3, 1))),
        norm2_(norm_of(norm, to)) {
    register_module("norm1", norm1_.ptr());
    register_module("norm2", norm2_.ptr());
    if (from == to) return;
    shortcut_ = register_module("shortcut", convolution(from, to, 1, stride));
    shortcut_norm_ = norm_of(norm, to);
    register_module("shortcut_norm", shortcut_norm_.ptr());
  }

  [[nodiscard]] torch::Tensor forward(const torch::Tensor& x) {
    torch::Tensor y = torch::relu(norm1_.forward(conv1_->forward(x)));
    y = norm2_.forward(conv2_->forward(y));
    return torch::relu(y + (shortcut_ ? shortcut_norm_.forward(shortcut_->forward(x)) : x));
  }

 private:
  Conv2d conv1_;
  AnyModule norm1_;
  Conv2d conv2_;
  AnyModule norm2_;
  Conv2d shortcut_{nullptr};
  AnyModule shortcut_norm_;
};

TORCH_MODULE(ResidualBlock);

class ResNet20 final : public Layers {
 public:
  ResNet20(const PictureTask& task, Norm norm)
      : conv_(register_module("conv1", convolution(static_cast<std::int64_t>(task.shape.channels),
                                                   kChannels[0], 3, 1))),
        norm_(norm_of(norm, kChannels[0])) {
    register_module("norm1", norm_.ptr());
    std::int64_t from = kChannels[0];
    for (std::size_t stage = 0; stage < kChannels.size(); ++stage) {
      for (int k = 0; k < 3; ++k) {
        const std::int64_t stride = stage > 0 && k == 0 ? 2 : 1;
        blocks_.push_back(register_module(fmt::format("stage{}_block{}", stage + 1, k + 1),
                                          ResidualBlock(from, kChannels[stage], stride, norm)));
        from = kChannels[stage];
      }
    }
    fc_ = register_module("fc", torch::nn::Linear(from, static_cast<std::int64_t>(task.classes)));
  }

  [[nodiscard]] torch::Tensor forward(const torch::Tensor& input) override {
    torch::Tensor x = torch::relu(norm_.forward(conv_->forward(input)));
    for (ResidualBlock& block : blocks_)
      x = block->forward(x);
    return fc_->forward(x.mean({2, 3}));
  }

 private:
  static constexpr std::array<std::int64_t, 3> kChannels = {16, 32, 64};

  Conv2d conv_;
  AnyModule norm_;
  std::vector<ResidualBlock> blocks_;
  torch::nn::Linear fc_{nullptr};
};

}  // namespace

ModelFactory make_resnet20(Options& options, const PictureTask& task) {
  const std::string name = options.text("norm").value_or("batch");
  if (name != "batch" && name != "group")
    options.refuse(fmt::format("resnet20: norm must be batch or group, not '{}'", name));
  const Norm norm = name == "group" ? Norm::kGroup : Norm::kBatch;
  return [task, norm] { return model_of(std::make_shared<ResNet20>(task, norm)); };
}

}  // namespace gossamer
