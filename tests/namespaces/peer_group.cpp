#include "tests/namespaces/peer_group.hpp"

#include <fstream>
#include <stdexcept>

#include <fmt/format.h>

namespace gossamer::testing {

PeerGroup::PeerGroup(const Testbed& testbed, int nodes)
    : testbed_(testbed), programs_(static_cast<std::size_t>(nodes)) {
  const ProgramResult made =
      run_program({"keys", "init", folder_.path("keys"), "--nodes", std::to_string(nodes)});
  if (made.exit_code != 0) throw std::runtime_error(made.err);
  std::ofstream peers(folder_.path("peers.toml"));
  peers << "keys = \"keys\"\n";
  for (int node = 0; node < nodes; ++node) {
    peers << fmt::format("[[peer]]\nid = {}\naddress = \"{}:7700\"\n", node,
                         Testbed::address(node + 1));
  }
}

void PeerGroup::start(const Arguments& arguments) {
  arguments_ = arguments;
  arguments_.insert(arguments_.end(), {"--run-dir", folder_.path("run")});
  for (int node = 0; node < size(); ++node)
    run(node, arguments_);
}

void PeerGroup::resume(int node) {
  run(node, {"--resume", folder_.path("run")});
}

void PeerGroup::start_empty_handed(int node) {
  arguments_.back() = folder_.path("run-anew");
  run(node, arguments_);
}

void PeerGroup::run(int node, const Arguments& arguments) {
  std::vector<std::string> command = {GOSSAMER_PROGRAM,
                                      "train",
                                      "--json",
                                      "--network",
                                      "tls",
                                      "--peers",
                                      folder_.path("peers.toml"),
                                      "--node",
                                      std::to_string(node)};
  command.insert(command.end(), arguments.begin(), arguments.end());
  programs_.at(static_cast<std::size_t>(node)) =
      std::make_unique<RunningProgram>(testbed_.on_host(node + 1, std::move(command)));
}

std::string PeerGroup::model_file(int node, int round) const {
  return testing::model_file(folder_.path(fmt::format("run/node-{:05}", node)), node, round);
}

std::string PeerGroup::printed_by_all() const {
  std::string all;
  for (std::size_t node = 0; node < programs_.size(); ++node)
    all += fmt::format("--- node {}\n{}", node, programs_[node]->printed());
  return all;
}

std::string model_file(const std::string& run_folder, int node, int round) {
  return fmt::format("{}/checkpoints/round-{:09}/node-{:05}.safetensors", run_folder, round, node);
}

}  // namespace gossamer::testing
