#pragma once

#include "gossamer/base/ids.hpp"
#include "gossamer/experiment/experiment.hpp"

namespace gossamer {

/// What a node would have sent in so many rounds without compression and without local steps,
/// headers included: the whole model to each of those it talks to, in every round. The mean over
/// nodes. Of a ring all-reduce it is what that sends.
[[nodiscard]] double dense_bytes_per_node(const Experiment& experiment, Round rounds);

}  // namespace gossamer
