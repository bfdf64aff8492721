#include "gossamer/settings/method_spec.hpp"

#include <gtest/gtest.h>

namespace gossamer {
namespace {

TEST(MethodSpec, HasAnAlgorithmACompressorStepsAndAGamma) {
  const auto methods =
      parse_methods("allreduce,choco/topk:0.01@0.04,qsparse/topk:0.01+qsgd:4*8,local-sgd*16")
          .value();
  ASSERT_EQ(methods.size(), 4u);
  EXPECT_EQ(methods[0], MethodSpec{.algorithm = "allreduce"});
  EXPECT_EQ(methods[1],
            (MethodSpec{.algorithm = "choco", .compressor = "topk:0.01", .gamma = "0.04"}));
  EXPECT_EQ(methods[2], (MethodSpec{.algorithm = "qsparse",
                                    .compressor = "topk:0.01+qsgd:4",
                                    .gamma = "",
                                    .local_steps = 8}));
  EXPECT_EQ(methods[3].local_steps, 16u);
}

TEST(MethodSpec, OptionsMayHaveCommas) {
  const auto methods = parse_methods("choco/layerwise:topk:0.01,dense1d,dpsgd").value();
  ASSERT_EQ(methods.size(), 2u);
  EXPECT_EQ(methods[0].compressor, "layerwise:topk:0.01,dense1d");
}

TEST(MethodSpec, ItsTextMakesItAgain) {
  for (const char* const text : {"allreduce", "choco/sign@0.4", "qsparse/topk:0.01*8@auto"}) {
    const MethodSpec method = parse_methods(text).value().front();
    EXPECT_EQ(method.text(), text);
  }
}

TEST(MethodSpec, RefusesUnknownAlgorithmsAndStepsThatAreNone) {
  EXPECT_FALSE(parse_methods("chocolate/sign"));
  EXPECT_FALSE(parse_methods("local-sgd*0"));
  EXPECT_FALSE(parse_methods("local-sgd*many"));
}

}  // namespace
}  // namespace gossamer
