// Who comes first, who is tried out, and what is recommended.

#include "gossamer/plan/recommendation.hpp"

#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer {
namespace {

using ::testing::ElementsAre;
using Source = RoundsToTarget::Source;

Prospect prospect(std::string_view method, double seconds, std::optional<double> gap = {}) {
  Prospect made;
  made.forecast.candidate.method = parse_methods(method).value().front();
  made.forecast.round.seconds = seconds;
  made.forecast.spectral_gap = gap;
  return made;
}

Prospect tried(std::string_view method, double seconds, double rounds) {
  Prospect made = prospect(method, seconds);
  made.pilot.emplace();
  if (rounds > 0) made.pilot->to_target = {Source::kSeen, rounds};
  return made;
}

std::vector<std::string> methods_of(const std::vector<Prospect>& prospects) {
  std::vector<std::string> methods;
  for (const Prospect& one : prospects)
    methods.push_back(one.method().text());
  return methods;
}

TEST(Rank, WithoutPilotsGoesByRounds) {
  std::vector<Prospect> prospects = {prospect("dpsgd", 3), prospect("allreduce", 2),
                                     prospect("choco/sign", 1)};
  rank(prospects);
  EXPECT_THAT(methods_of(prospects), ElementsAre("choco/sign", "allreduce", "dpsgd"));
}

TEST(Rank, WithPilotsGoesByTheWholeRun) {
  std::vector<Prospect> prospects = {prospect("choco/qsgd:4", 0.5), tried("choco/sign", 1, 0),
                                     tried("local-sgd*8", 1, 100), tried("allreduce", 2, 20)};
  rank(prospects);
  EXPECT_THAT(methods_of(prospects),
              ElementsAre("allreduce", "local-sgd*8", "choco/sign", "choco/qsgd:4"))
      << "40 s, 100 s, never, not tried";
}

TEST(ChoosePilots, TakesEachMethodOnceAndTheFastestDense) {
  std::vector<Prospect> prospects = {prospect("local-sgd*8", 1),     prospect("choco/sign", 2, 0.2),
                                     prospect("choco/sign", 3, 0.5), prospect("choco/qsgd:4", 4),
                                     prospect("dpsgd", 5, 0.2),      prospect("allreduce", 6)};
  EXPECT_THAT(choose_pilots(prospects, 2), ElementsAre(0, 1, 4)) << "local-sgd is no standard";
  EXPECT_THAT(choose_pilots(prospects, 3), ElementsAre(0, 1, 3, 4));
  EXPECT_THAT(choose_pilots(prospects, 9), ElementsAre(0, 1, 3, 4, 5));
}

TEST(Recommend, CompressionWhereItsRoundsAreMuchShorter) {
  const std::vector<Prospect> prospects = {prospect("choco/sign", 1), prospect("dpsgd", 3),
                                           prospect("allreduce", 4)};
  const Recommendation found = recommend(prospects);
  EXPECT_EQ(found.best, &prospects[0]);
  EXPECT_EQ(found.dense, &prospects[1]);
  EXPECT_EQ(found.gain, 3);
  EXPECT_TRUE(found.compression_pays());
}

TEST(Recommend, NoCompressionWhereItSavesLittle) {
  const std::vector<Prospect> prospects = {prospect("choco/sign", 1), prospect("dpsgd", 1.09)};
  const Recommendation found = recommend(prospects);
  EXPECT_EQ(found.best, &prospects[1]);
  EXPECT_FALSE(found.compression_pays());
}

TEST(Recommend, RoundsThatMeanLessOnlyIfThereAreNoOthers) {
  const std::vector<Prospect> prospects = {prospect("qsparse/topk:0.01*8", 1),
                                           prospect("local-sgd*8", 2), prospect("allreduce", 9)};
  EXPECT_EQ(recommend(prospects).best, &prospects[2]);
  const std::vector<Prospect> local(prospects.begin(), prospects.begin() + 2);
  EXPECT_EQ(recommend(local).best, &local[0]);
}

TEST(Recommend, OfRoundsThatTakeAboutAsLongTheBestMixed) {
  const std::vector<Prospect> prospects = {
      prospect("choco/sign", 1.00, 0.2), prospect("choco/sign", 1.02, 0.5),
      prospect("choco/qsgd:4", 1.04, 0.4), prospect("choco/sign", 1.06, 0.9), prospect("dpsgd", 9)};
  EXPECT_EQ(recommend(prospects).best, &prospects[1]);
}

TEST(Recommend, WhoUsesNoGraphMixesBest) {
  const std::vector<Prospect> prospects = {prospect("dpsgd", 1.00, 0.2),
                                           prospect("allreduce", 1.01)};
  EXPECT_EQ(recommend(prospects).best, &prospects[1]);
}

TEST(Recommend, WhatTheoryWarnsOfOnlyIfThereIsNothingElse) {
  std::vector<Prospect> prospects = {prospect("ecd/qsgd:4", 1), prospect("dpsgd", 5)};
  prospects[0].forecast.warnings = {"it is known to fail"};
  EXPECT_EQ(recommend(prospects).best, &prospects[1]);
  prospects.pop_back();
  EXPECT_EQ(recommend(prospects).best, &prospects[0]);
}

TEST(Recommend, WithPilotsTheShortestRunWhateverItsRounds) {
  std::vector<Prospect> prospects = {tried("choco/sign", 1, 100), tried("dpsgd", 3, 35),
                                     tried("local-sgd*8", 0.5, 300)};
  rank(prospects);
  const Recommendation found = recommend(prospects);
  EXPECT_EQ(found.best->method().text(), "choco/sign");
  EXPECT_FALSE(found.compression_pays()) << "100 s or 105 s";
  EXPECT_EQ(found.dense->method().text(), "dpsgd");
}

TEST(Recommend, NobodyWhereNoPilotGetsThere) {
  const std::vector<Prospect> prospects = {tried("choco/sign", 1, 0), prospect("dpsgd", 3)};
  EXPECT_EQ(recommend(prospects).best, nullptr);
}

}  // namespace
}  // namespace gossamer
