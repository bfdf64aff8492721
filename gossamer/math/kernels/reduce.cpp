#include "gossamer/math/kernels/reduce.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "gossamer/base/contract.hpp"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gossamer/math/kernels/reduce.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();

namespace gossamer::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kLanes = 32;
// Each group of lanes walks over a block on its own: a block stays in the first-level cache.
constexpr std::size_t kBlock = 2048;

using Tag = hn::CappedTag<double, 8>;
using FloatTag = hn::Rebind<float, Tag>;

template <typename Term>
double FixedOrderSum(std::size_t size, const Term& term) {
  const Tag d;
  const std::size_t n = hn::Lanes(d);
  alignas(64) double lanes[kLanes] = {};

  const std::size_t whole = size / kLanes * kLanes;
  for (std::size_t begin = 0; begin < whole; begin += kBlock) {
    const std::size_t end = std::min(begin + kBlock, whole);
    // Four vectors at a time hide the latency of an addition; 4n lanes never exceed kLanes.
    for (std::size_t lane = 0; lane < kLanes; lane += 4 * n) {
      auto s0 = hn::Load(d, lanes + lane);
      auto s1 = hn::Load(d, lanes + lane + n);
      auto s2 = hn::Load(d, lanes + lane + 2 * n);
      auto s3 = hn::Load(d, lanes + lane + 3 * n);
      for (std::size_t i = begin + lane; i < end; i += kLanes) {
        s0 = hn::Add(s0, term.vector(i));
        s1 = hn::Add(s1, term.vector(i + n));
        s2 = hn::Add(s2, term.vector(i + 2 * n));
        s3 = hn::Add(s3, term.vector(i + 3 * n));
      }
      hn::Store(s0, d, lanes + lane);
      hn::Store(s1, d, lanes + lane + n);
      hn::Store(s2, d, lanes + lane + 2 * n);
      hn::Store(s3, d, lanes + lane + 3 * n);
    }
  }
  for (std::size_t i = whole; i < size; ++i)
    lanes[i % kLanes] += term.scalar(i);
  for (std::size_t width = kLanes / 2; width > 0; width /= 2) {
    for (std::size_t lane = 0; lane < width; ++lane)
      lanes[lane] += lanes[lane + width];
  }
  return lanes[0];
}

HWY_INLINE hn::Vec<Tag> Promoted(const float* x) {
  return hn::PromoteTo(Tag(), hn::LoadU(FloatTag(), x));
}

struct Itself {
  const float* x;

  HWY_INLINE hn::Vec<Tag> vector(std::size_t i) const { return Promoted(x + i); }

  double scalar(std::size_t i) const { return x[i]; }
};

struct Magnitude {
  const float* x;

  HWY_INLINE hn::Vec<Tag> vector(std::size_t i) const { return hn::Abs(Promoted(x + i)); }

  double scalar(std::size_t i) const { return std::abs(double{x[i]}); }
};

// The product of two floats is exact in double precision.
struct Product {
  const float* x;
  const float* y;

  HWY_INLINE hn::Vec<Tag> vector(std::size_t i) const {
    return hn::Mul(Promoted(x + i), Promoted(y + i));
  }

  double scalar(std::size_t i) const { return double{x[i]} * double{y[i]}; }
};

struct SquaredDifference {
  const float* x;
  const float* y;

  HWY_INLINE hn::Vec<Tag> vector(std::size_t i) const {
    const auto difference = hn::Sub(Promoted(x + i), Promoted(y + i));
    return hn::Mul(difference, difference);
  }

  double scalar(std::size_t i) const {
    const double difference = double{x[i]} - double{y[i]};
    return difference * difference;
  }
};

double Sum(const float* x, std::size_t size) {
  return FixedOrderSum(size, Itself{x});
}

double SumAbs(const float* x, std::size_t size) {
  return FixedOrderSum(size, Magnitude{x});
}

