#include "tests/network/tls_world.hpp"
#include "tests/network/world.hpp"
#include <gtest/gtest.h>

#include "gossamer/network/inproc/inproc.hpp"
#include "gossamer/network/sim/sim.hpp"

namespace gossamer::testing {
namespace {

void run_sim_lan(NodeId size, const std::function<void(Network&)>& node_main) {
  const Result<void> result = run_sim(size, SimSetup{}, node_main);
  ASSERT_TRUE(result) << result.error().message;
}

}  // namespace

std::vector<World> worlds() {
  return {World{.name = "inproc", .run = run_inproc}, World{.name = "sim", .run = run_sim_lan},
          World{.name = "tls", .run = run_tls}, World{.name = "tcp", .run = run_tcp}};
}

}  // namespace gossamer::testing
