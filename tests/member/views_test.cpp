// Views, news and rumours: what is told of who is part of a run.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/member/views/edge_news.hpp"
#include "gossamer/member/views/rumours.hpp"
#include "gossamer/member/views/view.hpp"

namespace gossamer {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

View some_view() {
  View view;
  view.number = 7;
  view.members = {{0, 100}, {1, 101}, {2, 102}};
  view.bridged = {3};
  view.settings = 5;
  view.is_start = true;
  view.resumed_from = 40;
  view.history = {1, 2, 3};
  return view;
}

TEST(View, TravelsWhole) {
  ByteWriter out;
  some_view().write(out);
  ByteReader in(out.bytes());
  EXPECT_EQ(View::read(in), some_view());
  in.expect_end();
  for (std::size_t size = 0; size < out.size(); ++size) {
    ByteReader cut(out.bytes().first(size));
    EXPECT_THROW(static_cast<void>(View::read(cut)), CorruptMessage) << size;
  }
}

TEST(View, KnowsWhichOnesItFollows) {
  const View first = some_view();
  View second = first.next();
  second.members = first.members;
  const View third = second.next();
  EXPECT_TRUE(third.follows(first));
  EXPECT_TRUE(third.follows(second));
  EXPECT_FALSE(second.follows(third));
  View other = first.next();
  other.members = {{0, 100}};
  EXPECT_FALSE(third.follows(other)) << "another part went that way";
  EXPECT_TRUE(first.follows(View{})) << "before the first there was nothing";
}

TEST(EdgeNews, AnEdgeIsThereWhenBothEndsSaySo) {
  const View view = some_view();
  EdgeNews news(4);
  news.note(0, {100, true, {{1, {101, 1}}}}, {});
  EXPECT_FALSE(news.has_edge({0, 1}, view)) << "one end alone";
  news.note(1, {101, true, {{0, {100, 2}}}}, {});
  EXPECT_FALSE(news.has_edge({0, 1}, view)) << "another edge of the same two";
  news.note(1, {101, true, {{0, {99, 1}}}}, {});
  EXPECT_FALSE(news.has_edge({0, 1}, view)) << "an edge with an earlier life";
  news.note(1, {101, true, {{0, {100, 1}}}}, {});
  EXPECT_TRUE(news.has_edge({0, 1}, view));
  news.note(0, {100, true, {}}, {});
  EXPECT_FALSE(news.has_edge({0, 1}, view)) << "who gives it up needs nobody's consent";
}

TEST(EdgeNews, ReachesWhatEdgesConnect) {
  const View view = some_view();
  EdgeNews news(4);
  news.note(0, {100, true, {{1, {101, 1}}}}, {});
  news.note(1, {101, true, {{0, {100, 1}}, {2, {102, 1}}}}, {});
  EXPECT_THAT(news.reachable_from(0, view), ElementsAre(true, true, false, false));
  news.note(2, {102, false, {{1, {101, 1}}}}, {});
  EXPECT_THAT(news.reachable_from(0, view), ElementsAre(true, true, true, false));
  EXPECT_FALSE(news.is_running(2, view));
  EXPECT_TRUE(news.is_running(1, view));
}

/// Processes in a row, each with its neighbours as partners.
class Row {
 public:
  explicit Row(NodeId nodes) {
    for (NodeId id = 0; id < nodes; ++id) {
      auto rumours = std::make_unique<Rumours>(
          id, nodes, [this, id](NodeId to, const Message& aside) { send(id, to, aside); });
      std::vector<NodeId> partners;
      if (id > 0) partners.push_back(id - 1);
      if (id + 1 < nodes) partners.push_back(id + 1);
      rumours->set_partners(partners);
      rumours->live_as(100 + id);
      processes.push_back(std::move(rumours));
      heard.emplace_back();
    }
  }

  void deliver_all() {
    while (!letters.empty()) {
      const auto [to, aside] = letters.front();
      letters.erase(letters.begin());
      const std::optional<Rumour> rumour = processes[to]->hear(aside);
      if (rumour) heard[to].push_back(rumour->reader().read<std::uint8_t>());
    }
  }

  void tell(NodeId from, std::uint8_t word) {
    (void)processes[from]->spread(RumourKind::kNews, [&](ByteWriter& out) { out.write(word); });
  }

  std::vector<std::unique_ptr<Rumours>> processes;
  std::vector<std::vector<int>> heard;
  std::vector<std::pair<NodeId, Aside>> letters;

 private:
  void send(NodeId from, NodeId to, const Message& aside) {
    letters.push_back({to, {AsideKind::kRumour, from, 0, aside}});
  }
};

TEST(Rumours, ReachEverybodyOnce) {
  Row row(4);
  row.tell(0, 7);
  row.deliver_all();
  EXPECT_THAT(row.heard[0], IsEmpty());
  for (NodeId id = 1; id < 4; ++id)
    EXPECT_THAT(row.heard[id], ElementsAre(7));
}

TEST(Rumours, OldOnesAreNotHeardAgain) {
  Row row(2);
  row.tell(0, 1);
  const Aside first = row.letters.front().second;
  row.tell(0, 2);
  row.deliver_all();
  row.letters.push_back({1, first});
  row.deliver_all();
  EXPECT_THAT(row.heard[1], ElementsAre(1, 2));
}

TEST(Rumours, AnotherLifeBeginsAnew) {
  Row row(2);
  row.tell(0, 1);
  row.tell(0, 2);
  row.processes[0]->live_as(500);
  row.tell(0, 3);
  row.deliver_all();
  EXPECT_THAT(row.heard[1], ElementsAre(1, 2, 3));
}

TEST(Rumours, OfNobodyAreRefused) {
  Row row(2);
  const Message forged = make_aside(AsideKind::kRumour, [](ByteWriter& out) {
    out.write(std::uint8_t{0});
    out.write(NodeId{9});
    out.write(Incarnation{1});
    out.write(std::uint64_t{1});
  });
  EXPECT_THROW((void)row.processes[1]->hear({AsideKind::kRumour, 0, 0, forged}), CorruptMessage);
}

}  // namespace
}  // namespace gossamer
