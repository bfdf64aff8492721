#pragma once

#include <cstdint>
#include <initializer_list>

#include "gossamer/events/event.hpp"

namespace gossamer {

/// A set of kinds, as one number.
class EventKinds {
 public:
  using Bits = std::uint32_t;
  static_assert(kEventKindCount <= 32);

  constexpr EventKinds() = default;

  constexpr EventKinds(std::initializer_list<EventKind> kinds) {
    for (const EventKind kind : kinds)
      bits_ |= bit_of(kind);
  }

  constexpr explicit EventKinds(Bits bits) : bits_(bits) {}

  [[nodiscard]] static constexpr EventKinds all() {
    return EventKinds((Bits{1} << kEventKindCount) - 1);
  }

  [[nodiscard]] static constexpr EventKinds all_but(EventKinds others) {
    return EventKinds(all().bits_ & ~others.bits_);
  }

  [[nodiscard]] constexpr bool has(EventKind kind) const { return (bits_ & bit_of(kind)) != 0; }

  [[nodiscard]] constexpr Bits bits() const { return bits_; }

 private:
  [[nodiscard]] static constexpr Bits bit_of(EventKind kind) {
    return Bits{1} << static_cast<unsigned>(kind);
  }

  Bits bits_ = 0;
};

}  // namespace gossamer
