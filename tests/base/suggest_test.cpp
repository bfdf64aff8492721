#include "gossamer/base/text/suggest.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> operators() {
  return {"identity", "topk", "randk", "sign"};
}

TEST(EditDistance, CountsLettersToInsertDeleteReplaceOrSwap) {
  EXPECT_EQ(edit_distance("ring", "ring"), 0u);
  EXPECT_EQ(edit_distance("rig", "ring"), 1u);
  EXPECT_EQ(edit_distance("rings", "ring"), 1u);
  EXPECT_EQ(edit_distance("rang", "ring"), 1u);
  EXPECT_EQ(edit_distance("rnig", "ring"), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

TEST(EditDistance, FromNothingIsTheLength) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("", "topk"), 4u);
  EXPECT_EQ(edit_distance("topk", ""), 4u);
}

TEST(EditDistance, IsTheSameBothWays) {
  for (const std::string& a : operators()) {
    for (const std::string& b : operators())
      EXPECT_EQ(edit_distance(a, b), edit_distance(b, a));
  }
}

TEST(UnknownName, SuggestsTheNearestAndListsAll) {
  EXPECT_EQ(unknown_name("compressor", "tokp", operators()),
            "unknown compressor 'tokp'; did you mean 'topk'? Valid: identity, topk, randk, sign");
}

TEST(UnknownName, DoesNotGuessWhenNothingIsNear) {
  const std::string sentence = unknown_name("compressor", "zfp-lossless", operators());
  EXPECT_THAT(sentence, Not(HasSubstr("did you mean")));
  EXPECT_THAT(sentence, HasSubstr("valid: identity, topk, randk, sign"));
}

TEST(UnknownName, SaysSoWhenThereIsNoValidName) {
  EXPECT_EQ(unknown_name("option", "x", {}), "unknown option 'x': there are none");
}

}  // namespace
}  // namespace gossamer
