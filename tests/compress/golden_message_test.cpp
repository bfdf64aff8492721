// One message of each byte form, bit by bit: a change here is a change of the wire format
// (docs/wire_format.md).

#include "tests/compress/operators.hpp"
#include "tests/support/golden.hpp"
#include <gtest/gtest.h>

namespace gossamer {
namespace {

using namespace gossamer::testing;

struct GoldenCase {
  const char* file;
  const char* spec;
};

class GoldenMessage : public ::testing::TestWithParam<GoldenCase> {};

TEST_P(GoldenMessage, HasTheBytesOfTheFile) {
  // Quarters, so that no library's rounding or logarithm has a say in the input.
  std::vector<float> x(203);
  Rng rng(RngKey{.seed = 1});
  for (float& value : x)
    value = 0.25f * (static_cast<float>(rng.below(401)) - 200.0f);
  expect_golden(GetParam().file, encode(*make(GetParam().spec, x.size()), x, key_of(5)));
}

INSTANTIATE_TEST_SUITE_P(
    Forms, GoldenMessage,
    ::testing::Values(GoldenCase{"identity.bin", "identity"}, GoldenCase{"topk.bin", "topk:0.05"},
                      GoldenCase{"topk_bitmap.bin", "topk:0.4"},
                      GoldenCase{"randk.bin", "randk:0.05"}, GoldenCase{"drop.bin", "drop:0.1"},
                      GoldenCase{"qsgd4.bin", "qsgd:4"},
                      GoldenCase{"qsgd_bucket.bin", "qsgd:s=5,bucket=64"},
                      GoldenCase{"sign.bin", "sign"}, GoldenCase{"minmax8.bin", "minmax:8"},
                      GoldenCase{"minmax3_nearest.bin", "minmax:3,nearest"},
                      GoldenCase{"topk_qsgd.bin", "topk:0.1+qsgd:4"},
                      GoldenCase{"layerwise.bin", "layerwise,dense1d:sign"}),
    [](const auto& golden) {
      const std::string name = golden.param.file;
      return name.substr(0, name.find('.'));
    });

}  // namespace
}  // namespace gossamer
