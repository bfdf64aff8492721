#include "gossamer/math/kernels/reduce.hpp"

#include <cmath>
#include <functional>
#include <limits>

#include "tests/math/kernels.hpp"

namespace gossamer {
namespace {

using namespace gossamer::testing;

// The plain twin: 32 lanes, then a tree.
double fixed_order_sum(std::size_t size, const std::function<double(std::size_t)>& term) {
  double lanes[32] = {};
  for (std::size_t i = 0; i < size; ++i)
    lanes[i % 32] += term(i);
  for (std::size_t width = 16; width > 0; width /= 2) {
    for (std::size_t lane = 0; lane < width; ++lane)
      lanes[lane] += lanes[lane + width];
  }
  return lanes[0];
}

template <typename Check>
void for_each_input(const Check& check) {
  for (const std::size_t length : kLengths) {
    for (const std::size_t offset : kOffsets) {
      const std::vector<float> x = heavy_vector(length + offset, length);
      const std::vector<float> y = normal_vector(length + offset, length + 1);
      SCOPED_TRACE("length " + std::to_string(length) + " offset " + std::to_string(offset));
      on_every_instruction_set([&] { check(shifted(x, offset), shifted(y, offset)); });
    }
  }
}

TEST(Reduce, SumsEqualTheirTwinToTheBit) {
  for_each_input([](CVec x, CVec y) {
    const auto size = static_cast<std::size_t>(x.size());
    EXPECT_EQ(sum(x), fixed_order_sum(size, [&](std::size_t i) { return double{x.data()[i]}; }));
    EXPECT_EQ(sum_abs(x),
              fixed_order_sum(size, [&](std::size_t i) { return std::abs(double{x.data()[i]}); }));
    EXPECT_EQ(sum_squares(x), fixed_order_sum(size, [&](std::size_t i) {
                return double{x.data()[i]} * x.data()[i];
              }));
    EXPECT_EQ(dot(x, y), fixed_order_sum(size, [&](std::size_t i) {
                return double{x.data()[i]} * y.data()[i];
              }));
    EXPECT_EQ(sum_squared_difference(x, y), fixed_order_sum(size, [&](std::size_t i) {
                const double difference = double{x.data()[i]} - y.data()[i];
                return difference * difference;
              }));
  });
}

TEST(Reduce, RangeIsTheSmallestAndTheLargest) {
  for_each_input([](CVec x, CVec) {
    const Range range = range_of(x);
    EXPECT_TRUE(range.finite);
    if (x.size() == 0) return;
    EXPECT_EQ(range.min, x.minCoeff());
    EXPECT_EQ(range.max, x.maxCoeff());
  });
}

TEST(Reduce, ANonFiniteElementIsSeenWhereverItIs) {
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
        -std::numeric_limits<float>::infinity()}) {
    for (std::size_t place = 0; place < 67; ++place) {
      std::vector<float> x = normal_vector(67, 1);
      x[place] = bad;
      on_every_instruction_set([&] {
        EXPECT_FALSE(range_of(view(x)).finite);
        EXPECT_FALSE(all_finite(view(x)));
        EXPECT_FALSE(std::isfinite(sum_abs(view(x))));
        EXPECT_FALSE(std::isfinite(sum_squares(view(x))));
      });
    }
  }
}

TEST(Reduce, TheLargestFiniteNumbersDoNotOverflow) {
  const std::vector<float> x(100, std::numeric_limits<float>::max());
  EXPECT_TRUE(std::isfinite(sum_squares(view(x))));
  EXPECT_TRUE(all_finite(view(x)));
}

TEST(Reduce, AZeroBoundIsPositiveZero) {
  on_every_instruction_set([] {
    const std::vector<float> x = {-0.0f, 0.0f, -0.0f};
    EXPECT_FALSE(std::signbit(range_of(view(x)).min));
    EXPECT_FALSE(std::signbit(range_of(view(x)).max));
  });
}

}  // namespace
}  // namespace gossamer
