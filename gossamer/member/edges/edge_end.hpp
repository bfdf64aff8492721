#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "gossamer/base/bytes.hpp"
#include "gossamer/base/message.hpp"
#include "gossamer/member/views/edge_news.hpp"
#include "gossamer/node/run_side.hpp"

namespace gossamer {

/// What an end of a broken edge tells everybody: the other end, which it cannot reach any more,
/// hears it by way of others.
struct LossRecord {
  NodeId of = 0;  // was given up
  EdgeName edge;  // as the end that gave up names it
  std::string reason;
  /// The end that gave up does not have the other's record yet.
  bool wants_answer = false;
  /// How many messages `by` has sent over the edge, and the last of them: what `of` may lack.
  std::uint64_t sent = 0;
  std::vector<Message> last;

  void write(ByteWriter& out) const;
  /// Throws CorruptMessage.
  [[nodiscard]] static LossRecord read(ByteReader& in);
};

/// One end of an edge over which both ends send one message each, then take each other's, and so
/// on. Breaks in such a way that both take part in the same exchanges: those for which both had
/// sent.
///
/// An end that has given up sends no more. It knows how many messages it has sent, m, and the other
/// end's record says how many that one has: the edge ends after min(m, m') exchanges. Whoever has
/// sent message i had taken message i - 1 before, so that of min(m, m') messages at most the last
/// two never arrived, and the record repeats them.
class EdgeEnd {
 public:
  using Next = Edges::Next;

  /// One that has yet to be made.
  [[nodiscard]] static EdgeEnd gone();

  [[nodiscard]] bool is_live() const { return state_ == State::kLive; }

  [[nodiscard]] bool is_gone() const { return state_ == State::kGone; }

  void note_sent(const Message& message);

  /// One that arrives after this end gave up does not count: the record said otherwise.
  [[nodiscard]] bool note_arrived();

  void note_taken() { ++taken_; }

  [[nodiscard]] Next next() const;

  void give_up();

  /// How many messages went out, and the last of them.
  void describe(LossRecord& record) const;

  /// Settles with the other end's record: the messages that never arrived and still count.
  [[nodiscard]] std::vector<Message> settle(const LossRecord& theirs);

  /// The other end is gone: what has arrived is all.
  void settle_alone();

  [[nodiscard]] bool is_settled() const { return end_.has_value(); }

  /// The edge is no part of W any more.
  void leave() { state_ = State::kGone; }

 private:
  enum class State { kLive, kBroken, kGone };

  static constexpr std::size_t kRemembered = 2;

  State state_ = State::kLive;
  std::uint64_t sent_ = 0;
  std::uint64_t arrived_ = 0;
  std::uint64_t taken_ = 0;
  std::optional<std::uint64_t> end_;
  std::deque<Message> last_;
};

}  // namespace gossamer
