// docs/events.md says what a file of events has.

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/events/made_events.hpp"
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gossamer/events/event_json.hpp"

namespace gossamer::testing {
namespace {

using ::testing::HasSubstr;

std::vector<std::string> lines_that_begin_with(std::string_view beginning) {
  std::ifstream page(GOSSAMER_SOURCE_DIR "/docs/events.md");
  std::vector<std::string> lines;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with(beginning)) lines.push_back(line);
  }
  return lines;
}

TEST(EventsPage, HasALineOfEachKind) {
  std::vector<std::string> lines;
  for (const Event& event : made_events())
    lines.push_back(to_json(event));
  EXPECT_EQ(lines_that_begin_with("{\"event\":"), lines);
}

TEST(EventsPage, HasARowOfEachKindWithAllItsKeys) {
  const std::vector<std::string> head = {"event", "node", "round", "seconds"};
  for (const Event& event : made_events()) {
    const auto rows = lines_that_begin_with(fmt::format("| `{}` |", name_of(event.kind())));
    // `round` is also one of the keys that all have.
    ASSERT_FALSE(rows.empty()) << name_of(event.kind());
    const auto fields = nlohmann::json::parse(to_json(event));
    for (const auto& [key, value] : fields.items()) {
      if (std::ranges::count(head, key) > 0) continue;
      EXPECT_THAT(rows.back(), HasSubstr(fmt::format("`{}`", key)));
    }
  }
}

}  // namespace
}  // namespace gossamer::testing
