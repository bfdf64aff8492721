// Two ends that both call, in every order in which their words can arrive and connections can
// break: one connection is left, and both have the same one (network/tls/calls.hpp).

#include "gossamer/network/tls/calls.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace gossamer::tls {
namespace {

/// What one would write first: who calls again is right. Here to see that the test notices.
class LastCallCounts : public Calls {
 public:
  using Calls::Calls;

  [[nodiscard]] bool is_fresh(std::uint64_t, std::uint64_t) const { return true; }

  [[nodiscard]] bool awaits_answer(std::uint64_t) const { return false; }
};

/// And second: whoever takes a call gives its own up.
class NobodyWaits : public Calls {
 public:
  using Calls::Calls;

  [[nodiscard]] bool awaits_answer(std::uint64_t) const { return false; }
};

constexpr int kNone = -1;

/// A connection: its caller has said hello. End 1 has the higher id.
struct Connection {
  int caller = 0;
  std::uint64_t call = 0;
  std::uint64_t caller_has_taken = 0;
  bool hello_travels = true;
  bool answer_travels = false;
  std::array<bool, 2> is_open = {true, true};  // at this end
};

template <typename Rule>
struct End {
  Rule calls;
  std::uint64_t made = 0;
  std::uint64_t answered = 0;
  int wire = kNone;
  int pending = kNone;
};

/// Everything that there is, as a value.
template <typename Rule>
struct Model {
  std::array<End<Rule>, 2> ends = {End<Rule>{Rule(false)}, End<Rule>{Rule(true)}};
  std::vector<Connection> connections;
  int cuts_left = 0;

  [[nodiscard]] std::string key() const {
    std::string text = fmt::format("{}", cuts_left);
    for (const End<Rule>& end : ends)
      text += fmt::format("|{} {} {} {} {}", end.made, end.answered, end.wire, end.pending,
                          end.calls.taken());
    for (const Connection& c : connections) {
      text += fmt::format("|{} {} {} {} {} {}", c.caller, c.caller_has_taken, c.hello_travels,
                          c.answer_travels, c.is_open[0], c.is_open[1]);
    }
    return text;
  }

  void close(int end, int& which) {
    if (which != kNone) connections[static_cast<std::size_t>(which)].is_open[end] = false;
    which = kNone;
  }

  void call(int end) {
    End<Rule>& caller = ends[end];
    ++caller.made;
    caller.pending = static_cast<int>(connections.size());
    connections.push_back(
        {.caller = end, .call = caller.calls.begin(), .caller_has_taken = caller.calls.taken()});
  }

  void hear_hello(int which) {
    Connection& connection = connections[static_cast<std::size_t>(which)];
    connection.hello_travels = false;
    const int self = 1 - connection.caller;
    if (!connection.is_open[self]) return;
    End<Rule>& end = ends[self];
    if (!end.calls.is_fresh(connection.call, connection.caller_has_taken)) {
      connection.is_open[self] = false;
      return;
    }
    close(self, end.wire);
    end.calls.take(connection.call);
    if (!end.calls.awaits_answer(connection.caller_has_taken)) close(self, end.pending);
    end.wire = which;
    connection.answer_travels = true;
  }

  void hear_answer(int which) {
    Connection& connection = connections[static_cast<std::size_t>(which)];
    connection.answer_travels = false;
    End<Rule>& end = ends[connection.caller];
    if (end.pending != which) return;
    end.pending = kNone;
    close(connection.caller, end.wire);
    end.calls.be_answered(connection.call);
    end.answered = connection.call;
    end.wire = which;
  }

  void hear_end(int self, int which) {
    for (int* const place : {&ends[self].wire, &ends[self].pending}) {
      if (*place == which) *place = kNone;
    }
    connections[static_cast<std::size_t>(which)].is_open[self] = false;
  }

