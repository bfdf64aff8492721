// The program's lines about what happens.

#include "apps/console/event_lines.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>

#include "tests/events/made_events.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/events/sentence.hpp"

namespace gossamer::testing {
namespace {

using ::testing::MatchesRegex;

/// What is printed there.
class Paper {
 public:
  Paper() : file_(std::tmpfile(), &std::fclose) {}

  [[nodiscard]] std::FILE* file() const { return file_.get(); }

  [[nodiscard]] std::string text() const {
    std::rewind(file());
    std::string text;
    for (int c = std::fgetc(file()); c != EOF; c = std::fgetc(file()))
      text += static_cast<char>(c);
    return text;
  }

 private:
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

TEST(EventLines, HaveTheTimeOfDayAndASentence) {
  const Paper paper;
  cli::EventLines(paper.file()).take(at_node_2(PeerBack{3}));
  EXPECT_THAT(paper.text(), MatchesRegex("[0-9][0-9]:[0-9][0-9]:[0-9][0-9] node 3 is back\n"));
}

TEST(EventLines, HaveNoControlCharacterButTheirEnd) {
  const Paper paper;
  const cli::EventLines said(paper.file());
  said.print("\x1b[2J\nnode 3 is fine");
  cli::EventLines(paper.file()).take(at_node_2(LinkDown{3, "\x1b[2J\rit is fine"}));
  const std::string text = paper.text();
  EXPECT_NE(text.find(R"( \x1b[2J\x0anode 3 is fine)"), std::string::npos) << text;
  EXPECT_NE(text.find(R"(is down: \x1b[2J\x0dit is fine)"), std::string::npos) << text;
  EXPECT_EQ(std::ranges::count_if(text, [](char c) { return c < ' ' || c == '\x7f'; }), 2);
}

TEST(EventLines, AreAboutLinksAndEdges) {
  const cli::EventLines lines;
  for (const Event& event : made_events()) {
    const bool is_of_progress =
        event.kind() <= EventKind::kMeasured || event.kind() >= EventKind::kCheckpointSaved;
    EXPECT_EQ(lines.wants(event.kind()), !is_of_progress) << sentence_of(event);
  }
}

}  // namespace
}  // namespace gossamer::testing
