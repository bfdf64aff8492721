// A torch module and a training loop of one's own, on any network: docs/tutorials/01-own-loop.md.
#include <cstdio>
#include <memory>

#include <torch/torch.h>

#include "gossamer/gossamer.hpp"
#include "gossamer/torch.hpp"

using namespace gossamer;

// Any torch module will do whose parameters are floats.
struct Net : torch::nn::Module {
  torch::nn::Linear hidden = register_module("hidden", torch::nn::Linear(28 * 28, 64));
  torch::nn::Linear scores = register_module("scores", torch::nn::Linear(64, 10));

  torch::Tensor forward(const torch::Tensor& bytes) {
    return scores(torch::relu(hidden(bytes.to(torch::kFloat32) / 255)));
  }
};

// All nodes start from one model, and torch draws another for each module: not with a key.
std::shared_ptr<Net> make_net() {
  const RngKey key{.seed = 1, .purpose = Purpose::kInit};
  return make_from_key(key, [] { return std::make_shared<Net>(); });
}

// Your data as you like them: here all pictures of a set, or those of one batch.
struct Samples {
  torch::Tensor pictures, labels;
};

Samples samples_of(ImageSet& set) {
  const auto count = static_cast<std::int64_t>(set.size());
  return {torch::from_blob(set.pixels.data(), {count, 28 * 28}, torch::kUInt8),
          torch::from_blob(set.labels.data(), {count}, torch::kUInt8).to(torch::kInt64)};
}

// Node i of n has samples i, i + n, i + 2n, ... and takes them in their order, again and again.
Samples batch_of(const Samples& all, const Node& node) {
  constexpr std::int64_t kBatch = 32;
  const std::int64_t batches = all.labels.size(0) / node.size() / kBatch;
  const std::int64_t begin = static_cast<std::int64_t>(node.round()) % batches * kBatch;
  const auto take = [&](const torch::Tensor& values) {
    return values.slice(0, node.id(), values.size(0), node.size()).narrow(0, begin, kBatch);
  };
  return {take(all.pictures), take(all.labels)};
}

// The loop: what each node does, wherever it is.
void train(Member& member, const Swarm& swarm, const Samples& all, const Samples& tests) {
  const std::shared_ptr<Net> net = make_net();
  FlatTensors parameters(parameters_of(*net));
  Node& node = member.node();
  parameters.copy_to(node.x());
  parameters.put_at(node.x());  // the module now computes with the numbers of node.x()
  Optimizer optimizer(swarm.experiment().optimizer, node.layout());
  FloatBuffer u(node.layout().size());
  member.keeps([&](StateVisitor& visitor) { optimizer.visit_state(visitor); });

  member.begin();
  while (member.begin_round()) {  // what it sends here travels while we compute
    std::optional<double> loss;
    if (member.trains()) {  // a coordinator has no data
      const Samples batch = batch_of(all, node);
      parameters.gather_gradients_in(u.view());
      auto batch_loss = torch::cross_entropy_loss(net->forward(batch.pictures), batch.labels);
      batch_loss.backward();            // u: the gradient
      member.share_gradient(u.view());  // all-reduce and error feedback act on gradients
      const auto rate = static_cast<float>(swarm.experiment().schedule->at(node.round()));
      optimizer.step(node.x(), rate, u.view());  // u: the step to take
      loss = batch_loss.item<double>();
    }
    member.end_round(u.view(), loss);  // takes the step, and mixes with the neighbours
  }
  if (member.stopped()) return;

  const MeanOfNodes mean = member.mean_model();  // of all models: the same bits at every node
  if (!swarm.speaks(member)) return;
  swarm.keep(member, mean);  // in the run's folder, if it has one
  parameters.put_at(CVec(mean.numbers.data(), node.x().size()));
  const torch::NoGradGuard no_gradients;
  const torch::Tensor right = net->forward(tests.pictures).argmax(1).eq(tests.labels);
  std::printf("%ld of %ld right\n", right.sum().item<long>(), right.size(0));
}

template <typename T>
T or_exit(Result<T> result) {
  if (result) return std::move(result).value();
  std::fprintf(stderr, "own_loop: %s\n", result.error().message.c_str());
  std::exit(2);
}

int main(int argc, char** argv) {
  RunConfig preset;  // what the command line may change
  preset.compressor = "sign", preset.gamma = "0.4", preset.rounds = 400;
  preset.optimizer = "nesterov:0.9,weight-decay=1e-4", preset.lr = 0.02;
  const RunRequest request = or_exit(read_arguments(argc, argv, preset));
  const Layout layout = FlatTensors(parameters_of(*make_net())).layout();
  Interruption ctrl_c;  // ends the run after a round, with a checkpoint
  const auto swarm = or_exit(Swarm::open({request, layout, &ctrl_c.line()}));

  ImageData data = or_exit(open_images("fashion-mnist"));
  const Samples all = samples_of(data.train), tests = samples_of(data.test);
  torch::set_num_threads(1);  // a node is a thread: more inside it would be in each other's way
  const SwarmOutcome outcome =
      or_exit(swarm->run([&](Member& member) { train(member, *swarm, all, tests); }));
  if (outcome.failure) std::fprintf(stderr, "own_loop: %s\n", outcome.sentence().c_str());
  return outcome.failure ? 3 : 0;
}
