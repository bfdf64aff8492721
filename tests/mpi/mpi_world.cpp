// The laws of network/network.hpp where every node is a process.
#include "tests/mpi/rank_main.hpp"
#include "tests/network/world.hpp"

namespace gossamer::testing {
namespace {

void run_on_ranks(NodeId size, const std::function<void(Network&)>& node_main) {
  if (const std::unique_ptr<Network> network = job().make_network(size)) node_main(*network);
}

}  // namespace

std::vector<World> worlds() {
  // Asked before main(), when there is no job yet.
  return {World{.name = "mpi",
                .run = run_on_ranks,
                .is_here = [](NodeId id) { return job().rank() == id; },
                .most_nodes = 6}};
}

}  // namespace gossamer::testing
