// docs/stability.md has numbers that live in the code.

#include <string>

#include "tests/docs/markdown.hpp"
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/network/tls/hello.hpp"
#include "gossamer/version.hpp"
#include "gossamer/wire/frame.hpp"

namespace gossamer::testing {
namespace {

using ::testing::HasSubstr;

TEST(Stability, NamesTheVersionsOfFormats) {
  const std::string page = repository_text("docs/stability.md");
  constexpr const char* kRow = "| {}, [wire_format.md](wire_format.md) | {} |";
  EXPECT_THAT(page, HasSubstr(fmt::format(kRow, "frames between nodes", kFrameVersion)));
  EXPECT_THAT(page, HasSubstr(fmt::format(kRow, "links between peers", tls::kLinkVersion)));
}

TEST(Stability, SaysWhatFindPackageTakes) {
  EXPECT_THAT(repository_text("docs/stability.md"),
              HasSubstr(fmt::format("`find_package(Gossamer {}.{})`", GOSSAMER_VERSION_MAJOR,
                                    GOSSAMER_VERSION_MINOR)));
}

TEST(Version, IsATextOfItsNumbers) {
  EXPECT_EQ(GOSSAMER_VERSION_STRING, fmt::format("{}.{}.{}", GOSSAMER_VERSION_MAJOR,
                                                 GOSSAMER_VERSION_MINOR, GOSSAMER_VERSION_PATCH));
}

}  // namespace
}  // namespace gossamer::testing
