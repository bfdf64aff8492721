#include "apps/processes/many_processes.hpp"

#include <optional>

#include <fmt/format.h>

#include "gossamer/swarm/launched_rank.hpp"
#include "gossamer/swarm/rank_settings.hpp"

namespace gossamer::cli {
namespace {

// Before there is a network to agree on it, ranks know by the environment who is the first.
[[noreturn]] void refuse(const std::string& sentence) {
  const std::optional<LaunchedRank> launched = launched_rank();
  if (!launched || launched->rank == 0) throw BadInput(sentence);
  // Not the exit code of an error: launchers would end the first one before it has printed.
  throw ReportedElsewhere(kSuccess);
}

}  // namespace

Processes join_processes(const RunRequest& request) {
  Result<Processes> processes = processes_for(request);
  if (!processes) refuse(processes.error().message);
  return std::move(processes).value();
}

void refuse_many_processes(const std::string& command) {
  const std::optional<LaunchedRank> launched = launched_rank();
  if (!launched || launched->size == 1) return;
  refuse(fmt::format("{} runs in one process: start it without mpirun", command));
}

void check_together(const Processes& processes, const Result<void>& done) {
  if (done) return;
  if (processes.is_first()) throw BadInput(done.error().message);
  throw ReportedElsewhere(kBadInput);
}

}  // namespace gossamer::cli
