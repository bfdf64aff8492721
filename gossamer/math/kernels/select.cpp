#include "gossamer/math/kernels/select.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <utility>

#include "gossamer/base/contract.hpp"

// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "gossamer/math/kernels/select.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();

namespace gossamer::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Writes the index and value of every element whose magnitude bits are at least `cut`, in order,
// and returns how many there are; gives up with room + 1 once there are more than `room`.
std::size_t CollectAbove(const float* x, std::size_t size, std::uint32_t cut, std::size_t room,
                         std::uint32_t* indices, float* values) {
  const hn::ScalableTag<std::int32_t> d;
  const std::size_t n = hn::Lanes(d);
  // Magnitudes are below 2^31, so that signed comparison, the only one that every instruction set
  // has, orders them.
  const auto threshold = hn::Set(d, static_cast<std::int32_t>(cut) - 1);
  const auto magnitude_mask = hn::Set(d, 0x7FFFFFFF);
  const auto* const bits = reinterpret_cast<const std::int32_t*>(x);
  const auto above = [&](std::size_t at) {
    return hn::Gt(hn::And(hn::LoadU(d, bits + at), magnitude_mask), threshold);
  };

  std::size_t found = 0;
  std::size_t i = 0;
  for (; i + 4 * n <= size; i += 4 * n) {
    const auto m0 = above(i);
    const auto m1 = above(i + n);
    const auto m2 = above(i + 2 * n);
    const auto m3 = above(i + 3 * n);
    if (HWY_LIKELY(hn::AllFalse(d, hn::Or(hn::Or(m0, m1), hn::Or(m2, m3))))) continue;
    if (found + 4 * n > room) break;
    const auto keep = [&](auto mask, std::size_t at) {
      std::uint8_t packed[8] = {};
      hn::StoreMaskBits(d, mask, packed);
      std::uint64_t left = 0;
      hwy::CopyBytes<8>(packed, &left);
      for (; left != 0; left &= left - 1) {
        const std::size_t index = at + static_cast<std::size_t>(std::countr_zero(left));
        indices[found] = static_cast<std::uint32_t>(index);
        values[found] = x[index];
        ++found;
      }
    };
    keep(m0, i);
    keep(m1, i + n);
    keep(m2, i + 2 * n);
    keep(m3, i + 3 * n);
  }
  for (; i < size; ++i) {
    if ((std::bit_cast<std::uint32_t>(x[i]) & 0x7FFFFFFFu) < cut) continue;
    if (found == room) return room + 1;
    indices[found] = static_cast<std::uint32_t>(i);
    values[found] = x[i];
    ++found;
  }
  return found;
}

}  // namespace gossamer::HWY_NAMESPACE

HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace gossamer {

HWY_EXPORT(CollectAbove);

namespace {

// As integers, the bits of magnitudes order as the magnitudes do, with infinity and NaN above all
// numbers.
std::uint32_t magnitude(float value) {
  return std::bit_cast<std::uint32_t>(value) & 0x7FFFFFFFu;
}

struct Entry {
  std::uint32_t index;
  float value;
};

// The k-th largest magnitude, and how many entries that are equal to it belong to the top k.
struct Boundary {
  std::uint32_t magnitude;
  std::size_t ties_kept;
};

// Writes the entries inside the boundary to `out`, in order, until it is full. `entry(i)` is the
// i-th entry of what is searched, which holds at least as many as `out` has room for.
template <typename EntryAt>
void keep_inside(Boundary boundary, const EntryAt& entry, const Entries& out) {
  std::size_t kept = 0;
  for (std::size_t i = 0; kept < out.indices.size(); ++i) {
    const auto [index, value] = entry(i);
    const std::uint32_t m = magnitude(value);
    if (m < boundary.magnitude) continue;
    if (m == boundary.magnitude) {
      if (boundary.ties_kept == 0) continue;
      --boundary.ties_kept;
    }
    out.indices[kept] = index;
    out.values[kept] = value;
    ++kept;
  }
}

// Digit by digit from the top: a histogram says which digit the k-th largest has, the next digit
// tells those apart.
Boundary find_boundary(std::span<const float> values, std::size_t k) {
  std::uint32_t prefix = 0;
  std::uint32_t prefix_mask = 0;
  for (const auto& [shift, bits] : {std::pair{20, 11}, std::pair{10, 10}, std::pair{0, 10}}) {
    const std::uint32_t digit_mask = (1u << bits) - 1;
    std::array<std::uint32_t, 2048> histogram{};
    for (const float value : values) {
      const std::uint32_t m = magnitude(value);
      if ((m & prefix_mask) == prefix) ++histogram[m >> shift & digit_mask];
    }
    std::uint32_t digit = digit_mask;
    while (histogram[digit] < k)
      k -= histogram[digit--];
    prefix |= digit << shift;
    prefix_mask |= digit_mask << shift;
  }
  return {prefix, k};
}

constexpr std::size_t kSampleRun = 16;  // one cache line
constexpr std::size_t kSmallestSampled = 1024;

// A cache line of every 32, at most 2048 of them: enough to guess by, and little to sort.
std::size_t sample_runs(std::size_t size) {
  return std::min<std::size_t>(2048, size / (32 * kSampleRun));
}

// A magnitude that somewhat more than k elements should reach, judged by evenly spaced cache lines.
std::uint32_t guess_cut(CVec x, std::size_t k, Scratch& scratch) {
  Scratch::Frame frame(scratch);
  const auto size = static_cast<std::size_t>(x.size());
  const std::size_t runs = sample_runs(size);
  const std::size_t stride = size / runs;
  const std::span<std::uint32_t> sample = frame.take<std::uint32_t>(kSampleRun * runs);
  for (std::size_t run = 0; run < runs; ++run) {
    std::transform(x.data() + run * stride, x.data() + run * stride + kSampleRun,
                   sample.begin() + static_cast<std::ptrdiff_t>(run * kSampleRun), magnitude);
  }
  // The number of samples above the true cut is about binomial: five standard deviations of slack
  // rarely fail.
  const double expected =
      static_cast<double>(k) * static_cast<double>(sample.size()) / static_cast<double>(size);
  const auto rank = static_cast<std::size_t>(expected + 5.0 * std::sqrt(expected) + 8.0);
  if (rank >= sample.size()) return 0;
  const auto cut = sample.begin() + static_cast<std::ptrdiff_t>(rank);
  std::nth_element(sample.begin(), cut, sample.end(), std::greater<>());
  return *cut;
}

// Room for what the guess should let through, with a margin for a sample that is not quite typical.
std::size_t candidate_room(std::size_t k, std::size_t size) {
  return std::min(size, 2 * k + size / 8 + 256);
}

}  // namespace

void select_top_k(CVec x, Scratch& scratch, Entries out) {
  const auto size = static_cast<std::size_t>(x.size());
  const std::size_t k = out.indices.size();
  expects(k <= size && out.values.size() == k && size < (std::size_t{1} << 32),
          "select_top_k() of k <= d < 2^32");
  if (k == 0) return;

  Scratch::Frame frame(scratch);
  const bool worth_sampling = size >= kSmallestSampled;
  const std::uint32_t cut = worth_sampling ? guess_cut(x, k, scratch) : 0;
  const std::size_t room = worth_sampling ? candidate_room(k, size) : size;
  const Entries candidates{frame.take<std::uint32_t>(room), frame.take<float>(room)};
  const std::size_t found = HWY_DYNAMIC_DISPATCH(CollectAbove)(
      x.data(), size, cut, room, candidates.indices.data(), candidates.values.data());
  if (found < k || found > room) {
    const auto entry = [&](std::size_t i) {
      return Entry{static_cast<std::uint32_t>(i), x.data()[i]};
    };
    return keep_inside(find_boundary({x.data(), size}, k), entry, out);
  }
  const auto entry = [&](std::size_t i) {
    return Entry{candidates.indices[i], candidates.values[i]};
  };
  keep_inside(find_boundary(candidates.values.first(found), k), entry, out);
}

}  // namespace gossamer

#endif  // HWY_ONCE