  /// All that can happen next, and what is then. Calls are made as long as there is a budget.
  [[nodiscard]] std::vector<Model> next(std::uint64_t most_calls) const {
    std::vector<Model> all;
    const auto when = [&](bool can_be, const auto& happens) {
      if (!can_be) return;
      happens(all.emplace_back(*this));
    };
    for (int end : {0, 1}) {
      const End<Rule>& e = ends[end];
      when(e.wire == kNone && e.pending == kNone && e.made < most_calls,
           [&](Model& model) { model.call(end); });
    }
    for (int which = 0; which < static_cast<int>(connections.size()); ++which) {
      const Connection& c = connections[static_cast<std::size_t>(which)];
      when(c.hello_travels, [&](Model& model) { model.hear_hello(which); });
      when(c.answer_travels, [&](Model& model) { model.hear_answer(which); });
      for (int end : {0, 1}) {
        // What was said before the end is heard before it.
        const bool is_last = end == c.caller ? !c.answer_travels : !c.hello_travels;
        when(c.is_open[end] && !c.is_open[1 - end] && is_last,
             [&](Model& model) { model.hear_end(end, which); });
      }
      for (int end : {0, 1}) {
        // One end notices at once, the other when it is its turn.
        when(cuts_left > 0 && c.is_open[end], [&](Model& model) {
          --model.cuts_left;
          Connection& cut = model.connections[static_cast<std::size_t>(which)];
          cut.hello_travels = cut.answer_travels = false;
          model.hear_end(end, which);
        });
      }
    }
    return all;
  }

  /// Whether both ends have the same connection, and there is no other.
  [[nodiscard]] bool is_whole() const {
    const int wire = ends[0].wire;
    if (wire == kNone || wire != ends[1].wire) return false;
    const auto is_half_open = [](const Connection& c) { return c.is_open[0] || c.is_open[1]; };
    return std::ranges::count_if(connections, is_half_open) == 1;
  }
};

struct Findings {
  std::size_t states = 0;
  std::size_t ends = 0;    // states in which nothing can happen any more
  std::size_t broken = 0;  // of those, where the link is not whole
  std::size_t most_calls = 0;
};

/// Everything that can happen, whatever the order.
template <typename Rule>
Findings explore(std::uint64_t most_calls, int cuts) {
  Findings findings;
  std::set<std::string> seen;
  Model<Rule> first;
  first.cuts_left = cuts;
  std::vector<Model<Rule>> open = {first};
  while (!open.empty()) {
    const Model<Rule> model = std::move(open.back());
    open.pop_back();
    if (!seen.insert(model.key()).second) continue;
    ++findings.states;
    findings.most_calls = std::max(findings.most_calls, model.connections.size());
    std::vector<Model<Rule>> next = model.next(most_calls);
    // A cut need not come.
    const bool is_end = std::ranges::all_of(
        next, [&](const Model<Rule>& m) { return m.cuts_left < model.cuts_left; });
    if (is_end) {
      ++findings.ends;
      if (!model.is_whole()) ++findings.broken;
    }
    std::ranges::move(next, std::back_inserter(open));
  }
  return findings;
}

TEST(TlsCalls, ThatCrossLeaveOneConnectionAtBothEnds) {
  const Findings findings = explore<Calls>(4, 0);
  EXPECT_EQ(findings.broken, 0u);
  EXPECT_GT(findings.ends, 0u);
  EXPECT_EQ(findings.most_calls, 2u) << "one of each end: nobody has to call again";
}

// Each cut costs at most one more call of each end.
TEST(TlsCalls, ThatAreCutAnywhereAreMadeAgainAndLeaveOneConnection) {
  for (const int cuts : {1, 2}) {
    const auto most_calls = static_cast<std::uint64_t>(cuts) + 2;
    const Findings findings = explore<Calls>(most_calls, cuts);
    EXPECT_EQ(findings.broken, 0u) << cuts;
    EXPECT_GT(findings.states, 500u);
    EXPECT_LE(findings.most_calls, 2 * (static_cast<std::size_t>(cuts) + 1)) << cuts;
  }
}

TEST(TlsCalls, NeedTheirRule) {
  EXPECT_GT(explore<LastCallCounts>(2, 0).broken, 0u);
  EXPECT_GT(explore<NobodyWaits>(2, 0).broken, 0u);
}

}  // namespace
}  // namespace gossamer::tls
