// Schedules as text: what is printed is read again, and what cannot be read gets a sentence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/hunt/random_faults.hpp"

namespace gossamer {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string refusal_of(std::string_view text) {
  const Result<Hunt> hunt = read_hunt(text);
  return hunt ? "" : hunt.error().message;
}

TEST(HuntText, IsReadAsItWasWritten) {
  const std::vector<Family> all = read_families("all").value();
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Hunt hunt = random_hunt(seed, {"some:option", "other"}, all);
    const Hunt read = read_hunt(text_of(hunt)).value();
    EXPECT_EQ(read.faults, hunt.faults);
    EXPECT_EQ(text_of(read), text_of(hunt));
  }
}

TEST(HuntText, HasACommentAndDefaults) {
  const Hunt hunt = read_hunt("# of seed 7\n\nnodes 4\n1.5 kill 3  # the last\n").value();
  EXPECT_EQ(hunt.nodes, 4u);
  EXPECT_EQ(hunt.mended_at, std::nullopt);
  ASSERT_EQ(hunt.faults.size(), 1u);
  EXPECT_EQ(text_of(hunt.faults.front()), "1.500 kill 3");
}

TEST(HuntText, RefusesWhatItCannotRead) {
  EXPECT_THAT(refusal_of("1 kil 3"), HasSubstr("did you mean 'kill'?"));
  EXPECT_THAT(refusal_of("1 kill"), HasSubstr("is no fault"));
  EXPECT_THAT(refusal_of("1 cut 2"), HasSubstr("is no fault"));
  EXPECT_THAT(refusal_of("soon kill 3"), HasSubstr("'soon' is no number"));
  EXPECT_THAT(refusal_of("nodes many"), HasSubstr("no value of 'nodes'"));
  EXPECT_THAT(refusal_of("nodes 3\n1 kill 3"), HasSubstr("the nodes are 0 to 2"));
  EXPECT_THAT(refusal_of("nodes 0"), HasSubstr("at least one node"));
}

TEST(Families, AreNamed) {
  EXPECT_THAT(read_families("kills,cuts").value(), ElementsAre(Family::kKills, Family::kCuts));
  EXPECT_EQ(read_families("all").value().size(), families().size());
  EXPECT_LT(read_families("").value().size(), families().size());
  EXPECT_THAT(read_families("kils").error().message, HasSubstr("did you mean 'kills'?"));
  EXPECT_FALSE(read_families(","));
}

}  // namespace
}  // namespace gossamer
