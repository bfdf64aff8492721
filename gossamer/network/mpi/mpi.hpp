#pragma once

#include <memory>

#include "gossamer/base/result.hpp"
#include "gossamer/network/network.hpp"

namespace gossamer {

/// The MPI job that this process is a rank of. Belongs to one thread; one per process, ever: MPI
/// can be begun and ended once.
///
/// Where it ends by an exception that nobody expected, the job goes on to its end all the same: the
/// networks of this rank tell all others that it is lost.
class MpiJob {
 public:
  MpiJob() = default;
  MpiJob(const MpiJob&) = delete;
  MpiJob& operator=(const MpiJob&) = delete;

  /// Waits for all ranks to come here.
  virtual ~MpiJob() = default;

  [[nodiscard]] virtual NodeId rank() const = 0;
  [[nodiscard]] virtual NodeId size() const = 0;

  /// A network whose nodes are the ranks below `nodes`; nothing on all others. All ranks make their
  /// networks in the same order. When one goes, it tells the others, and then waits for theirs to
  /// go: what was sent must have somebody to arrive at.
  [[nodiscard]] virtual std::unique_ptr<Network> make_network(NodeId nodes) = 0;
};

/// Opens the module and begins MPI. An error says what is missing.
[[nodiscard]] Result<std::unique_ptr<MpiJob>> join_mpi();

}  // namespace gossamer
