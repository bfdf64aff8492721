#include "gossamer/math/kernels/select.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "tests/math/kernels.hpp"

namespace gossamer {
namespace {

using namespace gossamer::testing;

// The plain twin: sort by magnitude, lower index first among equals.
std::vector<std::uint32_t> top_indices(CVec x, std::size_t k) {
  std::vector<std::uint32_t> order(static_cast<std::size_t>(x.size()));
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(
      order, [&](std::uint32_t a, std::uint32_t b) { return std::abs(x[a]) > std::abs(x[b]); });
  order.resize(k);
  std::ranges::sort(order);
  return order;
}

void expect_top(CVec x, std::size_t k) {
  const std::vector<std::uint32_t> expected = top_indices(x, k);
  on_every_instruction_set([&] {
    Scratch scratch;
    std::vector<std::uint32_t> indices(k);
    std::vector<float> values(k);
    select_top_k(x, scratch, {indices, values});
    ASSERT_EQ(indices, expected) << k << " of " << x.size();
    for (std::size_t i = 0; i < k; ++i)
      EXPECT_EQ(values[i], x[indices[i]]);
  });
}

TEST(SelectTopK, EqualsItsTwin) {
  for (const std::size_t length : kLengths) {
    for (const std::size_t offset : kOffsets) {
      const std::vector<float> x = heavy_vector(length + offset, length);
      for (const std::size_t k :
           {std::size_t{0}, std::size_t{1}, length / 100, length / 3, length}) {
        if (k <= length) expect_top(shifted(x, offset), k);
      }
    }
  }
}

TEST(SelectTopK, EqualsItsTwinWhereASampleGuidesIt) {
  const std::size_t size = 300001;
  const std::vector<float> x = normal_vector(size, 1);
  for (const std::size_t k :
       {std::size_t{1}, std::size_t{30}, size / 1000, size / 100, size / 10, size - 5})
    expect_top(view(x), k);
}

TEST(SelectTopK, IsExactWhenTheSampleMisleads) {
  const std::size_t size = 300001;
  // All that is large lies where no sample is taken, or nowhere else: both ways the guess is wrong.
  std::vector<float> hidden(size, 0.0f);
  for (std::size_t i = 0; i < 3000; ++i)
    hidden[i * 97 + 40] = 1.0f + static_cast<float>(i);
  std::vector<float> clustered(size, 0.001f);
  for (std::size_t i = 250000; i < 253000; ++i)
    clustered[i] = static_cast<float>(i);
  std::vector<float> increasing(size);
  std::iota(increasing.begin(), increasing.end(), 0.0f);
  for (const auto& x : {hidden, clustered, increasing}) {
    for (const std::size_t k :
         {std::size_t{1}, std::size_t{2000}, std::size_t{3001}, std::size_t{100000}})
      expect_top(view(x), k);
  }
}

TEST(SelectTopK, TakesTheLowestIndicesOfEquals) {
  const std::vector<float> constant(300001, -2.0f);
  for (const std::size_t k : {std::size_t{1}, std::size_t{3000}, std::size_t{300000}})
    expect_top(view(constant), k);
  std::vector<float> two_values(300001, 1.0f);
  for (std::size_t i = 0; i < two_values.size(); i += 3)
    two_values[i] = -2.0f;
  for (const std::size_t k :
       {std::size_t{3000}, std::size_t{100001}, std::size_t{100002}, std::size_t{200000}})
    expect_top(view(two_values), k);
}

TEST(SelectTopK, ANonFiniteElementIsAlwaysSelected) {
  std::vector<float> x = normal_vector(300001, 2);
  x[123456] = std::numeric_limits<float>::quiet_NaN();
  x[200000] = -std::numeric_limits<float>::infinity();
  Scratch scratch;
  std::vector<std::uint32_t> indices(2);
  std::vector<float> values(2);
  select_top_k(view(x), scratch, {indices, values});
  EXPECT_EQ(indices, (std::vector<std::uint32_t>{123456, 200000}));
}

}  // namespace
}  // namespace gossamer
