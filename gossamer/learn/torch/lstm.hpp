#pragma once

#include <string_view>

#include <torch/torch.h>

#include "gossamer/base/result.hpp"

namespace gossamer {

/// `lstm:layers=2,hidden=200,embedding=200,dropout=0.2,tied,length=35`.
struct LstmSetup {
  std::int64_t layers = 2;
  std::int64_t hidden = 200;
  std::int64_t embedding = 200;
  double dropout = 0.0;
  /// The scores are taken with the embedding itself; needs hidden = embedding.
  bool tied = false;
  /// Words per step: how far gradients go back.
  std::size_t length = 35;
};

[[nodiscard]] Result<LstmSetup> parse_lstm(std::string_view spec);

/// A language model: scores of every next word.
class LstmModel final : public torch::nn::Module {
 public:
  LstmModel(const LstmSetup& setup, std::int64_t vocabulary);

  /// What is carried from one window of text to the next: hidden states and cells of all layers,
  /// [2 layers, streams, hidden].
  [[nodiscard]] std::vector<std::int64_t> state_shape(std::int64_t streams) const;

  /// `words` is [streams, length]; the scores are [streams * length, vocabulary]. Replaces what
  /// `state` holds by what comes out, without its history. Drops with the generator's numbers while
  /// training.
  [[nodiscard]] torch::Tensor forward(const torch::Tensor& words, torch::Tensor& state,
                                      at::Generator& generator);

 private:
  [[nodiscard]] torch::Tensor drop(const torch::Tensor& x, at::Generator& generator) const;

  LstmSetup setup_;
  torch::nn::Embedding embedding_;
  // One layer each: torch's own drop-out between layers draws from a generator that all threads
  // share.
  std::vector<torch::nn::LSTM> layers_;
  torch::nn::Linear scores_{nullptr};  // untied
  torch::Tensor bias_;                 // tied
};

}  // namespace gossamer
