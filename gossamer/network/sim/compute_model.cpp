#include "gossamer/network/sim/compute_model.hpp"

#include <algorithm>
#include <cmath>

#include "gossamer/base/contract.hpp"
#include "gossamer/base/rng.hpp"

namespace gossamer {

Duration ComputeModel::step_time(std::uint64_t seed, NodeId node, Round round) const {
  expects(straggler_probability >= 0 && straggler_probability <= 1, "a probability is 0 to 1");
  expects(straggler_factor >= 0, "time does not go back");
  const auto own = std::ranges::find(per_node, node, &std::pair<NodeId, Duration>::first);
  const Duration usual = own == per_node.end() ? per_step : own->second;
  if (straggler_probability == 0) return usual;
  Rng rng(RngKey{.seed = seed, .purpose = Purpose::kSchedule, .node = node, .round = round});
  if (rng.uniform() >= straggler_probability) return usual;
  return Duration(std::llround(static_cast<double>(usual.count()) * straggler_factor));
}

}  // namespace gossamer
