// Spec strings: what is accepted, and the sentence that a mistake gets.

#include "tests/compress/operators.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer {
namespace {

using namespace gossamer::testing;
using ::testing::HasSubstr;

std::string refusal(const std::string& spec, std::size_t size = 1000) {
  const auto made = make_compressor(spec, Layout::flat(size));
  return made ? "(accepted)" : made.error().message;
}

TEST(CompressorSpec, EveryOperatorOfTheIssueIsAccepted) {
  for (const char* spec :
       {"identity", "topk:0.01", "topk:k=50", "randk:0.01", "randk:0.01,unbiased", "drop:0.1",
        "qsgd:4", "qsgd:s=15", "qsgd:4,bucket=512", "qsgd:4,unscaled", "sign", "minmax:8",
        "minmax:8,nearest", "topk:0.01+qsgd:4", "topk:0.01+sign", "randk:0.01+qsgd:4",
        "layerwise:topk:0.01"}) {
    EXPECT_EQ(refusal(spec), "(accepted)") << spec;
    EXPECT_EQ(make(spec, 1000)->spec(), spec == std::string("qsgd:s=15") ? "qsgd:5" : spec);
  }
}

TEST(CompressorSpec, AnUnknownNameGetsTheNearestSuggested) {
  EXPECT_THAT(refusal("topkk:0.01"), HasSubstr("did you mean 'topk'"));
  EXPECT_THAT(refusal("sgin"), HasSubstr("did you mean 'sign'"));
  EXPECT_THAT(refusal(""), HasSubstr("unknown compressor ''"));
}

TEST(CompressorSpec, AnUnknownOptionGetsTheNearestSuggested) {
  EXPECT_THAT(refusal("qsgd:4,buket=3"), HasSubstr("did you mean 'bucket='"));
  EXPECT_THAT(refusal("randk:0.1,unbised"), HasSubstr("did you mean 'unbiased'"));
  EXPECT_THAT(refusal("identity:4"), HasSubstr("identity takes no option '4'"));
}

TEST(CompressorSpec, AnImpossibleCountIsRefused) {
  EXPECT_THAT(refusal("topk:k=0"), HasSubstr("k must be a whole number from 1"));
  EXPECT_THAT(refusal("topk:0"), HasSubstr("fraction must be a number from"));
  EXPECT_THAT(refusal("topk:1.5"), HasSubstr("not '1.5'"));
  EXPECT_THAT(refusal("topk:-0.1"), HasSubstr("not '-0.1'"));
  EXPECT_THAT(refusal("topk:nan"), HasSubstr("not 'nan'"));
  EXPECT_THAT(refusal("topk:k=1001"), HasSubstr("k = 1001 exceeds the vector's 1000 elements"));
  EXPECT_THAT(refusal("randk:k=1001"), HasSubstr("exceeds"));
  EXPECT_THAT(refusal("topk"), HasSubstr("needs how many entries to keep"));
  EXPECT_THAT(refusal("topk:0.1,k=3"), HasSubstr("needs how many entries to keep"));
  EXPECT_THAT(refusal("topk:k=3,k=4"), HasSubstr("given twice"));
}

TEST(CompressorSpec, ALargeKMeansAllOfASmallBlock) {
  EXPECT_EQ(refusal("layerwise:topk:k=1001"), "(accepted)");
}

TEST(CompressorSpec, ImpossibleBitsAreRefused) {
  for (const char* spec : {"qsgd:1", "qsgd:0", "qsgd:17", "qsgd:-4", "qsgd:4.5", "minmax:0",
                           "minmax:17", "minmax:x"}) {
    EXPECT_THAT(refusal(spec), HasSubstr("bits per entry")) << spec;
  }
  EXPECT_THAT(refusal("qsgd:s=0"), HasSubstr("s must be a whole number from 1"));
  EXPECT_THAT(refusal("qsgd:s=40000"), HasSubstr("to 32767"));
  EXPECT_THAT(refusal("qsgd:4,s=7"), HasSubstr("qsgd needs bits per entry"));
  EXPECT_THAT(refusal("minmax"), HasSubstr("as in minmax:8"));
}

TEST(CompressorSpec, AnUnscaledCompositionThatIsNoContractionIsRefused) {
  // beta = min(100/9, 10/3) >= 1: a relative error of 1.57 (docs/golden_numbers.md).
  EXPECT_THAT(refusal("topk:k=100+qsgd:s=3,unscaled"), HasSubstr("not a contraction"));
  EXPECT_EQ(refusal("topk:k=100+qsgd:s=3"), "(accepted)");
  EXPECT_EQ(refusal("topk:k=100+qsgd:s=127,unscaled"), "(accepted)");
}

TEST(CompressorSpec, AnUnbiasedChoiceNeedsAnUnbiasedOperatorBehindIt) {
  EXPECT_THAT(refusal("randk:0.1,unbiased+qsgd:4"),
              HasSubstr("needs an unbiased operator behind it"));
  EXPECT_THAT(refusal("randk:0.1,unbiased+sign"),
              HasSubstr("needs an unbiased operator behind it"));
}

TEST(CompressorSpec, TheOrderOfACompositionIsExplained) {
  EXPECT_THAT(refusal("qsgd:4+topk:0.01"), HasSubstr("only topk and randk stand before a '+'"));
  EXPECT_THAT(refusal("topk:0.1+randk:0.1"), HasSubstr("'randk' chooses entries"));
  EXPECT_THAT(refusal("topk:0.1+"), HasSubstr("unknown compressor ''"));
}

TEST(CompressorSpec, LayerwiseNeedsAnOperator) {
  EXPECT_THAT(refusal("layerwise"), HasSubstr("as in layerwise:topk:0.01"));
  EXPECT_THAT(refusal("layerwise:"), HasSubstr("as in layerwise:topk:0.01"));
  EXPECT_THAT(refusal("layerwise:layerwise:sign"), HasSubstr("no further blocks"));
  EXPECT_THAT(refusal("layerwise,dens1d:sign"), HasSubstr("did you mean 'dense1d'"));
  EXPECT_THAT(refusal("layerwise:qsgd:1"), HasSubstr("block 'x': qsgd"));
}

TEST(CompressorSpec, AVectorBeyondTheIndexRangeIsRefused) {
  EXPECT_THAT(refusal("sign", std::size_t{1} << 32), HasSubstr("too long to compress"));
}

TEST(Compressor, AVectorOfAnotherSizeIsAContractViolation) {
  const auto compressor = make("sign", 10);
  Scratch scratch;
  ByteWriter out;
  const std::vector<float> x(11, 0.0f);
  EXPECT_THROW(compressor->encode(view(x), key_of(0), scratch, out), ContractViolation);
}

}  // namespace
}  // namespace gossamer
