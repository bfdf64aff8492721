#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/support/operator_specs.hpp"
#include "tests/support/vectors.hpp"
#include <gtest/gtest.h>

#include "gossamer/compress/registry.hpp"

namespace gossamer::testing {

/// Around every boundary that a kernel has: empty, one, a vector, a tile.
inline constexpr std::size_t kSizes[] = {0, 1, 2, 15, 16, 17, 1023, 4097};

inline std::unique_ptr<const Compressor> make(const std::string& spec, std::size_t size) {
  Result<std::unique_ptr<const Compressor>> made = make_compressor(spec, layout_of(size));
  if (!made) throw std::runtime_error(made.error().message);
  return std::move(made).value();
}

inline RngKey key_of(std::uint64_t round) {
  return {.seed = 42, .purpose = Purpose::kCompress, .node = 3, .round = round};
}

inline std::vector<std::uint8_t> encode(const Compressor& compressor, const std::vector<float>& x,
                                        const RngKey& key) {
  Scratch scratch;
  ByteWriter out;
  compressor.encode(view(x), key, scratch, out);
  return {out.bytes().begin(), out.bytes().end()};
}

inline void add(const Compressor& compressor, const std::vector<std::uint8_t>& message, float a,
                std::vector<float>& y) {
  Scratch scratch;
  compressor.add(message, a, scratch, view(y));
}

/// C(x)
inline std::vector<float> decode(const Compressor& compressor,
                                 const std::vector<std::uint8_t>& message) {
  std::vector<float> y(compressor.size(), 0.0f);
  add(compressor, message, 1.0f, y);
  return y;
}

inline double squared_norm(const std::vector<float>& x) {
  double sum = 0.0;
  for (const float value : x)
    sum += double{value} * value;
  return sum;
}

inline double squared_distance(const std::vector<float>& x, const std::vector<float>& y) {
  double sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i)
    sum += (double{x[i]} - y[i]) * (double{x[i]} - y[i]);
  return sum;
}

/// A spec as a test name.
inline std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name;
  for (const char letter : info.param) {
    if (std::isalnum(static_cast<unsigned char>(letter)) != 0) {
      name += letter;
    } else if (letter == '.') {
      name += "p";
    } else {
      name += '_';
    }
  }
  return name;
}

}  // namespace gossamer::testing
