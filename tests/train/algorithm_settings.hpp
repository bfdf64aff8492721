#pragma once

#include "tests/train/runs.hpp"
#include <fmt/format.h>

#include "gossamer/algorithms/registry.hpp"

namespace gossamer::testing {

/// A setting that is left out where an algorithm refuses it.
inline Settings with_if_allowed(Settings settings, const std::string& key,
                                const std::string& value) {
  Settings more = settings;
  more.emplace_back(key, value);
  return try_experiment(more) ? more : settings;
}

/// A short run in which an algorithm does all that it can: noisy gradients, momentum, and a
/// compressor and local steps if it has a use for them.
inline Settings settings_for(const AlgorithmInfo& algorithm, NodeId nodes, Round rounds) {
  Settings settings = {{"task", "quadratic"},
                       {"dim", "33"},
                       {"noise", "0.1"},
                       {"lr", "0.01"},
                       {"nodes", fmt::format("{}", nodes)},
                       {"algorithm", algorithm.example},
                       {"optimizer", "heavy-ball:0.9"},
                       {"rounds", fmt::format("{}", rounds)}};
  // A number, so that nothing is tuned.
  if (algorithm.gamma == Gamma::kTuned) settings.emplace_back("gamma", "0.2");
  settings = with_if_allowed(settings, "compressor", "qsgd:4");
  return with_if_allowed(settings, "local-steps", "3");
}

}  // namespace gossamer::testing
