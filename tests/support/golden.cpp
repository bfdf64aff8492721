#include "tests/support/golden.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

std::filesystem::path golden_path(std::string_view name) {
  return std::filesystem::path(GOSSAMER_SOURCE_DIR) / "tests" / "golden" / name;
}

std::optional<std::vector<std::uint8_t>> read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::vector<std::uint8_t>(std::istreambuf_iterator<char>(file), {});
}

bool write_file(const std::filesystem::path& path, ByteView bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  return file.good();
}

bool regenerating() {
  // Nobody changes the environment of a test. NOLINTNEXTLINE(concurrency-mt-unsafe)
  const char* const value = std::getenv("GOSSAMER_REGENERATE_GOLDEN");
  return value != nullptr && std::string_view(value) == "1";
}

// Up to 16 bytes around `position`, as a person reads a hex dump.
std::string excerpt(ByteView bytes, std::size_t position) {
  const std::size_t begin = position - std::min<std::size_t>(position, 4);
  const ByteView shown =
      bytes.subspan(begin).first(std::min<std::size_t>(16, bytes.size() - begin));
  std::string text = fmt::format("{:6}:", begin);
  for (const std::uint8_t byte : shown)
    text += fmt::format(" {:02x}", byte);
  return text;
}

std::string how_to_accept(std::string_view name) {
  const auto* const test = ::testing::UnitTest::GetInstance()->current_test_info();
  return fmt::format(
      "If the new bytes are meant to be, run this, look at the change, and commit "
      "tests/golden/{} together with docs/wire_format.md and the version:\n"
      "  GOSSAMER_REGENERATE_GOLDEN=1 ctest --preset dev -R '{}.{}'",
      name, test->test_suite_name(), test->name());
}

}  // namespace

void expect_golden(std::string_view name, ByteView bytes) {
  const std::filesystem::path path = golden_path(name);
  if (regenerating()) {
    if (!write_file(path, bytes)) FAIL() << "cannot write " << path;
    GTEST_SKIP() << "wrote " << bytes.size() << " bytes to " << path;
  }
  const auto golden = read_file(path);
  if (!golden) FAIL() << "there is no " << path << ". " << how_to_accept(name);

  const auto differ = std::ranges::mismatch(bytes, *golden);
  if (differ.in1 == bytes.end() && differ.in2 == golden->end()) return;
  const auto position = static_cast<std::size_t>(differ.in2 - golden->begin());
  ADD_FAILURE()
      << fmt::format(
             "tests/golden/{} ({} bytes) is not what is made now ({} bytes), from byte {} on:\n",
             name, golden->size(), bytes.size(), position)
      << "  golden " << excerpt(*golden, position) << "\n  now    " << excerpt(bytes, position)
      << "\n"
      << how_to_accept(name);
}

}  // namespace gossamer::testing
