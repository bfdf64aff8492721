// Whatever arrives: bytes that no honest peer sends are refused, nothing crashes, and the
// receiver's vector is as before.

#include "tests/compress/operators.hpp"
#include <gtest/gtest.h>

#include "gossamer/base/result.hpp"

namespace gossamer {
namespace {

using namespace gossamer::testing;

class CorruptMessageLaw : public ::testing::TestWithParam<std::string> {};

// True if the message was refused. A refused message must not have touched y.
bool refused(const Compressor& compressor, const std::vector<std::uint8_t>& message) {
  const std::vector<float> before(compressor.size(), 1.5f);
  std::vector<float> y = before;
  try {
    add(compressor, message, 1.0f, y);
  } catch (const CorruptMessage& error) {
    EXPECT_EQ(y, before);
    EXPECT_STRNE(error.what(), "");
    return true;
  }
  return false;
}

TEST_P(CorruptMessageLaw, EveryTruncationIsRefused) {
  for (const std::size_t size : {1, 17, 200}) {
    const auto compressor = make(GetParam(), static_cast<std::size_t>(size));
    std::vector<std::uint8_t> message = encode(*compressor, normal_vector(size, 1), key_of(1));
    while (!message.empty()) {
      message.pop_back();
      EXPECT_TRUE(refused(*compressor, message)) << message.size() << " bytes";
    }
  }
}

TEST_P(CorruptMessageLaw, ALongerMessageIsRefused) {
  for (const std::size_t size : kSizes) {
    const auto compressor = make(GetParam(), size);
    std::vector<std::uint8_t> message = encode(*compressor, normal_vector(size, 1), key_of(1));
    message.push_back(0);
    EXPECT_TRUE(refused(*compressor, message)) << size << " elements";
  }
}

TEST_P(CorruptMessageLaw, EveryFlippedBitIsRefusedOrDecodes) {
  const auto compressor = make(GetParam(), 100);
  const std::vector<std::uint8_t> message = encode(*compressor, normal_vector(100, 1), key_of(1));
  for (std::size_t bit = 0; bit < message.size() * 8; ++bit) {
    std::vector<std::uint8_t> flipped = message;
    flipped[bit / 8] = static_cast<std::uint8_t>(flipped[bit / 8] ^ 1u << bit % 8);
    (void)refused(*compressor, flipped);
  }
}

TEST_P(CorruptMessageLaw, GarbageIsRefusedOrDecodes) {
  for (const std::size_t size : kSizes) {
    const auto compressor = make(GetParam(), size);
    Rng rng(RngKey{.seed = size});
    for (int attempt = 0; attempt < 50; ++attempt) {
      std::vector<std::uint8_t> garbage(compressor->encoded_size(key_of(1)));
      for (std::uint8_t& byte : garbage)
        byte = static_cast<std::uint8_t>(rng.next_u32());
      (void)refused(*compressor, garbage);
    }
  }
}

TEST_P(CorruptMessageLaw, ANonFiniteFieldIsRefused) {
  const auto compressor = make(GetParam(), 100);
  std::vector<std::uint8_t> message = encode(*compressor, normal_vector(100, 1), key_of(1));
  // All ones is a NaN wherever a float is read, an index beyond the end, or a full bit field: only
  // a message of pure bit fields, or of a random stream, can bear that.
  std::fill(message.begin(), message.end(), std::uint8_t{0xFF});
  EXPECT_TRUE(refused(*compressor, message));
}

INSTANTIATE_TEST_SUITE_P(Registry, CorruptMessageLaw, ::testing::ValuesIn(operator_specs()),
                         test_name);

}  // namespace
}  // namespace gossamer
