#include "gossamer/math/kernels/mix.hpp"

#include "gossamer/base/contract.hpp"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gossamer/math/kernels/mix.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();

namespace gossamer::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Elements do not depend on one another: the same bits for every width of vectors. Fused
// multiply-adds are not used: not every instruction set has them.
using Tag = hn::ScalableTag<float>;

struct Mixture {
  std::span<const WeightedVector> vectors;
  const float* own;
  float gamma;
  const float* base;
  const float* u;  // may be null
  float* out;
};

void MixRest(const Mixture& mixture, std::size_t begin, std::size_t size) {
  for (std::size_t i = begin; i < size; ++i) {
    float sum = 0.0f;
    for (const WeightedVector& vector : mixture.vectors)
      sum += vector.weight * (vector.values[i] - mixture.own[i]);
    float move = mixture.gamma * sum;
    if (mixture.u != nullptr) move += mixture.u[i];
    mixture.out[i] = mixture.base[i] + move;
  }
}

void MixDifferences(std::span<const WeightedVector> vectors, const float* own_values, float factor,
                    const float* base, const float* u, float* out, std::size_t size) {
  const Mixture mixture{vectors, own_values, factor, base, u, out};
  const Tag d;
  const std::size_t lanes = hn::Lanes(d);
  const auto gamma = hn::Set(d, mixture.gamma);
  std::size_t i = 0;
  for (; i + lanes <= size; i += lanes) {
    const auto own = hn::LoadU(d, mixture.own + i);
    auto sum = hn::Zero(d);
    for (const WeightedVector& vector : mixture.vectors) {
      const auto difference = hn::Sub(hn::LoadU(d, vector.values + i), own);
      sum = hn::Add(sum, hn::Mul(hn::Set(d, vector.weight), difference));
    }
    auto move = hn::Mul(gamma, sum);
    if (mixture.u != nullptr) move = hn::Add(move, hn::LoadU(d, mixture.u + i));
    hn::StoreU(hn::Add(hn::LoadU(d, mixture.base + i), move), d, mixture.out + i);
  }
  MixRest(mixture, i, size);
}

}  // namespace gossamer::HWY_NAMESPACE

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace gossamer {

HWY_EXPORT(MixDifferences);

void mix_differences(std::span<const WeightedVector> vectors, CVec own, float gamma, CVec base,
                     CVec u, Vec out) {
  expects(own.size() == out.size() && base.size() == out.size() &&
              (u.size() == 0 || u.size() == out.size()),
          "a mixture of vectors of one size");
  HWY_DYNAMIC_DISPATCH(MixDifferences)
  (vectors, own.data(), gamma, base.data(), u.size() == 0 ? nullptr : u.data(), out.data(),
   static_cast<std::size_t>(out.size()));
}

}  // namespace gossamer

#endif  // HWY_ONCE
