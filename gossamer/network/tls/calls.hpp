#pragma once

#include <algorithm>
#include <cstdint>

namespace gossamer::tls {

/// What one end knows of the calls between two nodes that both call: decides which of them counts,
/// so that both ends come to the same answer. docs/links.md says why they do. Numbers hold within a
/// pair of sessions. Knows no socket and no clock.
class Calls {
 public:
  /// Of two calls that cross, the one of the node with the higher id counts.
  explicit Calls(bool is_higher) : is_higher_(is_higher) {}

  /// The number of a call whose hello is about to be said.
  [[nodiscard]] std::uint64_t begin() { return ++made_; }

  /// The other end's last call that was taken here; 0 if none was. Belongs into every hello.
  [[nodiscard]] std::uint64_t taken() const { return taken_; }

  /// Whether a call counts that came with these words. A caller has no connection while it says
  /// them: if it has taken all that this end knows it has, then what there was is over. Else it
  /// spoke before the last connection, or on a call that it has given up since.
  [[nodiscard]] bool is_fresh(std::uint64_t call, std::uint64_t caller_has_taken) const {
    return call > taken_ && caller_has_taken >= answered_;
  }

  /// A call of the other end's is taken, and is the connection now.
  void take(std::uint64_t call) { taken_ = call; }

  /// Whether this end's own last call, whose hello has been said, may still be answered when
  /// another one is taken. The lower id gives its own up; the higher id must not: the other end may
  /// have taken it and given its own up.
  [[nodiscard]] bool awaits_answer(std::uint64_t caller_has_taken) const {
    return is_higher_ && caller_has_taken < made_;
  }

  /// A call of this end's was answered, and is the connection now.
  void be_answered(std::uint64_t call) { answered_ = std::max(answered_, call); }

  /// Another pair of sessions. Calls are counted on: one under way belongs to the new pair.
  void forget() { taken_ = answered_ = 0; }

 private:
  bool is_higher_;
  std::uint64_t made_ = 0;
  std::uint64_t taken_ = 0;
  std::uint64_t answered_ = 0;
};

}  // namespace gossamer::tls
