#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gossamer/network/mpi/mpi.hpp"

namespace gossamer::cli {

/// The processes that run one command: this one alone, or all ranks of an MPI job, which go through
/// the same steps. The first one speaks for all.
class Processes {
 public:
  /// This one alone.
  Processes() = default;

  /// All ranks that the launcher has started. Throws BadInput, where the first one is, and
  /// ReportedElsewhere.
  [[nodiscard]] static Processes of_launcher();

  Processes(Processes&&) = default;
  Processes& operator=(Processes&&) = delete;

  /// Waits for the others, with all that was printed printed: launchers end everybody when one
  /// process ends badly.
  ~Processes();

  [[nodiscard]] bool are_many() const { return job_ != nullptr; }

  [[nodiscard]] NodeId count() const { return job_ ? job_->size() : 1; }

  [[nodiscard]] NodeId self() const { return job_ ? job_->rank() : 0; }

  [[nodiscard]] bool is_first() const { return self() == 0; }

  /// Takes a step in all of them. If it throws BadInput in any, it ends for all: the first process
  /// throws a sentence that names the node, all others ReportedElsewhere.
  void together(const std::function<void()>& step);

  /// What every process says, in the order of their ranks.
  [[nodiscard]] std::vector<std::string> exchange(const std::string& own);

  /// For one run, between all of them.
  [[nodiscard]] std::unique_ptr<Network> make_network() { return job_->make_network(count()); }

 private:
  std::unique_ptr<MpiJob> job_;
  /// For what processes say to each other between runs.
  std::unique_ptr<Network> talk_;
};

/// Throws what of_launcher() throws if a launcher has started several processes of a command that
/// is one process's work.
void refuse_many_processes(const std::string& command);

}  // namespace gossamer::cli
