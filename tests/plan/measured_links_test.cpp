// The network that the doctors of all peers found.

#include "gossamer/plan/measured_links.hpp"

#include <chrono>
#include <fstream>
#include <string>
#include <tuple>
#include <vector>

#include "tests/support/temporary_folder.hpp"
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::StartsWith;

std::string doctor_line(NodeId node, NodeId peer, double round_trip, double rate) {
  return fmt::format(
      R"([{}] {{"node":{},"peer":{},"address":"10.0.0.{}:7700","round_trip_seconds":{},)"
      R"("bytes_per_second":{},"clock_ahead_seconds":-0.001,"version":"0.1.0"}})"
      "\n",
      node, node, peer, peer, round_trip, rate);
}

// Three nodes, 20 ms from each to each and back, at 10 MB/s.
std::string three_nodes() {
  std::string text;
  for (NodeId a = 0; a < 3; ++a) {
    for (NodeId b = 0; b < 3; ++b)
      if (a != b) text += doctor_line(a, b, 0.02, 10e6);
  }
  return text;
}

std::string refused_links(const std::string& text) {
  const auto links = parse_measured_links(text);
  return links ? "" : links.error().message;
}

TEST(MeasuredLinks, ThatAreAllAlikeAreAMachineAndALinkEach) {
  const MeasuredLinks links = parse_measured_links(three_nodes()).value();
  EXPECT_EQ(links.nodes, 3u);
  EXPECT_THAT(links.network.machine_bandwidth,
              ElementsAre(Pair(0, 10e6), Pair(1, 10e6), Pair(2, 10e6)));
  ASSERT_EQ(links.network.links.size(), 3u);
  for (const SimLink& link : links.network.links) {
    EXPECT_EQ(link.latency, 10ms);
    EXPECT_EQ(link.bandwidth, std::nullopt);
  }
}

TEST(MeasuredLinks, PassOverWhatIsNotADoctors) {
  const std::string other = "gossamer: node 1 ended\n{ not json\n[0] {\"round\":3}\n\n";
  EXPECT_EQ(parse_measured_links(other + three_nodes() + other).value().nodes, 3u);
}

TEST(MeasuredLinks, NeedNoEndOfTheLastLine) {
  std::string text = three_nodes();
  text.pop_back();
  EXPECT_TRUE(parse_measured_links(text));
}

// What is measured while others measure can be worse than the truth, never better.
TEST(MeasuredLinks, OfWhatWasMeasuredTwiceTheBetterCounts) {
  const MeasuredLinks links =
      parse_measured_links(three_nodes() + doctor_line(0, 1, 0.01, 5e6) +
                           doctor_line(2, 0, 0.08, 30e6) + doctor_line(1, 2, 0.02, 30e6) +
                           doctor_line(2, 1, 0.02, 20e6))
          .value();
  EXPECT_EQ(links.network.links[0].latency, 5ms) << "of 0 and 1, by 0's last";
  EXPECT_EQ(links.network.links[1].latency, 10ms) << "of 0 and 2";
  // Out of node 2 go 30 MB/s, into it 30 MB/s; out of node 0 10 MB/s; into node 1 20 MB/s.
  EXPECT_THAT(links.network.machine_bandwidth,
              ElementsAre(Pair(0, 10e6), Pair(1, 20e6), Pair(2, 30e6)));
}

TEST(MeasuredLinks, AMachineIsAsFastAsTheSlowerOfItsDirections) {
  std::string text;
  for (NodeId a = 0; a < 3; ++a) {
    for (NodeId b = 0; b < 3; ++b)
      if (a != b) text += doctor_line(a, b, 0.02, a == 2 ? 1e6 : 10e6);
  }
  const MeasuredLinks links = parse_measured_links(text).value();
  EXPECT_THAT(links.network.machine_bandwidth,
              ElementsAre(Pair(0, 10e6), Pair(1, 10e6), Pair(2, 1e6)));
}

