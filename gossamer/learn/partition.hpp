#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "gossamer/base/ids.hpp"
#include "gossamer/base/result.hpp"

namespace gossamer {

/// Which rows each node holds. Every row is somewhere exactly once, and nobody goes without.
using Partition = std::vector<std::vector<std::uint32_t>>;

struct PartitionInfo {
  std::string_view name;
  std::string_view example;  // a spec that make_partition() understands
  std::string_view summary;  // one sentence
};

[[nodiscard]] std::span<const PartitionInfo> partitions();

/// Splits the rows that have these labels. `contiguous`, `iid` and `sorted` cut a row of rows into
/// shards of floor(rows / nodes), and the last node takes what is left over as well. `dirichlet:A`
/// gives each node a share of each class, drawn from Dirichlet(A): the smaller A, the more alike
/// are the labels of a node. A function of its arguments alone, on every machine.
///
/// `own` is no split: every node has all of what it reads, for nodes that read different data.
[[nodiscard]] Result<Partition> make_partition(std::string_view spec,
                                               std::span<const double> labels, NodeId nodes,
                                               std::uint64_t seed);

}  // namespace gossamer
