#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gossamer/base/ids.hpp"

namespace gossamer::cli {

/// What a user says to `gossamer plan`. Empty, or nothing: not said.
struct PlanArguments {
  // What is learned, and how.
  std::string task;
  std::string model;
  std::string data;
  std::string batch;
  std::string partition;
  std::string optimizer;
  std::optional<double> lr;
  std::string layers;
  std::string compute;
  NodeId nodes = 0;  // 0: as many as the network says, else 8
  std::uint64_t seed = 0;

  // The network.
  std::string bandwidth;
  std::string latency;
  std::string links;
  std::string platform;
  unsigned shared_cores = 0;
  double byte_cpu_ns = 0;

  // What is planned.
  std::string methods;
  std::vector<std::string> topologies;

  // What is tried out.
  std::optional<double> target_accuracy;
  std::optional<double> target_loss;
  Round pilot_rounds = 300;
  std::size_t pilots = 5;

  // What is printed.
  std::size_t top = 12;
  bool json = false;
};

}  // namespace gossamer::cli
