#include "gossamer/network/mpi/mpi.hpp"

#include <cstdlib>
#include <string>

#include "gossamer/base/module.hpp"
#include "gossamer/network/mpi/module.hpp"

namespace gossamer {
namespace {

// They are read when MPI begins. What a user has set stays.
void prepare_environment() {
  // Open MPI's own waiting, in MPI_Finalize for instance, then leaves the core to others.
  setenv("OMPI_MCA_mpi_yield_when_idle", "1", /*overwrite=*/0);
}

}  // namespace

Result<std::unique_ptr<MpiJob>> join_mpi() {
  prepare_environment();
  // SimGrid, which the program links, has an MPI of its own for programs that it simulates.
  const Result<Module> module = Module::open({.name = "mpi",
                                              .need = "runs under mpirun need MPI",
                                              .option = "GOSSAMER_MPI",
                                              .interface_function = kMpiInterfaceOf,
                                              .interface_text = kMpiInterface,
                                              .symbols = ModuleDescription::Symbols::kOfItsOwn});
  if (!module) return module.error();
  const auto begin = module.value().function<BeginMpi>(kBeginMpi);
  if (!begin) return begin.error();
  std::string error;
  std::unique_ptr<MpiJob> job(begin.value()(error));
  if (!job) return Error{error};
  return job;
}

}  // namespace gossamer
