#pragma once

#include <chrono>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "gossamer/base/ids.hpp"

namespace gossamer::cli {

/// What several peers say is told once, with all who say it. A line waits for a moment, so that
/// others can join in; who says the same later, within a minute, has been told already. Who says it
/// again means that it happened again.
class SharedLines {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// Whether those who come too late to join in are told all the same: they say it of themselves.
  enum class Late { kTold, kLeftOut };

  struct Line {
    std::string key;  // what makes two lines the same
    std::string text;
    Late late = Late::kLeftOut;
    std::set<NodeId> who{};  // said it
  };

  /// How long a line waits for others.
  explicit SharedLines(std::chrono::milliseconds patience) : patience_(patience) {}

  void take(NodeId node, Line line, Time now);

  /// It is over: the next line with this key is of something new.
  void forget(std::string_view key);

  /// The next line to be told, in the order in which they came: nothing while it waits. If all of
  /// `others` have said it, there is nobody to wait for; if there are none, only time counts.
  [[nodiscard]] std::optional<Line> next(const std::set<NodeId>& others, Time now);

  /// The next line, however long it has waited.
  [[nodiscard]] std::optional<Line> next_at_once();

  /// When next() has something, should nobody say anything; nothing: never.
  [[nodiscard]] std::optional<Time> due() const;

 private:
  struct Dated {
    Line line;
    Time time;
  };

  std::chrono::milliseconds patience_;
  std::deque<Dated> waiting_;
  std::deque<Dated> told_;
};

}  // namespace gossamer::cli