double Dot(const float* x, const float* y, std::size_t size) {
  return FixedOrderSum(size, Product{x, y});
}

double SumSquaredDifference(const float* x, const float* y, std::size_t size) {
  return FixedOrderSum(size, SquaredDifference{x, y});
}

// The smallest magnitude pattern that is not a finite number: infinity's.
constexpr std::uint32_t kInfinityBits = 0x7F800000u;

// Minimum, maximum and the integer maximum of magnitudes do not depend on order: any number of
// lanes gives the same.
Range FindRange(const float* x, std::size_t size) {
  const hn::ScalableTag<float> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const std::size_t n = hn::Lanes(d);
  auto low0 = hn::Set(d, x[0]);
  auto high0 = low0;
  auto magnitude0 = hn::Zero(du);
  auto low1 = low0;
  auto high1 = low0;
  auto magnitude1 = magnitude0;
  const auto magnitude_mask = hn::Set(du, 0x7FFFFFFFu);
  std::size_t i = 0;
  for (; i + 2 * n <= size; i += 2 * n) {
    const auto v0 = hn::LoadU(d, x + i);
    const auto v1 = hn::LoadU(d, x + i + n);
    low0 = hn::Min(low0, v0);
    low1 = hn::Min(low1, v1);
    high0 = hn::Max(high0, v0);
    high1 = hn::Max(high1, v1);
    magnitude0 = hn::Max(magnitude0, hn::And(hn::BitCast(du, v0), magnitude_mask));
    magnitude1 = hn::Max(magnitude1, hn::And(hn::BitCast(du, v1), magnitude_mask));
  }
  float low = hn::GetLane(hn::MinOfLanes(d, hn::Min(low0, low1)));
  float high = hn::GetLane(hn::MaxOfLanes(d, hn::Max(high0, high1)));
  std::uint32_t magnitude = hn::GetLane(hn::MaxOfLanes(du, hn::Max(magnitude0, magnitude1)));
  for (; i < size; ++i) {
    low = std::min(low, x[i]);
    high = std::max(high, x[i]);
    magnitude = std::max(magnitude, std::bit_cast<std::uint32_t>(x[i]) & 0x7FFFFFFFu);
  }
  // Which zero wins among -0 and +0 depends on the order of comparison; adding +0 makes both +0.
  return {low + 0.0f, high + 0.0f, magnitude < kInfinityBits};
}

}  // namespace gossamer::HWY_NAMESPACE

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace gossamer {
namespace {

std::size_t length(CVec x) {
  return static_cast<std::size_t>(x.size());
}

}  // namespace

HWY_EXPORT(Sum);
HWY_EXPORT(SumAbs);
HWY_EXPORT(Dot);
HWY_EXPORT(SumSquaredDifference);
HWY_EXPORT(FindRange);

double sum(CVec x) {
  return HWY_DYNAMIC_DISPATCH(Sum)(x.data(), length(x));
}

double sum_abs(CVec x) {
  return HWY_DYNAMIC_DISPATCH(SumAbs)(x.data(), length(x));
}

double sum_squares(CVec x) {
  return dot(x, x);
}

double dot(CVec x, CVec y) {
  expects(x.size() == y.size(), "dot() of vectors of one length");
  return HWY_DYNAMIC_DISPATCH(Dot)(x.data(), y.data(), length(x));
}

double sum_squared_difference(CVec x, CVec y) {
  expects(x.size() == y.size(), "sum_squared_difference() of vectors of one length");
  return HWY_DYNAMIC_DISPATCH(SumSquaredDifference)(x.data(), y.data(), length(x));
}

bool all_finite(CVec x) {
  return range_of(x).finite;
}

Range range_of(CVec x) {
  if (x.size() == 0) return {};
  return HWY_DYNAMIC_DISPATCH(FindRange)(x.data(), length(x));
}

}  // namespace gossamer

#endif  // HWY_ONCE
