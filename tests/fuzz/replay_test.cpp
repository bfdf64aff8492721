// Every input that fuzzing found worth keeping, again: under the sanitizers, and without clang.

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <vector>

#include "tests/fuzz/fuzz_targets.hpp"
#include <gtest/gtest.h>

namespace gossamer {
namespace {

std::vector<std::uint8_t> contents(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void replay(const std::string& name, const std::function<void(ByteView)>& target) {
  const std::filesystem::path folder =
      std::filesystem::path(GOSSAMER_SOURCE_DIR) / "tests/fuzz/corpus" / name;
  int inputs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    SCOPED_TRACE(entry.path().filename().string());
    EXPECT_NO_THROW(target(contents(entry.path())));
    ++inputs;
  }
  EXPECT_GT(inputs, 0);
}

TEST(FuzzCorpus, DecodersBearEveryInput) {
  replay("decoders", testing::fuzz_decoders);
}

TEST(FuzzCorpus, FrameParserBearsEveryInput) {
  replay("frame", testing::fuzz_frame);
}

TEST(FuzzCorpus, StreamOfFramesBearsEveryInput) {
  replay("stream", testing::fuzz_stream);
}

TEST(FuzzCorpus, SpecParserBearsEveryInput) {
  replay("specs", testing::fuzz_specs);
}

}  // namespace
}  // namespace gossamer
