// What the program opens when a run has MPI ranks: one function, behind a plain header.
#include "gossamer/network/mpi/module.hpp"

#include <mpi.h>

#include "gossamer/network/mpi/mpi_network.hpp"

namespace gossamer {
namespace {

class Job final : public MpiJob {
 public:
  Job() {
    // A node is one thread, and no other one talks to MPI.
    int granted = MPI_THREAD_SINGLE;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &granted);
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    rank_ = static_cast<NodeId>(rank);
    size_ = static_cast<NodeId>(size);
  }

  ~Job() override { MPI_Finalize(); }

  [[nodiscard]] NodeId rank() const override { return rank_; }

  [[nodiscard]] NodeId size() const override { return size_; }

  [[nodiscard]] std::unique_ptr<Network> make_network(NodeId nodes) override {
    MPI_Comm communicator = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank_ < nodes ? 0 : MPI_UNDEFINED, static_cast<int>(rank_),
                   &communicator);
    if (communicator == MPI_COMM_NULL) return nullptr;
    return std::make_unique<MpiNetwork>(communicator);
  }

 private:
  NodeId rank_ = 0;
  NodeId size_ = 0;
};

}  // namespace
}  // namespace gossamer

extern "C" __attribute__((visibility("default"))) gossamer::MpiJob* gossamer_begin_mpi(
    std::string& error) {
  int was_initialized = 0;
  MPI_Initialized(&was_initialized);
  if (was_initialized != 0) {
    error = "MPI was begun in this process before: it can be begun once";
    return nullptr;
  }
  return new gossamer::Job();
}

extern "C" __attribute__((visibility("default"))) const char* gossamer_mpi_interface() {
  return gossamer::kMpiInterface;
}
