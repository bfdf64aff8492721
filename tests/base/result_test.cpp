#include "gossamer/base/result.hpp"

#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/base/contract.hpp"

namespace gossamer {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// The sentence of the violation that `act` commits, or nothing.
template <typename Act>
std::string violation(const Act& act) {
  try {
    act();
  } catch (const ContractViolation& error) {
    return error.what();
  }
  return "";
}

TEST(Contract, AKeptPromisePasses) {
  EXPECT_NO_THROW(expects(true, "kept"));
}

TEST(Contract, ABrokenPromiseNamesItselfAndTheCallersPlace) {
  const int line = __LINE__ + 1;
  const std::string sentence = violation([] { expects(false, "the sky is up"); });
  EXPECT_THAT(sentence, AllOf(HasSubstr("the sky is up"), HasSubstr("result_test.cpp"),
                              HasSubstr(fmt::format(":{},", line))));
}

TEST(Result, HoldsAValue) {
  const Result<std::string> result(std::string("seven"));
  EXPECT_TRUE(result.ok());
  EXPECT_TRUE(static_cast<bool>(result));
  EXPECT_EQ(result.value(), "seven");
}

TEST(Result, HoldsAReason) {
  const Result<std::string> result(Error{"no such file"});
  EXPECT_FALSE(result.ok());
  EXPECT_FALSE(static_cast<bool>(result));
  EXPECT_EQ(result.error().message, "no such file");
}

TEST(Result, OfTextTellsAValueFromAReasonWithTheSameWords) {
  EXPECT_TRUE(Result<std::string>(std::string("same")).ok());
  EXPECT_FALSE(Result<std::string>(Error{"same"}).ok());
}

TEST(Result, ReadingTheAbsentSideIsAViolation) {
  Result<int> success(7);
  Result<int> failure(Error{"none"});
  EXPECT_THROW((void)success.error(), ContractViolation);
  EXPECT_THROW((void)failure.value(), ContractViolation);
  EXPECT_THROW((void)std::as_const(failure).value(), ContractViolation);
  EXPECT_THROW((void)std::move(failure).value(), ContractViolation);
}

TEST(Result, GivesAwayAValueThatCannotBeCopied) {
  Result<std::unique_ptr<int>> result(std::make_unique<int>(7));
  *result.value() += 1;
  const std::unique_ptr<int> taken = std::move(result).value();
  EXPECT_EQ(*taken, 8);
}

TEST(Result, WithoutAValueIsSuccessByDefault) {
  const Result<void> success;
  EXPECT_TRUE(success.ok());
  EXPECT_THROW((void)success.error(), ContractViolation);
}

TEST(Result, WithoutAValueHoldsAReason) {
  const Result<void> failure(Error{"refused"});
  EXPECT_FALSE(failure.ok());
  EXPECT_EQ(failure.error().message, "refused");
}

}  // namespace
}  // namespace gossamer
