// A perceptron with hidden layers of the given widths, `mlp:256/128`, and ReLU between them;
// without any it is softmax regression.
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "gossamer/base/text/parse_number.hpp"
#include "gossamer/learn/torch/image_models.hpp"

namespace gossamer {
namespace {

class Mlp final : public Layers {
 public:
  Mlp(std::int64_t inputs, const std::vector<std::int64_t>& hidden, std::int64_t classes) {
    std::int64_t width = inputs;
    for (const std::int64_t next : hidden) {
      add(width, next);
      width = next;
    }
    add(width, classes);
  }

  [[nodiscard]] torch::Tensor forward(const torch::Tensor& input) override {
    torch::Tensor x = input.flatten(1);
    for (std::size_t k = 0; k + 1 < layers_.size(); ++k)
      x = torch::relu(layers_[k]->forward(x));
    return layers_.back()->forward(x);
  }

 private:
  void add(std::int64_t from, std::int64_t to) {
    layers_.push_back(
        register_module(fmt::format("fc{}", layers_.size() + 1), torch::nn::Linear(from, to)));
  }

  std::vector<torch::nn::Linear> layers_;
};

std::vector<std::int64_t> widths_of(Options& options) {
  const std::optional<std::string> text = options.positional_text();
  if (!text) return {256, 128};
  std::vector<std::int64_t> widths;
  std::string_view rest = *text;
  while (!rest.empty()) {
    const std::size_t slash = rest.find('/');
    const auto width = parse_number<std::int64_t>(rest.substr(0, slash));
    if (!width || *width < 1 || *width > 1'000'000) {
      options.refuse(fmt::format(
          "mlp: hidden layers are widths with slashes between them, as mlp:256/128, not '{}'",
          *text));
      return {1};
    }
    widths.push_back(*width);
    rest = slash == std::string_view::npos ? std::string_view{} : rest.substr(slash + 1);
  }
  return widths;
}

ModelFactory perceptron(const PictureTask& task, std::vector<std::int64_t> hidden) {
  return [hidden = std::move(hidden), inputs = static_cast<std::int64_t>(task.shape.size()),
          classes = static_cast<std::int64_t>(task.classes)] {
    return model_of(std::make_shared<Mlp>(inputs, hidden, classes));
  };
}

}  // namespace

ModelFactory make_softmax(Options& /*options*/, const PictureTask& task) {
  return perceptron(task, {});
}

ModelFactory make_mlp(Options& options, const PictureTask& task) {
  return perceptron(task, widths_of(options));
}

}  // namespace gossamer
