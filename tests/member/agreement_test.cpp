// Who is part of a run is agreed on: however messages are delayed, lost and repeated, whoever
// proposes what, and whoever starts again, there is one view of each number.

#include "gossamer/member/views/agreement.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace gossamer {
namespace {

/// Processes that agree with each other over a network that loses, delays and reorders.
class Voters {
 public:
  Voters(NodeId nodes, OnPartition on_partition, unsigned seed)
      : nodes_(nodes), on_partition_(on_partition), random_(seed) {
    for (NodeId id = 0; id < nodes; ++id)
      start(id);
  }

  /// Delivers, loses, proposes and starts again, at random.
  void live(int steps, bool restarts) {
    for (int step = 0; step < steps; ++step) {
      const unsigned what = draw(100);
      if (what < 8) {
        propose(draw(nodes_));
      } else if (what < 9 && restarts) {
        start(draw(nodes_));
      } else if (!under_way_.empty()) {
        deliver(draw(static_cast<unsigned>(under_way_.size())), what < 75);
      }
    }
  }

  /// How often two processes that live had different views of one number.
  int splits = 0;

  /// All that were decided, by number.
  std::map<std::uint64_t, std::vector<View>> decided;

 private:
  struct Process {
    std::unique_ptr<Agreement> agreement;
    View view;
    Incarnation incarnation = 0;
  };

  struct Letter {
    NodeId to;
    Rumour rumour;
  };

  unsigned draw(unsigned below) { return static_cast<unsigned>(random_() % below); }

  void start(NodeId id) {
    Process& process = processes_[id];
    process = {};
    process.incarnation = ++lives_;
    process.agreement = std::make_unique<Agreement>(Agreement::Setup{
        .self = id,
        .nodes = nodes_,
        .on_partition = on_partition_,
        .spread = [this, id](RumourKind kind, const auto& fill) { spread(id, kind, fill); },
        .knows_alive = [](NodeId) { return false; },
        .decided = [this, id](const View& view) { adopt(id, view); }});
    process.agreement->live_as(process.incarnation);
  }

  void adopt(NodeId id, const View& view) {
    processes_[id].view = view;
    for (const auto& [other, process] : processes_)
      splits += process.view.number == view.number && process.view != view ? 1 : 0;
    std::vector<View>& known = decided[view.number];
    if (std::ranges::count(known, view) == 0) known.push_back(view);
  }

  void spread(NodeId from, RumourKind kind, const std::function<void(ByteWriter&)>& fill) {
    const Message aside = make_aside(AsideKind::kRumour, [&](ByteWriter& out) {
      out.write(static_cast<std::uint8_t>(kind));
      out.write(from);
      out.write(processes_[from].incarnation);
      out.write(std::uint64_t{1});
      fill(out);
    });
    for (NodeId to = 0; to < nodes_; ++to) {
      if (to == from) continue;
      under_way_.push_back({to, {kind, from, processes_[from].incarnation, from, aside}});
    }
  }

  void deliver(unsigned place, bool arrives) {
    const Letter letter = under_way_[place];
    under_way_[place] = under_way_.back();
    under_way_.pop_back();
    if (arrives) processes_[letter.to].agreement->hear(letter.rumour);
  }

  // The first view is of all; the next ones leave somebody out, or let somebody in.
  void propose(NodeId id) {
    Process& process = processes_[id];
    View wish = process.view.next();
    wish.members = process.view.members;
    if (process.view.number == 0) {
      for (const auto& [node, other] : processes_)
        wish.members[node] = other.incarnation;
    } else if (!process.view.has(id, process.incarnation)) {
      return;
    } else if (draw(2) == 0) {
      wish.members.erase((id + 1 + draw(nodes_ - 1)) % nodes_);
    } else {
      const NodeId other = draw(nodes_);
      wish.members[other] = processes_[other].incarnation;
    }
    process.agreement->propose(wish);
  }

  NodeId nodes_;
  OnPartition on_partition_;
  std::mt19937 random_;
  Incarnation lives_ = 0;
  std::map<NodeId, Process> processes_;
  std::vector<Letter> under_way_;
};

std::size_t most_views_of_a_number(const Voters& voters) {
  std::size_t most = 0;
  for (const auto& [number, views] : voters.decided)
    most = std::max(most, views.size());
  return most;
}

TEST(Agreement, ThereIsOneViewOfEachNumber) {
  std::size_t views = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    Voters voters(3 + seed % 4, OnPartition::kStop, seed);
    voters.live(3000, false);
    ASSERT_LE(most_views_of_a_number(voters), 1u) << "seed " << seed;
    views += voters.decided.size();
  }
  EXPECT_GT(views, 500u) << "they agree on something";
}

TEST(Agreement, WhoStartsAgainHasNoVoteOfItsFormerLife) {
  std::size_t views = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    Voters voters(3 + seed % 4, OnPartition::kStop, seed);
    voters.live(3000, true);
    views += voters.decided.size();
    // What only dead processes had agreed on does not count.
    ASSERT_EQ(voters.splits, 0) << "seed " << seed;
  }
  EXPECT_GT(views, 200u);
}

// The control: where every part may go on, parts do go their own ways.
TEST(Agreement, PartsThatGoOnAgreeOnDifferentViews) {
  std::size_t most = 0;
  for (unsigned seed = 0; seed < 50; ++seed) {
    Voters voters(3 + seed % 4, OnPartition::kGoOn, seed);
    voters.live(3000, false);
    most = std::max(most, most_views_of_a_number(voters));
  }
  EXPECT_GT(most, 1u);
}

TEST(Agreement, AMinorityAgreesOnNothing) {
  std::vector<std::unique_ptr<Agreement>> both;
  View whole;
  whole.number = 1;
  whole.members = {{0, 10}, {1, 11}, {2, 12}, {3, 13}};
  int decided = 0;
  std::vector<std::pair<NodeId, Rumour>> letters;
  for (NodeId id = 0; id < 2; ++id) {
    both.push_back(std::make_unique<Agreement>(Agreement::Setup{
        .self = id,
        .nodes = 4,
        .spread =
            [&letters, id](RumourKind kind, const std::function<void(ByteWriter&)>& fill) {
              const Message aside = make_aside(AsideKind::kRumour, [&](ByteWriter& out) {
                out.write(static_cast<std::uint8_t>(kind));
                out.write(id);
                out.write(Incarnation{10 + id});
                out.write(std::uint64_t{1});
                fill(out);
              });
              letters.emplace_back(1 - id, Rumour{kind, id, Incarnation{10 + id}, id, aside});
            },
        .knows_alive = [](NodeId) { return false; },
        .decided = [&](const View&) { ++decided; }}));
    both[id]->live_as(10 + id);
    both[id]->set_view(whole, {});
  }
  View wish = whole.next();
  wish.members = {{0, 10}, {1, 11}};
  both[0]->propose(wish);
  while (!letters.empty()) {
    const auto [to, rumour] = letters.front();
    letters.erase(letters.begin());
    both[to]->hear(rumour);
  }
  EXPECT_EQ(decided, 0) << "two of four are not more than half";
}

}  // namespace
}  // namespace gossamer
