#pragma once

#include "gossamer/algorithms/registry.hpp"
#include "gossamer/base/result.hpp"
#include "gossamer/math/layout.hpp"
#include "gossamer/plan/round_script.hpp"
#include "gossamer/settings/method_spec.hpp"

namespace gossamer {

/// Lets a few nodes run the method for some rounds, without gradients, on vectors of the model's
/// layout, and writes down what they do: how many messages of how many bytes, and how long this
/// machine's processor works before and after them. Twice, with other numbers of neighbours, to
/// tell what a round costs from what each neighbour adds.
///
/// Refuses what the registries refuse, and a method whose rounds are not alike: one with a
/// coordinator.
[[nodiscard]] Result<RoundScript> rehearse(const MethodSpec& method, const Layout& layout);

/// The script for so many nodes. A ring all-reduce cuts the model into as many shares.
[[nodiscard]] RoundScript scaled_to(const RoundScript& script, NodeId nodes);

/// Exchanges with the next node, all alike, that a ring needs in one period.
[[nodiscard]] std::size_t ring_exchanges(const RoundScript& script);

/// The same script with fewer or more of them.
[[nodiscard]] RoundScript with_ring_exchanges(const RoundScript& script, std::size_t exchanges);

}  // namespace gossamer
