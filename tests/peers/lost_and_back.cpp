#include "tests/peers/lost_and_back.hpp"

#include <algorithm>
#include <csignal>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer::testing {

void LostAndBack::start_all(const Arguments& settings) {
  for (NodeId node = 0; node < kPeers; ++node) {
    const bool is_patient = std::ranges::count(kPatient, node) > 0;
    cluster_.start(node, is_patient ? settings + Arguments{"--peer-deadline", "60s"} : settings);
  }
}

void LostAndBack::wait_for(NodeId node, std::string ProgramResult::*output,
                           const std::string& text) {
  ASSERT_TRUE(cluster_.peer(node).wait_until([&](const ProgramResult& printed) {
    return (printed.*output).find(text) != std::string::npos;
  })) << "node "
      << node << " never said: " << text;
}

void LostAndBack::interrupt_all(Round round) {
  for (NodeId node = 0; node < kPeers; ++node)
    wait_for(node, &ProgramResult::out, fmt::format("\"round\":{},", round));
  // All hear of it as soon as they move again: nobody goes on without the others meanwhile.
  for (NodeId node = 0; node < kPeers; ++node)
    cluster_.peer(node).hold();
  for (NodeId node = 0; node < kPeers; ++node)
    cluster_.peer(node).send(SIGINT);
  for (NodeId node = 0; node < kPeers; ++node)
    cluster_.peer(node).release();
  // Each leaves alone; one that is left by too many is cut off.
  for (const ProgramResult& peer : cluster_.finish_all())
    EXPECT_THAT(peer.exit_code, ::testing::AnyOf(128 + SIGINT, 3)) << peer.err;
}

void LostAndBack::lose_one(int signal, Round round) {
  wait_for(kKilled, &ProgramResult::out, fmt::format("\"round\":{},", round));
  cluster_.peer(kKilled).send(signal);
  for (const NodeId side : kSides)
    wait_for(side, &ProgramResult::err,
             fmt::format("node {} lost node {} in round", side, kKilled));
  // Until then all have waited for the one that is lost.
  cluster_.peer(kPacemaker).hold();
}

void LostAndBack::kill_one(Round round) {
  lose_one(SIGKILL, round);
  EXPECT_EQ(cluster_.peer(kKilled).finish().exit_code, 128 + SIGKILL);
}

void LostAndBack::start_again(const Arguments& settings) {
  cluster_.start(kKilled, settings);
  for (const NodeId side : kSides)
    wait_for(side, &ProgramResult::err, fmt::format(" node {} is back\n", kKilled));
  release();
}

}  // namespace gossamer::testing
