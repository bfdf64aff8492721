#include "gossamer/learn/text/text_streams.hpp"

#include <numeric>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Tokens 0, 1, 2, ...
std::vector<std::uint32_t> counting(std::size_t count) {
  std::vector<std::uint32_t> tokens(count);
  std::iota(tokens.begin(), tokens.end(), 0u);
  return tokens;
}

struct Window {
  std::vector<std::int64_t> inputs;
  std::vector<std::int64_t> targets;

  bool operator==(const Window&) const = default;
};

Window window_of(const TextStreams& streams, std::uint64_t number) {
  Window window{std::vector<std::int64_t>(streams.window_size(), -1),
                std::vector<std::int64_t>(streams.window_size(), -1)};
  streams.fill(number, window.inputs, window.targets);
  return window;
}

TEST(TextStreams, ReadPiecesOfTheTextSideBySide) {
  const std::vector<std::uint32_t> tokens = counting(14);
  const TextStreams streams = TextStreams::make(tokens, 2, 3).value();
  EXPECT_EQ(streams.windows(), 2u);
  EXPECT_THAT(window_of(streams, 0).inputs, ElementsAre(0, 1, 2, 7, 8, 9));
  EXPECT_THAT(window_of(streams, 0).targets, ElementsAre(1, 2, 3, 8, 9, 10));
  EXPECT_THAT(window_of(streams, 1).inputs, ElementsAre(3, 4, 5, 10, 11, 12));
  EXPECT_THAT(window_of(streams, 1).targets, ElementsAre(4, 5, 6, 11, 12, 13));
}

TEST(TextStreams, BeginAgainAfterTheLastWindow) {
  const std::vector<std::uint32_t> tokens = counting(22);
  const TextStreams streams = TextStreams::make(tokens, 3, 2).value();
  ASSERT_EQ(streams.windows(), 3u);
  for (std::uint64_t number = 0; number < 9; ++number) {
    EXPECT_EQ(window_of(streams, number), window_of(streams, number % 3));
    EXPECT_EQ(streams.is_first(number), number % 3 == 0);
  }
  EXPECT_NE(window_of(streams, 0), window_of(streams, 1));
}

TEST(TextStreams, ContinueFromWindowToWindowWithinAStream) {
  const std::vector<std::uint32_t> tokens = counting(100);
  const TextStreams streams = TextStreams::make(tokens, 4, 5).value();
  for (std::uint64_t number = 1; number < streams.windows(); ++number) {
    for (std::size_t row = 0; row < 4; ++row) {
      EXPECT_EQ(window_of(streams, number).inputs[row * 5],
                window_of(streams, number - 1).targets[row * 5 + 4]);
    }
  }
}

TEST(TextStreams, LeaveOutWhatFillsNoWindow) {
  // Streams of 7 tokens have two windows of 3 and the target of the last; of 9 tokens still two.
  for (const std::size_t count : {14u, 15u, 19u}) {
    const std::vector<std::uint32_t> tokens = counting(count);
    EXPECT_EQ(TextStreams::make(tokens, 2, 3).value().windows(), 2u) << count;
  }
  const std::vector<std::uint32_t> tokens = counting(20);
  EXPECT_EQ(TextStreams::make(tokens, 2, 3).value().windows(), 3u);
}

TEST(TextStreams, SayHowManyTokensTheyNeed) {
  const std::vector<std::uint32_t> tokens = counting(8);
  EXPECT_TRUE(TextStreams::make(tokens, 2, 3).ok());
  EXPECT_EQ(TextStreams::make(std::span(tokens).first(7), 2, 3).error().message,
            "7 tokens are too few: 2 streams of windows of 3 need 8");
  EXPECT_THAT(TextStreams::make({}, 1, 1).error().message, HasSubstr("need 2"));
}

TEST(TextStreams, RefuseNoStreamsAndNoLength) {
  const std::vector<std::uint32_t> tokens = counting(8);
  EXPECT_THAT(TextStreams::make(tokens, 0, 3).error().message, HasSubstr("at least one stream"));
  EXPECT_THAT(TextStreams::make(tokens, 3, 0).error().message, HasSubstr("at least one stream"));
}

TEST(TextStreams, ExpectRoomForOneWindow) {
  const std::vector<std::uint32_t> tokens = counting(8);
  const TextStreams streams = TextStreams::make(tokens, 2, 3).value();
  std::vector<std::int64_t> inputs(6);
  std::vector<std::int64_t> targets(5);
  EXPECT_THROW(streams.fill(0, inputs, targets), ContractViolation);
}

}  // namespace
}  // namespace gossamer
