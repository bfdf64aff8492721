#include "gossamer/member/failure.hpp"

#include <array>
#include <tuple>

namespace gossamer {

std::string_view name_of(Failure::Kind kind) {
  constexpr std::array<std::string_view, 6> kNames = {"diverged", "non-finite", "stalled",
                                                      "lost",     "file",       "refused"};
  return kNames.at(static_cast<std::size_t>(kind));
}

std::optional<Failure> first_cause(std::span<const std::optional<Failure>> failures) {
  const auto rank = [](const Failure& failure) {
    return std::tuple(failure.kind == Failure::Kind::kLost, failure.round, failure.node);
  };
  std::optional<Failure> cause;
  for (const std::optional<Failure>& failure : failures) {
    if (failure && (!cause || rank(*failure) < rank(*cause))) cause = failure;
  }
  return cause;
}

}  // namespace gossamer
