#include "gossamer/math/kernels/mix.hpp"

#include "tests/math/kernels.hpp"

#include "gossamer/base/contract.hpp"

namespace gossamer {
namespace {

using namespace gossamer::testing;

std::vector<float> mixture_of(const std::vector<std::vector<float>>& vectors,
                              const std::vector<float>& weights, const std::vector<float>& own,
                              float gamma, const std::vector<float>& base,
                              const std::vector<float>& u) {
  std::vector<float> out(own.size());
  for (std::size_t i = 0; i < own.size(); ++i) {
    float sum = 0.0f;
    for (std::size_t k = 0; k < vectors.size(); ++k) {
      const float term = weights[k] * (vectors[k][i] - own[i]);
      sum += term;
    }
    float move = gamma * sum;
    if (!u.empty()) move += u[i];
    out[i] = base[i] + move;
  }
  return out;
}

TEST(Mix, EqualsItsTwinForEverySizeAndNumberOfVectors) {
  for (const std::size_t size : {0u, 1u, 2u, 7u, 8u, 9u, 15u, 16u, 17u, 33u, 1023u, 4097u}) {
    const std::vector<float> own = normal_vector(size, 1);
    const std::vector<float> base = normal_vector(size, 2);
    for (const std::size_t count : {0u, 1u, 2u, 3u, 14u}) {
      std::vector<std::vector<float>> vectors;
      std::vector<WeightedVector> weighted;
      const std::vector<float> weights = normal_vector(count, 3);
      for (std::size_t k = 0; k < count; ++k)
        vectors.push_back(normal_vector(size, 10 + k));
      for (std::size_t k = 0; k < count; ++k)
        weighted.push_back({weights[k], vectors[k].data()});
      for (const std::vector<float>& u : {normal_vector(size, 4), std::vector<float>()}) {
        on_every_instruction_set([&] {
          std::vector<float> out(size);
          mix_differences(weighted, view(own), 0.3f, view(base), view(u), view(out));
          ASSERT_EQ(out, mixture_of(vectors, weights, own, 0.3f, base, u))
              << size << " numbers, " << count << " vectors";
        });
      }
    }
  }
}

TEST(Mix, MayReplaceAnyOfItsInputs) {
  const std::vector<float> own = normal_vector(100, 1);
  const std::vector<float> other = normal_vector(100, 2);
  const WeightedVector weighted{0.5f, other.data()};
  std::vector<float> x = own;
  const std::vector<float> expected = mixture_of({other}, {0.5f}, x, 0.7f, x, {});
  mix_differences(std::span(&weighted, 1), view(std::as_const(x)), 0.7f, view(std::as_const(x)),
                  CVec(nullptr, 0), view(x));
  EXPECT_EQ(x, expected);
}

TEST(Mix, OfVectorsThatAgreeMovesNothing) {
  const std::vector<float> x = normal_vector(1000, 1);
  const std::vector<WeightedVector> weighted(3, WeightedVector{1.0f / 3.0f, x.data()});
  std::vector<float> out(x.size());
  mix_differences(weighted, view(x), 1.0f, view(x), CVec(nullptr, 0), view(out));
  EXPECT_EQ(out, x);
}

TEST(Mix, RefusesVectorsOfAnotherSize) {
  std::vector<float> four(4);
  const std::vector<float> three(3);
  const CVec none(nullptr, 0);
  EXPECT_THROW(mix_differences({}, view(three), 1.0f, view(std::as_const(four)), none, view(four)),
               ContractViolation);
  EXPECT_THROW(mix_differences({}, view(std::as_const(four)), 1.0f, view(std::as_const(four)),
                               view(three), view(four)),
               ContractViolation);
}

}  // namespace
}  // namespace gossamer
