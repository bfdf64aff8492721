#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gossamer/network/mpi/mpi.hpp"

namespace gossamer {

/// The processes that run one command: this one alone, or all ranks of an MPI job, which go through
/// the same steps. The first one speaks for all.
class Processes {
 public:
  /// This one alone.
  Processes() = default;

  /// All ranks that mpirun or srun have started. Only where launched_rank() finds one.
  [[nodiscard]] static Result<Processes> of_launcher();

  Processes(Processes&&) = default;
  Processes& operator=(Processes&&) = delete;

  /// Waits for the others, with all that was printed printed: launchers end everybody when one
  /// process ends badly.
  ~Processes();

  [[nodiscard]] bool are_many() const { return job_ != nullptr; }

  [[nodiscard]] NodeId count() const { return job_ ? job_->size() : 1; }

  [[nodiscard]] NodeId self() const { return job_ ? job_->rank() : 0; }

  [[nodiscard]] bool is_first() const { return self() == 0; }

  /// Takes a step in all of them. If it fails in any, it fails in all, with one sentence, which
  /// names the node unless it is everybody's.
  [[nodiscard]] Result<void> together(const std::function<Result<void>()>& step);

  /// What every process says, in the order of their ranks.
  [[nodiscard]] Result<std::vector<std::string>> exchange(const std::string& own);

  /// For one run, between all of them.
  [[nodiscard]] std::unique_ptr<Network> make_network() { return job_->make_network(count()); }

 private:
  std::unique_ptr<MpiJob> job_;
  /// For what processes say to each other between runs.
  std::unique_ptr<Network> talk_;
};

}  // namespace gossamer
