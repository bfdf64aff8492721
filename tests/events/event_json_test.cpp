// Events as lines of a file, and back.

#include "gossamer/events/event_json.hpp"

#include <cmath>
#include <limits>

#include "tests/events/made_events.hpp"
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace gossamer::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string refusal_of_line(const std::string& line) {
  const Result<Event> event = parse_event(line);
  return event ? "not refused" : event.error().message;
}

class EventJson : public ::testing::TestWithParam<Event> {};

TEST_P(EventJson, IsReadAsTheEventThatWasWritten) {
  const std::string line = to_json(GetParam());
  const Result<Event> event = parse_event(line);
  ASSERT_TRUE(event) << event.error().message << "\n" << line;
  EXPECT_EQ(event.value(), GetParam()) << line;
}

TEST_P(EventJson, IsOneLineThatBeginsAlike) {
  const std::string line = to_json(GetParam());
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_THAT(line, StartsWith(fmt::format(R"({{"event":"{}","node":2,"round":1200,"seconds":34.5)",
                                           name_of(GetParam().kind()))));
}

TEST_P(EventJson, WithoutAnyOneOfItsFieldsIsNotTakenForTheSame) {
  const auto whole = nlohmann::ordered_json::parse(to_json(GetParam()));
  for (const auto& [key, value] : whole.items()) {
    nlohmann::ordered_json cut = whole;
    cut.erase(key);
    const Result<Event> event = parse_event(cut.dump());
    // What may be unknown may be left out.
    if (event) {
      EXPECT_NE(event.value(), GetParam()) << key;
    } else {
      EXPECT_THAT(event.error().message, HasSubstr(fmt::format("it has no '{}'", key)));
    }
  }
}

TEST_P(EventJson, CutShortAnywhereIsRefused) {
  const std::string line = to_json(GetParam());
  for (std::size_t length = 0; length < line.size(); ++length)
    EXPECT_FALSE(parse_event(line.substr(0, length))) << length;
}

INSTANTIATE_TEST_SUITE_P(EveryKind, EventJson, ::testing::ValuesIn(made_events()),
                         [](const auto& made) {
                           std::string name(name_of(made.param.kind()));
                           std::erase(name, '-');
                           return name;
                         });

TEST(MadeEvents, AreOneOfEachKind) {
  const std::vector<Event> events = made_events();
  ASSERT_EQ(events.size(), kEventKindCount);
  for (std::size_t i = 0; i < events.size(); ++i)
    EXPECT_EQ(events[i].what.index(), i);
}

TEST(EventJsonLine, KeepsAMeasurementOfTextOfConsensusAndOfLostEdges) {
  Measurement text = made_measurement();
  text.tested = Tested{{1.1, std::nullopt}, 1.3, 1.7, std::nullopt, std::nullopt};
  text.edges = {3, 2, 1};
  Measurement consensus;
  consensus.error = 1e-7;
  consensus.mean_drift = 3e-9;
  for (const Measurement& measurement : {text, consensus, Measurement{}}) {
    const Event event = at_node_2(Measured{measurement});
    EXPECT_EQ(parse_event(to_json(event)).value(), event);
  }
}

TEST(EventJsonLine, LeavesOutWhatIsNotKnown) {
  EXPECT_EQ(to_json(at_node_2(RoundDone{std::nullopt, 7})),
            R"({"event":"round","node":2,"round":1200,"seconds":34.5,"bytes_sent":7})");
  const Event model = at_node_2(Joined{std::nullopt});
  EXPECT_EQ(parse_event(to_json(model)).value(), model);
}

TEST(EventJsonLine, GivesANumberThatIsNoneAsNull) {
  const std::string line =
      to_json(at_node_2(RoundDone{std::numeric_limits<double>::infinity(), 7}));
  EXPECT_THAT(line, HasSubstr(R"("loss":null)"));
  const Event event = parse_event(line).value();
  EXPECT_TRUE(std::isnan(*std::get<RoundDone>(event.what).loss));
}

TEST(EventJsonLine, HoldsWhateverOthersSent) {
  const std::string said = "\x1b[2J\n\"quoted\"\r";
  const Event event = at_node_2(LinkDown{3, said});
  const std::string line = to_json(event);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_EQ(line.find('\x1b'), std::string::npos);
  EXPECT_EQ(parse_event(line).value(), event);
  EXPECT_TRUE(parse_event(to_json(at_node_2(LinkDown{3, "no \xff UTF-8"}))));
}

TEST(EventJsonLine, KeepsEveryNanosecondOfAWeek) {
  const Event event{0, 0, Time(std::chrono::hours(168) + std::chrono::nanoseconds(1)), PeerBack{1}};
  EXPECT_EQ(parse_event(to_json(event)).value(), event);
}

TEST(EventJsonLine, MayHaveFieldsOfALaterVersion) {
  EXPECT_TRUE(parse_event(
      R"({"event":"peer-back","node":2,"round":1,"seconds":1,"peer":3,"mood":"good"})"));
}

TEST(EventJsonLine, IsRefusedWithWhatIsWrong) {
  EXPECT_EQ(refusal_of_line("hello"), "this is no event: it is no JSON");
  EXPECT_EQ(refusal_of_line("[1]"), "this is no event: it is no object");
  EXPECT_EQ(refusal_of_line(R"({"event":"peer-back"})"), "this is no event: it has no 'node'");
  EXPECT_EQ(refusal_of_line(R"({"event":"party","node":0,"round":0,"seconds":0})"),
            "there are no events of the kind 'party'");
  const auto peer_back = [](const std::string& peer) {
    return R"({"event":"peer-back","node":0,"round":0,"seconds":0,"peer":)" + peer + "}";
  };
  for (const char* peer : {"-1", "1.5", "4294967296", "\"1\"", "null"}) {
    EXPECT_EQ(refusal_of_line(peer_back(peer)),
              "this is no peer-back event: its 'peer' is no whole number that fits")
        << peer;
  }
  EXPECT_EQ(refusal_of_line(R"({"event":"peer-back","node":0,"round":0,"seconds":1e300,"peer":1})"),
            "this is no event: its 'seconds' is no time");
  EXPECT_EQ(refusal_of_line(
                R"({"event":"spans","node":0,"round":0,"seconds":0,"spans":[{"phase":"sleep"}]})"),
            "this is no spans event: of its 'spans', its 'phase' is nothing that a node does");
  EXPECT_EQ(refusal_of_line(R"({"event":"measured","node":0,"round":0,"seconds":0,"figures":{}})"),
            "this is no measured event: of its 'figures', it has no 'round'");
}

}  // namespace
}  // namespace gossamer::testing