TEST(MeasuredLinks, APairThatIsSlowerThanBothItsEndsHasACable) {
  std::string text;
  for (const auto& [a, b, rate] : std::vector<std::tuple<NodeId, NodeId, double>>{
           {0, 1, 10e6}, {1, 0, 10e6}, {0, 2, 10e6}, {2, 0, 10e6}, {1, 2, 4e6}, {2, 1, 3e6}})
    text += doctor_line(a, b, 0.02, rate);
  const MeasuredLinks links = parse_measured_links(text).value();
  EXPECT_EQ(links.network.links[0].bandwidth, std::nullopt);
  EXPECT_EQ(links.network.links[1].bandwidth, std::nullopt);
  EXPECT_EQ(links.network.links[2].bandwidth, 4e6);
}

TEST(MeasuredLinks, CanBeSimulated) {
  const MeasuredLinks links = parse_measured_links(three_nodes()).value();
  const auto ran = run_sim(links.nodes, links.network, [](Network&) {});
  EXPECT_TRUE(ran) << ran.error().message;
}

TEST(MeasuredLinks, AreRefusedWhereThereAreNone) {
  EXPECT_THAT(refused_links(""), StartsWith("it has no links: write it by gossamer launch"));
  EXPECT_THAT(refused_links("hello\n"), StartsWith("it has no links"));
}

TEST(MeasuredLinks, AreRefusedWhereAPeerHadTrouble) {
  const std::string trouble =
      R"([0] {"node":0,"peer":1,"address":"a:1","trouble":"it did not answer for 10s"})";
  EXPECT_EQ(refused_links(trouble),
            "line 1: node 0 could not measure the way to node 1: it did not answer for 10s");
}

TEST(MeasuredLinks, AreRefusedWhereAWayIsMissing) {
  EXPECT_EQ(refused_links(doctor_line(0, 1, 0.02, 1e6)),
            "it has 2 nodes, but not what node 1 measured to node 0: all peers must run doctor at "
            "the same time");
  EXPECT_THAT(refused_links(three_nodes() + doctor_line(0, 3, 0.02, 1e6)),
              StartsWith("it has 4 nodes, but not what node 1 measured to node 3"));
}

TEST(MeasuredLinks, AreRefusedWhereTheyMakeNoSense) {
  EXPECT_THAT(refused_links(doctor_line(1, 1, 0.02, 1e6)),
              StartsWith("line 1: a link has two nodes"));
  EXPECT_THAT(refused_links(doctor_line(0, 4'000'000'000u, 0.02, 1e6)),
              StartsWith("line 1: a link has two nodes"));
  EXPECT_THAT(refused_links(fmt::format("\n{}", doctor_line(0, 1, -1, 1e6))),
              StartsWith("line 2: a link has round_trip_seconds"));
  EXPECT_THAT(refused_links(doctor_line(0, 1, 1e300, 1e6)),
              StartsWith("line 1: a link has round_trip"));
  EXPECT_THAT(refused_links(doctor_line(0, 1, 1, 0)), EndsWith("bytes_per_second above 0"));
  EXPECT_THAT(refused_links(R"({"node":0,"peer":1})"), StartsWith("line 1: a link has round_trip"));
  EXPECT_THAT(refused_links(R"({"node":"zero","peer":1})"),
              StartsWith("line 1: a link has two nodes"));
}

TEST(MeasuredLinks, AreReadFromAFileThatIsNamedInARefusal) {
  const testing::TemporaryFolder folder;
  const std::string path = folder.path("links.jsonl");
  EXPECT_THAT(read_measured_links(path).error().message, HasSubstr(path));
  std::ofstream(path) << "nothing\n";
  EXPECT_THAT(read_measured_links(path).error().message, StartsWith(path + ": it has no links"));
  std::ofstream(path) << three_nodes();
  EXPECT_EQ(read_measured_links(path).value().nodes, 3u);
}

}  // namespace
}  // namespace gossamer
