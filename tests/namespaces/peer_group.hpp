#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/namespaces/running_program.hpp"
#include "tests/namespaces/testbed.hpp"
#include "tests/support/temporary_folder.hpp"

namespace gossamer::testing {

/// `gossamer train --network tls`, a peer on each host of a testbed: node I on host I + 1.
class PeerGroup {
 public:
  using Arguments = std::vector<std::string>;

  /// Makes keys for all. Nobody runs yet.
  PeerGroup(const Testbed& testbed, int nodes);

  /// Starts all of them with these arguments.
  void start(const Arguments& arguments);

  /// Starts one, which has ended, again: with its checkpoints, or with nothing.
  void resume(int node);
  void start_empty_handed(int node);

  [[nodiscard]] RunningProgram& operator[](int node) {
    return *programs_.at(static_cast<std::size_t>(node));
  }

  [[nodiscard]] int size() const { return static_cast<int>(programs_.size()); }

  /// The file with the model of one node after a round of which there is a checkpoint.
  [[nodiscard]] std::string model_file(int node, int round) const;

  /// What everybody has printed, for a test that has failed.
  [[nodiscard]] std::string printed_by_all() const;

 private:
  void run(int node, const Arguments& arguments);

  const Testbed& testbed_;
  TemporaryFolder folder_;
  Arguments arguments_;
  std::vector<std::unique_ptr<RunningProgram>> programs_;  // by node
};

/// The file with the model of one node in the folder of a run, or in that of one of its peers.
std::string model_file(const std::string& run_folder, int node, int round);

}  // namespace gossamer::testing
