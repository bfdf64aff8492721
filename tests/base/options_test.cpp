#include "gossamer/base/text/options.hpp"

#include <optional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer {
namespace {

using ::testing::HasSubstr;
using ::testing::Optional;

// What finish() complains about, or nothing.
std::string mistake(const Options& options) {
  const Result<void> result = options.finish();
  return result.ok() ? "" : result.error().message;
}

TEST(Options, OfNothingAreFine) {
  Options options("topk", "");
  EXPECT_FALSE(options.flag("unbiased"));
  EXPECT_EQ(options.integer("k", 1, 10), std::nullopt);
  EXPECT_EQ(options.positional_number("fraction", 0, 1), std::nullopt);
  EXPECT_EQ(mistake(options), "");
}

TEST(Options, ReadEachKind) {
  Options options("demo", "0.5,k=50,rate=1e-3,unbiased");
  EXPECT_THAT(options.positional_number("fraction", 0, 1), Optional(0.5));
  EXPECT_THAT(options.integer("k", 1, 100), Optional(50u));
  EXPECT_THAT(options.number("rate", 0, 1), Optional(1e-3));
  EXPECT_TRUE(options.flag("unbiased"));
  EXPECT_EQ(mistake(options), "");
  EXPECT_EQ(options.raw(), "0.5,k=50,rate=1e-3,unbiased");
  EXPECT_EQ(options.owner(), "demo");
}

TEST(Options, ReadAPositionalIntegerAndText) {
  Options bits("qsgd", "4,bucket=512");
  EXPECT_THAT(bits.positional_integer("bits", 2, 8), Optional(4u));
  EXPECT_THAT(bits.integer("bucket", 1, 1024), Optional(512u));
  EXPECT_EQ(mistake(bits), "");
  Options shape("torus", "4x8");
  EXPECT_THAT(shape.positional_text(), Optional(std::string("4x8")));
  EXPECT_EQ(mistake(shape), "");
}

TEST(Options, ReadTextBehindAKey) {
  Options options("sgd", "exempt=bn|norm");
  EXPECT_THAT(options.text("exempt"), Optional(std::string("bn|norm")));
  EXPECT_EQ(options.text("other"), std::nullopt);
  EXPECT_EQ(mistake(options), "");
  Options empty("sgd", "exempt=");
  (void)empty.text("exempt");
  EXPECT_EQ(mistake(empty), "sgd: nothing follows 'exempt='");
}

TEST(Options, TakeBothEndsOfARange) {
  for (const char* text : {"k=1", "k=10"}) {
    Options options("topk", text);
    EXPECT_TRUE(options.integer("k", 1, 10).has_value());
    EXPECT_EQ(mistake(options), "");
  }
}

TEST(Options, RefuseIntegersThatAreNotInRangeOrNotIntegers) {
  for (const char* text : {"0", "11", "-1", "+5", "5.0", "5x", " 5", "", "99999999999999999999"}) {
    SCOPED_TRACE(text);
    Options options("topk", std::string("k=") + text);
    EXPECT_EQ(options.integer("k", 1, 10), std::nullopt);
    EXPECT_EQ(mistake(options),
              std::string("topk: k must be a whole number from 1 to 10, not '") + text + "'");
  }
}

TEST(Options, RefuseNumbersThatAreNotInRangeOrNotNumbers) {
  for (const char* text : {"-0.1", "1.01", "nan", "inf", "-inf", "0.5.5", "half", "0x1", "1e999"}) {
    SCOPED_TRACE(text);
    Options options("topk", text);
    EXPECT_EQ(options.positional_number("fraction", 0, 1), std::nullopt);
    EXPECT_EQ(mistake(options),
              std::string("topk: fraction must be a number from 0 to 1, not '") + text + "'");
  }
}

TEST(Options, RefuseAKeyThatNobodyAskedForAndSuggestOneThatWas) {
  Options options("qsgd", "4,buket=512");
  (void)options.positional_integer("bits", 2, 8);
  (void)options.integer("bucket", 1, 1024);
  (void)options.flag("unscaled");
  EXPECT_EQ(mistake(options),
            "unknown option of qsgd 'buket='; did you mean 'bucket='? Valid: bucket=, unscaled");
}

TEST(Options, RefuseAFlagWithAValueAndAKeyWithoutOne) {
  Options valued("randk", "0.1,unbiased=yes");
  (void)valued.positional_number("fraction", 0, 1);
  (void)valued.flag("unbiased");
  EXPECT_THAT(mistake(valued), HasSubstr("did you mean 'unbiased'?"));
  Options bare("qsgd", "4,bucket");
  (void)bare.positional_integer("bits", 2, 8);
  (void)bare.integer("bucket", 1, 1024);
  EXPECT_THAT(mistake(bare), HasSubstr("did you mean 'bucket='?"));
}

TEST(Options, RefuseWhatTheOwnerHasNoUseFor) {
  EXPECT_EQ(mistake(Options("sign", "3")), "sign takes no option '3'");
  EXPECT_EQ(mistake(Options("sign", "k=3")), "sign takes no option 'k='");
}

TEST(Options, RefuseASecondPositionalValue) {
  Options options("topk", "0.1,0.2");
  (void)options.positional_number("fraction", 0, 1);
  EXPECT_EQ(mistake(options), "topk takes no option '0.2'");
}

TEST(Options, RefuseWhatIsGivenTwice) {
  Options keys("topk", "k=1,k=2");
  (void)keys.integer("k", 1, 10);
  EXPECT_EQ(mistake(keys), "topk: 'k=' is given twice");
  Options flags("randk", "unbiased,unbiased");
  (void)flags.flag("unbiased");
  EXPECT_EQ(mistake(flags), "randk: 'unbiased' is given twice");
}

TEST(Options, RefuseEmptyItemsWhereverTheyAre) {
  for (const char* text : {",", ",0.1", "0.1,", "0.1,,unbiased"}) {
    SCOPED_TRACE(text);
    Options options("randk", text);
    (void)options.positional_number("fraction", 0, 1);
    (void)options.flag("unbiased");
    EXPECT_EQ(mistake(options), std::string("'randk:") + text + "' has an empty option");
  }
}

TEST(Options, RefuseAValueWithoutAName) {
  Options options("topk", "=0.1");
  EXPECT_EQ(options.positional_number("fraction", 0, 1), std::nullopt);
  EXPECT_EQ(mistake(options), "'topk:=0.1' has a value without a name before its '='");
}

TEST(Options, KeepAnEqualsSignInsideAValue) {
  Options options("demo", "k=1=2");
  EXPECT_EQ(options.integer("k", 0, 9), std::nullopt);
  EXPECT_THAT(mistake(options), HasSubstr("not '1=2'"));
}

TEST(Options, ReportTheFirstMistakeOnly) {
  Options options("topk", "k=0");
  (void)options.integer("k", 1, 10);
  options.refuse("a later one");
  EXPECT_THAT(mistake(options), HasSubstr("k must be a whole number"));
}

TEST(Options, CarryAMistakeOfTheOwnersOwnFinding) {
  Options options("topk", "");
  options.refuse("topk needs a fraction or k=");
  EXPECT_EQ(mistake(options), "topk needs a fraction or k=");
}

TEST(Options, TakeAFlagForAFlagEvenInFirstPlace) {
  Options options("minmax", "nearest");
  EXPECT_TRUE(options.flag("nearest"));
  EXPECT_EQ(options.positional_integer("bits", 1, 8), std::nullopt);
  EXPECT_EQ(mistake(options), "");
}

TEST(SplitSpec, SplitsAtTheFirstColon) {
  NamedOptions path = split_spec("file:C:/graph");
  EXPECT_EQ(path.name, "file");
  EXPECT_EQ(path.options.raw(), "C:/graph");
  EXPECT_EQ(path.options.owner(), "file");
}

TEST(SplitSpec, TakesANameAlone) {
  NamedOptions spec = split_spec("ring");
  EXPECT_EQ(spec.name, "ring");
  EXPECT_EQ(mistake(spec.options), "");
}

TEST(SplitSpec, RefusesAColonWithNothingBehindIt) {
  EXPECT_EQ(mistake(split_spec("ring:").options), "nothing follows the colon of 'ring:'");
}

TEST(SplitSpec, TakesAnEmptyNameForTheRegistryToRefuse) {
  EXPECT_EQ(split_spec("").name, "");
  EXPECT_EQ(split_spec(":4").name, "");
}

}  // namespace
}  // namespace gossamer
