#include "gossamer/math/kernels/random_words.hpp"

#include "tests/math/kernels.hpp"

#include "gossamer/base/contract.hpp"

namespace gossamer {
namespace {

using namespace gossamer::testing;

// The plain twin, from the definition in the header.
std::uint32_t word(std::uint64_t stream, std::uint64_t j) {
  const std::uint64_t block = 8 * (j / 32) + j % 8;
  const PhiloxBlock words = philox4x32(
      {static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32), 0, 0}, stream);
  return words[j / 8 % 4];
}

TEST(RandomWords, EqualTheirTwinOnEveryInstructionSet) {
  for (const std::size_t length : kLengths) {
    for (const std::uint64_t first :
         {std::uint64_t{0}, std::uint64_t{32}, std::uint64_t{1} << 34}) {
      std::vector<std::uint32_t> expected(length);
      for (std::size_t i = 0; i < length; ++i)
        expected[i] = word(0x123456789ABCDEF0ull, first + i);
      on_every_instruction_set([&] {
        std::vector<std::uint32_t> words(length + 1, 77);
        fill_random_words(0x123456789ABCDEF0ull, first, std::span(words).first(length));
        EXPECT_EQ(words.back(), 77u) << "wrote beyond the end";
        words.pop_back();
        EXPECT_EQ(words, expected);
      });
    }
  }
}

TEST(RandomWords, StartAtATile) {
  std::vector<std::uint32_t> words(4);
  EXPECT_THROW(fill_random_words(1, 8, words), ContractViolation);
}

}  // namespace
}  // namespace gossamer
