// The language model of the word-level experiments: embedding, LSTM layers with drop-out between
// them, scores; all of it as in Zaremba, Sutskever, Vinyals, 2014.
#include "gossamer/learn/torch/lstm.hpp"

#include <fmt/format.h>

#include "gossamer/base/text/options.hpp"

namespace gossamer {

Result<LstmSetup> parse_lstm(std::string_view spec) {
  NamedOptions named = split_spec(spec);
  Options& options = named.options;
  LstmSetup setup;
  const auto size = [&](std::string_view name, std::int64_t most, std::int64_t preset) {
    return static_cast<std::int64_t>(options.integer(name, 1, static_cast<std::uint64_t>(most))
                                         .value_or(static_cast<std::uint64_t>(preset)));
  };
  setup.layers = size("layers", 3, setup.layers);
  setup.hidden = size("hidden", 65536, setup.hidden);
  setup.embedding = size("embedding", 65536, setup.hidden);
  setup.dropout = options.number("dropout", 0.0, 0.99).value_or(setup.dropout);
  setup.tied = options.flag("tied");
  setup.length = options.integer("length", 1, 4096).value_or(setup.length);
  if (setup.tied && setup.hidden != setup.embedding)
    options.refuse("lstm: tied needs as many hidden units as the embedding has");
  if (const Result<void> understood = options.finish(); !understood) return understood.error();
  return setup;
}

LstmModel::LstmModel(const LstmSetup& setup, std::int64_t vocabulary)
    : setup_(setup),
      embedding_(register_module("embedding", torch::nn::Embedding(vocabulary, setup.embedding))) {
  std::int64_t width = setup.embedding;
  for (std::int64_t k = 0; k < setup.layers; ++k) {
    layers_.push_back(register_module(
        fmt::format("lstm{}", k + 1),
        torch::nn::LSTM(torch::nn::LSTMOptions(width, setup.hidden).batch_first(true))));
    width = setup.hidden;
  }
  constexpr double kRange = 0.1;
  torch::nn::init::uniform_(embedding_->weight, -kRange, kRange);
  if (setup.tied) {
    bias_ = register_parameter("bias", torch::zeros({vocabulary}));
  } else {
    scores_ = register_module("scores", torch::nn::Linear(width, vocabulary));
    torch::nn::init::uniform_(scores_->weight, -kRange, kRange);
    torch::nn::init::zeros_(scores_->bias);
  }
}

std::vector<std::int64_t> LstmModel::state_shape(std::int64_t streams) const {
  return {2 * setup_.layers, streams, setup_.hidden};
}

torch::Tensor LstmModel::forward(const torch::Tensor& words, torch::Tensor& state,
                                 at::Generator& generator) {
  torch::Tensor x = drop(embedding_->forward(words), generator);
  for (std::size_t k = 0; k < layers_.size(); ++k) {
    // Copies: the backward pass needs what the state was, and the new one takes its place.
    const auto row = static_cast<std::int64_t>(2 * k);
    const torch::Tensor hidden = state.narrow(0, row, 1).clone();
    const torch::Tensor cell = state.narrow(0, row + 1, 1).clone();
    const auto [y, next] = layers_[k]->forward(x, std::make_tuple(hidden, cell));
    state.narrow(0, row, 1).copy_(std::get<0>(next).detach());
    state.narrow(0, row + 1, 1).copy_(std::get<1>(next).detach());
    x = drop(y, generator);
  }
  x = x.reshape({-1, setup_.hidden});
  return setup_.tied ? torch::nn::functional::linear(x, embedding_->weight, bias_)
                     : scores_->forward(x);
}

torch::Tensor LstmModel::drop(const torch::Tensor& x, at::Generator& generator) const {
  if (!is_training() || setup_.dropout == 0.0) return x;
  const double kept = 1.0 - setup_.dropout;
  return x * torch::empty_like(x).bernoulli_(kept, generator).div_(kept);
}

}  // namespace gossamer
