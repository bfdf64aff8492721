#include "gossamer/hunt/hostile.hpp"

#include <algorithm>
#include <limits>

#include "gossamer/base/rng.hpp"

namespace gossamer {
namespace {

constexpr std::uint32_t kLarge = 1 << 20;
constexpr std::uint32_t kFlood = 3000;

class Forger {
 public:
  Forger(std::uint64_t seed, NodeId from, Round round, const std::deque<Arrival>& seen)
      : rng_(RngKey{.seed = seed, .purpose = Purpose::kSchedule, .node = 2}),
        from_(from),
        round_(round),
        seen_(seen) {}

  [[nodiscard]] std::vector<Arrival> frames() {
    switch (rng_.below(10)) {
      case 0:
        return {frame({})};
      case 1:
        return {frame(random_bytes(1 + rng_.below(40)))};
      case 2:
        return {aside(random_bytes(1 + rng_.below(60)))};
      case 3:
        return {truncated(some_frame())};
      case 4:
        return {garbled(some_frame())};
      case 5:
        return {filled(some_frame(), 0xFF)};  // every number of it is none
      case 6:
        return {some_frame()};  // of another node, or of this one again
      case 7:
        return {out_of_round(some_frame())};
      case 8:
        return {frame(random_bytes(kLarge))};
      default:
        return std::vector<Arrival>(kFlood, some_frame());
    }
  }

 private:
  using Bytes = std::vector<std::uint8_t>;

  [[nodiscard]] Bytes random_bytes(std::uint32_t count) {
    Bytes bytes(count);
    for (std::uint8_t& byte : bytes)
      byte = static_cast<std::uint8_t>(rng_.below(256));
    return bytes;
  }

  [[nodiscard]] Arrival frame_of(Arrival::Kind kind, Round round, const Bytes& bytes) const {
    ByteWriter out = Message::writer();
    out.write_bytes(bytes);
    return {.kind = kind, .from = from_, .round = round, .message = Message(std::move(out))};
  }

  [[nodiscard]] Arrival frame(const Bytes& bytes) {
    return frame_of(rng_.below(2) == 0 ? Arrival::Kind::kMessage : Arrival::Kind::kAside, round_,
                    bytes);
  }

  /// Of every kind that there is, and of some that there are not.
  [[nodiscard]] Arrival aside(Bytes bytes) {
    bytes.front() = static_cast<std::uint8_t>(rng_.below(8) == 0 ? 255 : rng_.below(32));
    return frame_of(Arrival::Kind::kAside, round_, bytes);
  }

  [[nodiscard]] Arrival some_frame() {
    if (seen_.empty()) return frame(random_bytes(8));
    Arrival arrival = seen_[rng_.below(static_cast<std::uint32_t>(seen_.size()))];
    arrival.from = from_;
    if (arrival.kind != Arrival::Kind::kMessage) arrival.kind = Arrival::Kind::kAside;
    return arrival;
  }

  [[nodiscard]] Arrival with_bytes(const Arrival& arrival, const Bytes& bytes) const {
    return frame_of(arrival.kind, arrival.round, bytes);
  }

  [[nodiscard]] static Bytes bytes_of(const Arrival& arrival) {
    const ByteView payload = arrival.message.payload();
    return {payload.begin(), payload.end()};
  }

  [[nodiscard]] Arrival truncated(const Arrival& arrival) {
    Bytes bytes = bytes_of(arrival);
    bytes.resize(rng_.below(static_cast<std::uint32_t>(bytes.size()) + 1));
    return with_bytes(arrival, bytes);
  }

  /// Not the algorithm's: with other bits that is often a message too, and nobody can tell.
  [[nodiscard]] Arrival garbled(const Arrival& arrival) {
    if (arrival.kind == Arrival::Kind::kMessage) return truncated(arrival);
    Bytes bytes = bytes_of(arrival);
    if (bytes.empty()) return arrival;
    for (auto left = 1 + rng_.below(4); left > 0; --left)
      bytes[rng_.below(static_cast<std::uint32_t>(bytes.size()))] ^=
          static_cast<std::uint8_t>(1 + rng_.below(255));
    return with_bytes(arrival, bytes);
  }

  /// But for what says which kind of aside it is.
  [[nodiscard]] static Arrival filled(const Arrival& arrival, std::uint8_t byte) {
    Bytes bytes = bytes_of(arrival);
    const std::size_t kept = arrival.kind == Arrival::Kind::kAside ? 1 : 0;
    if (bytes.size() > kept)
      std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(kept), bytes.end(), byte);
    ByteWriter out = Message::writer();
    out.write_bytes(bytes);
    Arrival made = arrival;
    made.message = Message(std::move(out));
    return made;
  }

  [[nodiscard]] Arrival out_of_round(Arrival arrival) {
    constexpr Round kFar = 1'000'000'000'000'000;
    arrival.round = rng_.below(2) == 0 ? kFar : round_ + rng_.below(50);
    return arrival;
  }

  Rng rng_;
  NodeId from_;
  Round round_;
  const std::deque<Arrival>& seen_;
};

}  // namespace

std::vector<Arrival> hostile_frames(std::uint64_t seed, NodeId from, Round round,
                                    const std::deque<Arrival>& seen) {
  return Forger(seed, from, round, seen).frames();
}

}  // namespace gossamer
