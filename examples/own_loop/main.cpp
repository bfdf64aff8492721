// Four nodes on a ring train a network of your own and send one bit per number.
// docs/tutorials/01-own-loop.md walks through it.
#include <cstdio>
#include <memory>

#include <torch/torch.h>

#include "gossamer/algorithms/registry.hpp"
#include "gossamer/compress/registry.hpp"
#include "gossamer/learn/images/open_images.hpp"
#include "gossamer/learn/torch/first_weights.hpp"
#include "gossamer/learn/torch/flat_tensors.hpp"
#include "gossamer/network/inproc/inproc.hpp"
#include "gossamer/node/optimizer.hpp"
#include "gossamer/topology/registry.hpp"

namespace {

using namespace gossamer;

constexpr NodeId kNodes = 4;
constexpr Round kRounds = 400;
constexpr std::int64_t kBatch = 32;

// Any torch module will do whose parameters are floats.
struct Net : torch::nn::Module {
  torch::nn::Linear hidden = register_module("hidden", torch::nn::Linear(28 * 28, 64));
  torch::nn::Linear scores = register_module("scores", torch::nn::Linear(64, 10));

  torch::Tensor forward(const torch::Tensor& x) { return scores(torch::relu(hidden(x))); }
};

// All nodes must start from one model, and torch draws another for each module: not with a key.
std::shared_ptr<Net> make_net() {
  const RngKey key{.seed = 1, .purpose = Purpose::kInit};
  return make_from_key(key, [] { return std::make_shared<Net>(); });
}

// Your data as you like them: these are bytes, and become floats batch by batch.
struct Samples {
  torch::Tensor pictures;
  torch::Tensor labels;
};

Samples samples_of(ImageSet& set) {
  const auto count = static_cast<std::int64_t>(set.size());
  return {torch::from_blob(set.pixels.data(), {count, 28 * 28}, torch::kUInt8),
          torch::from_blob(set.labels.data(), {count}, torch::kUInt8)};
}

torch::Tensor scores_of(Net& net, const Samples& samples) {
  return net.forward(samples.pictures.to(torch::kFloat32) / 255);
}

torch::Tensor loss_of(const torch::Tensor& scores, const Samples& samples) {
  return torch::cross_entropy_loss(scores, samples.labels.to(torch::kInt64));
}

// Node i has samples i, i + 4, i + 8, ... and takes them in their order, again and again.
Samples batch_of(const Samples& all, const Node& node) {
  const std::int64_t batches = all.labels.size(0) / kNodes / kBatch;
  const std::int64_t begin = static_cast<std::int64_t>(node.round()) % batches * kBatch;
  const auto take = [&](const torch::Tensor& values) {
    return values.slice(0, node.id(), values.size(0), kNodes).narrow(0, begin, kBatch);
  };
  return {take(all.pictures), take(all.labels)};
}

// The loop: what each node does. Returns its model.
Eigen::ArrayXf train(Network& network, const Topology& topology, const Samples& samples) {
  const std::shared_ptr<Net> net = make_net();
  FlatTensors parameters(parameters_of(*net));
  Node node({network, topology, parameters.layout()});
  parameters.copy_to(node.x());
  parameters.put_at(node.x());  // the module now computes with the numbers of node.x()

  const AlgorithmSetup setup{.compressor = make_compressor("sign", node.layout()).value(),
                             .layout = node.layout(),
                             .gamma = 0.4f};
  const std::unique_ptr<Algorithm> algorithm = make_algorithm("choco", setup).value();
  Optimizer optimizer(parse_optimizer("nesterov:0.9,weight-decay=1e-4").value(), node.layout());
  FloatBuffer u(node.layout().size());

  algorithm->start(node);
  while (node.round() < kRounds) {
    algorithm->before_gradient(node);  // what it sends here travels while we compute

    const Samples batch = batch_of(samples, node);
    parameters.gather_gradients_in(u.view());
    loss_of(scores_of(*net, batch), batch).backward();  // u: the gradient

    algorithm->share_gradient(node, u.view());
    optimizer.step(node.x(), 0.02f, u.view());  // u: the step to take
    algorithm->after_gradient(node, u.view());  // takes it, and mixes with the neighbours
    node.end_round();
  }
  return node.x();
}

}  // namespace

int main() {
  Result<ImageData> data = open_images("fashion-mnist");
  if (!data) {
    std::fprintf(stderr, "own_loop: %s\n", data.error().message.c_str());
    return 2;
  }
  torch::set_num_threads(1);  // a node is a thread: more inside it would be in each other's way

  const std::shared_ptr<Net> net = make_net();
  FlatTensors parameters(parameters_of(*net));
  Eigen::ArrayXXf models(parameters.layout().size(), kNodes);
  const std::unique_ptr<Topology> ring = make_topology("ring", kNodes, /*seed=*/0).value();
  const Samples samples = samples_of(data.value().train);
  run_inproc(kNodes, [&](Network& network) {
    models.col(network.self()) = train(network, *ring, samples);
  });

  // The mean of all models, on pictures that nobody trained on.
  FloatBuffer mean(parameters.layout().size());
  mean.view() = models.rowwise().mean();
  parameters.put_at(mean.view());
  const torch::NoGradGuard no_gradients;
  const Samples test = samples_of(data.value().test);
  const torch::Tensor scores = scores_of(*net, test);
  std::printf("loss %.4f, accuracy %.4f\n", loss_of(scores, test).item<double>(),
              scores.argmax(1).eq(test.labels).to(torch::kFloat64).mean().item<double>());
}
