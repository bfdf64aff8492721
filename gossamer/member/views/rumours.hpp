#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "gossamer/member/aside.hpp"
#include "gossamer/member/views/view.hpp"

namespace gossamer {

/// What is told to all. The values are on the wire: never renumber them.
enum class RumourKind : std::uint8_t {
  kNews = 0,       // the edges that its origin has
  kCandidacy = 1,  // its origin asks to be let in
  kLoss = 2,       // its origin gives an edge up
  kPrepare = 3,
  kPromise = 4,
  kAccept = 5,
  kAccepted = 6,
  kDecided = 7,
  kHasMean = 8,  // its origin has the mean of all models, and could leave
};

inline constexpr std::uint8_t kRumourKinds = 9;

/// Something that its origin wants everybody to know.
struct Rumour {
  RumourKind kind = RumourKind::kNews;
  NodeId origin = 0;
  Incarnation incarnation = 0;
  /// The partner that it came from: a messenger, or its origin.
  NodeId from = 0;
  /// As it arrived, to be passed on.
  Message aside;

  [[nodiscard]] ByteReader reader() const;

  [[nodiscard]] bool is_first_hand() const { return origin == from; }
};

/// Flooding: everybody passes on what is new to them. Of one origin, incarnation and kind rumours
/// are heard in the order in which they were told: links keep order, and whoever passes on keeps it
/// too. So the highest number is all that has to be remembered.
class Rumours {
 public:
  /// To one partner; one that cannot be reached does not get it.
  using Send = std::function<void(NodeId partner, const Message& aside)>;

  Rumours(NodeId self, NodeId nodes, Send send)
      : self_(self), nodes_(nodes), send_(std::move(send)) {}

  /// From now on: those whom this process talks to.
  void set_partners(std::vector<NodeId> partners) { partners_ = std::move(partners); }

  [[nodiscard]] const std::vector<NodeId>& partners() const { return partners_; }

  /// In another life rumours are another's.
  void live_as(Incarnation incarnation);

  [[nodiscard]] Incarnation incarnation() const { return incarnation_; }

  /// Tells all. Returns the aside, for those who come later.
  Message spread(RumourKind kind, const std::function<void(ByteWriter&)>& fill);

  /// An aside of kind kRumour: passes it on and returns it if it is new. Throws CorruptMessage.
  [[nodiscard]] std::optional<Rumour> hear(const Aside& aside);

 private:
  using Source = std::pair<Incarnation, RumourKind>;

  // Of each origin so many lives and kinds are remembered. One that was forgotten and still tells
  // something is heard again, and passed on once more: that ends, since who is dead tells nothing.
  static constexpr std::size_t kMostSources = 8ul * kRumourKinds;

  /// Whether it is new.
  [[nodiscard]] bool note(NodeId origin, Source source, std::uint64_t number);

  NodeId self_;
  NodeId nodes_;
  Send send_;
  std::vector<NodeId> partners_;
  Incarnation incarnation_ = 0;
  std::uint64_t next_ = 1;
  std::map<NodeId, std::vector<std::pair<Source, std::uint64_t>>> heard_;
};

}  // namespace gossamer
