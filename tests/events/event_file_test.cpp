#include "gossamer/events/event_file.hpp"

#include <fstream>
#include <string>
#include <vector>

#include "tests/events/made_events.hpp"
#include "tests/support/temporary_folder.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/events/event_json.hpp"
#include "gossamer/events/event_queue.hpp"

namespace gossamer::testing {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);)
    lines.push_back(line);
  return lines;
}

const Event kBack = at_node_2(PeerBack{3});
const Event kEnd = at_node_2(Ended{"finished"});

TEST(EventFile, HasALineForEachEventAsTheyCome) {
  const TemporaryFolder folder;
  const std::string path = folder.path("events.jsonl");
  const auto file = EventFile::open(path);
  ASSERT_TRUE(file);
  EventQueue queue({file.value().get()});
  queue.take(kBack);
  queue.drain();
  EXPECT_THAT(lines_of(path), ElementsAre(to_json(kBack))) << "while the run goes on";
  queue.take(kEnd);
  queue.drain();
  EXPECT_THAT(lines_of(path), ElementsAre(to_json(kBack), to_json(kEnd)));
}

TEST(EventFile, GoesOnBehindWhatItHas) {
  const TemporaryFolder folder;
  const std::string path = folder.path("events.jsonl");
  for (const Event& event : {kBack, kEnd}) {
    const auto file = EventFile::open(path);
    file.value()->take(event);
  }
  EXPECT_THAT(lines_of(path), ElementsAre(to_json(kBack), to_json(kEnd)));
}

TEST(EventFile, BeginsALineOfItsOwnBehindOneThatWasCut) {
  const TemporaryFolder folder;
  const std::string path = folder.path("events.jsonl");
  std::ofstream(path) << R"({"event":"peer-b)";
  EventFile::open(path).value()->take(kEnd);
  EXPECT_THAT(lines_of(path), ElementsAre(R"({"event":"peer-b)", to_json(kEnd)));
}

TEST(EventFile, WantsAllButRoundsAndSpansUnlessItIsTold) {
  const TemporaryFolder folder;
  const auto usual = EventFile::open(folder.path("usual")).value();
  const auto all = EventFile::open(folder.path("all"), EventKinds::all()).value();
  for (std::size_t i = 0; i < kEventKindCount; ++i) {
    const auto kind = static_cast<EventKind>(i);
    EXPECT_EQ(usual->wants(kind), kind != EventKind::kRoundDone && kind != EventKind::kSpans);
    EXPECT_TRUE(all->wants(kind));
  }
}

TEST(EventFile, ThatCannotBeWrittenIsToldBeforeTheRun) {
  const auto file = EventFile::open("/no/such/folder/events.jsonl");
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().message, "cannot write '/no/such/folder/events.jsonl'");
}

TEST(EventFile, ThatTakesNoMoreIsToldOnce) {
  const auto file = EventFile::open("/dev/full");
  ASSERT_TRUE(file);
  EventQueue queue({file.value().get()});
  for (int i = 0; i < 3; ++i) {
    queue.take(kBack);
    queue.drain();
  }
  EXPECT_THAT(queue.errors(), ElementsAre("cannot write '/dev/full'"));
}

}  // namespace
}  // namespace gossamer::testing
