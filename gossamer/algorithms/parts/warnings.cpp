#include "gossamer/algorithms/parts/warnings.hpp"

#include <fmt/format.h>

#include "gossamer/base/bytes.hpp"
#include "gossamer/base/rng.hpp"
#include "gossamer/math/scratch.hpp"
#include "gossamer/math/vec.hpp"

namespace gossamer {

Warnings warn_of_large_gamma(const Combination& combination) {
  const std::optional<double> one_minus_lambda_n = combination.one_minus_lambda_n();
  if (!one_minus_lambda_n) return {};
  const double largest = 2.0 / *one_minus_lambda_n;
  if (combination.gamma <= largest) return {};
  return {fmt::format(
      "{} is stable for gamma up to 2 / (1 - lambda_n) = {:.4g} on this graph; {:.4g} is more",
      combination.name(), largest, combination.gamma)};
}

Warnings warn_of_forgotten_error(const Combination& combination) {
  if (!combination.is_lossy()) return {};
  return {
      fmt::format("{} compresses whole models and forgets the error: it stalls or diverges with "
                  "any lossy compressor; it is here to be measured against",
                  combination.name())};
}

Warnings warn_of_missing_memory(const Combination& combination) {
  if (!combination.is_lossy() || !combination.has_flag("no-memory")) return {};
  return {fmt::format("{} without its error memory stalls; 'no-memory' is here to show that",
                      combination.name())};
}

double measured_noise(const Compressor& compressor, std::uint64_t seed) {
  const RngKey key{.seed = seed, .purpose = Purpose::kInit};
  Rng rng(key);
  FloatBuffer x(compressor.size());
  for (float& value : x.view())
    value = static_cast<float>(rng.normal());
  Scratch scratch;
  ByteWriter message;
  compressor.encode(x.view(), key, scratch, message);
  FloatBuffer error(x.size());
  error.view() = -x.view();
  compressor.add(message.bytes(), 1.0f, scratch, error.view());
  return static_cast<double>(error.view().square().sum() / x.view().square().sum());
}

}  // namespace gossamer
