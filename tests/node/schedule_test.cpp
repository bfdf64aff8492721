#include "gossamer/node/schedule.hpp"

#include <cmath>
#include <limits>
#include <map>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer {
namespace {

using ::testing::HasSubstr;

Schedule schedule(const char* spec, std::optional<double> lr = std::nullopt, Round rounds = 100) {
  return make_schedule(spec, lr, rounds).value();
}

std::string refusal_of_schedule(const char* spec, std::optional<double> lr = std::nullopt,
                                Round rounds = 100) {
  const Result<Schedule> made = make_schedule(spec, lr, rounds);
  return made ? "" : made.error().message;
}

TEST(Schedule, OfAConstantIsTheLearningRate) {
  EXPECT_EQ(schedule("constant", 0.25).at(0), 0.25);
  EXPECT_EQ(schedule("constant", 0.25).at(1000000), 0.25);
  EXPECT_EQ(schedule("constant").at(7), 0.1);
  EXPECT_EQ(schedule("constant", 0.0).at(7), 0.0);
}

TEST(Schedule, StepsDownAtTheRoundsListed) {
  const Schedule steps = schedule("step:at=150/225,factor=0.5", 1.0);
  EXPECT_EQ(steps.at(0), 1.0);
  EXPECT_EQ(steps.at(149), 1.0);
  EXPECT_EQ(steps.at(150), 0.5);
  EXPECT_EQ(steps.at(224), 0.5);
  EXPECT_EQ(steps.at(225), 0.25);
  EXPECT_EQ(steps.at(100000), 0.25);
  EXPECT_EQ(schedule("step:at=3", 1.0).at(3), 0.1);
}

TEST(Schedule, FollowsHalfACosineWave) {
  // A few roundings of numbers up to 2.
  constexpr double kClose = 1e-15;
  const Schedule cosine = schedule("cosine", 2.0, 100);
  EXPECT_NEAR(cosine.at(0), 2.0, kClose);
  EXPECT_NEAR(cosine.at(50), 1.0, kClose);
  EXPECT_NEAR(cosine.at(25), 1.0 + std::sqrt(0.5), kClose);
  EXPECT_NEAR(cosine.at(100), 0.0, kClose);
  EXPECT_EQ(cosine.at(100), cosine.at(1000));
  EXPECT_GE(cosine.at(100), 0.0);
  EXPECT_NEAR(schedule("cosine:end=0.25", 2.0, 100).at(100), 0.5, kClose);
  EXPECT_NEAR(schedule("cosine:end=0.25", 2.0, 100).at(50), 1.25, kClose);
}

TEST(Schedule, FallsWithTheInverseOfTime) {
  EXPECT_EQ(schedule("inverse:a=400,b=200").at(0), 2.0);
  EXPECT_EQ(schedule("inverse:a=400,b=200").at(200), 1.0);
  EXPECT_EQ(schedule("inverse:b=200", 0.5).at(0), 0.5);
  EXPECT_EQ(schedule("inverse:b=200", 0.5).at(600), 0.125);
  EXPECT_EQ(schedule("inverse:b=1").at(0), 0.1);
}

TEST(Schedule, WarmsUpInEqualStepsToTheWholeOfIt) {
  const Schedule warm = schedule("constant:warmup=4", 1.0);
  EXPECT_EQ(warm.at(0), 0.25);
  EXPECT_EQ(warm.at(1), 0.5);
  EXPECT_EQ(warm.at(3), 1.0);
  EXPECT_EQ(warm.at(4), 1.0);
  EXPECT_EQ(schedule("constant:warmup=0", 1.0).at(0), 1.0);
  EXPECT_EQ(schedule("constant:warmup=1", 1.0).at(0), 1.0);
}

TEST(Schedule, WarmsUpWithoutShiftingTheFormBehind) {
  for (const char* form : {"step:at=1/3", "cosine:end=0.1", "inverse:b=8"}) {
    SCOPED_TRACE(form);
    const Schedule cold = schedule(form, 1.0);
    const Schedule warm = schedule((std::string(form) + ",warmup=2").c_str(), 1.0);
    EXPECT_EQ(warm.at(0), cold.at(0) / 2);
    EXPECT_EQ(warm.at(1), cold.at(1));
    EXPECT_EQ(warm.at(5), cold.at(5));
  }
}

TEST(MakeSchedule, RefusesWithASentence) {
  const std::map<const char*, const char*> refusals = {
      {"cosin",
       "unknown schedule 'cosin'; did you mean 'cosine'? Valid: constant, step, cosine, inverse"},
      {"constant:", "nothing follows the colon of 'constant:'"},
      {"constant:end=0", "unknown option of constant 'end='; valid: warmup="},
      {"constant:warmup=-1", "constant: warmup must be a whole number from 0 to 4294967295"},
      {"step", "step needs the rounds at which it changes, as in step:at=150/225"},
      {"step:at=", "step: nothing follows 'at='"},
      {"step:at=150/", "step: at= holds whole numbers of rounds with '/' between them, not ''"},
      {"step:at=15O", "step: at= holds whole numbers of rounds with '/' between them, not '15O'"},
      {"step:at=5/5", "step: the rounds of at= must grow: 5 follows 5"},
      {"step:at=5,factor=2", "step: factor must be a number from 0 to 1, not '2'"},
      {"step:at=5,facto=0.1", "did you mean 'factor='?"},
      {"cosine:end=2", "cosine: end must be a number from 0 to 1, not '2'"},
      {"inverse", "inverse needs b=, as in inverse:b=200"},
      {"inverse:a=400", "inverse needs b=, as in inverse:b=200"},
      {"inverse:b=0", "inverse: b must be above 0: the first step would be infinite"},
      {"inverse:b=x", "inverse: b must be a number from 0 to 1000000000000, not 'x'"},
  };
  for (const auto& [spec, sentence] : refusals)
    EXPECT_THAT(refusal_of_schedule(spec), HasSubstr(sentence)) << spec;
}

TEST(MakeSchedule, RefusesALearningRateBesideA) {
  EXPECT_EQ(refusal_of_schedule("inverse:a=400,b=200", 0.1),
            "inverse: a= is the size of the steps itself, so a learning rate cannot be given "
            "beside it; leave out one of the two");
}

TEST(MakeSchedule, RefusesACosineOverNoRounds) {
  EXPECT_EQ(refusal_of_schedule("cosine", 0.1, 0),
            "cosine needs to know how many rounds there will be: there are none");
}

TEST(MakeSchedule, RefusesLearningRatesThatAreNone) {
  for (const double bad : {-0.1, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_THAT(refusal_of_schedule("constant", bad),
                HasSubstr("the learning rate must be a finite number from 0 on"));
  }
}

}  // namespace
}  // namespace gossamer
