#include "tests/peers/cluster.hpp"

#include <arpa/inet.h>
#include <cerrno>
#include <fstream>
#include <netinet/in.h>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

constexpr NodeId kMostPeers = 6;

void check(bool is_good, const char* what) {
  if (!is_good) throw std::system_error(errno, std::generic_category(), what);
}

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

/// Made once by each test program.
const std::string& keys_folder() {
  static const TemporaryFolder folder;
  static const std::string keys = [] {
    std::string path = folder.path("keys");
    const ProgramResult made =
        run_program({"keys", "init", path, "--nodes", fmt::format("{}", kMostPeers)});
    EXPECT_EQ(made.exit_code, 0) << made.err;
    return path;
  }();
  return keys;
}

std::string model_in(const std::string& run, NodeId node, Round round) {
  return fmt::format("{}/checkpoints/round-{:09}/node-{:05}.safetensors", run, round, node);
}

}  // namespace

// Bound, and not listening: the system gives it to nobody who asks for any port, and lets those
// have it who ask for it by number, and share it.
ReservedPort::ReservedPort() : descriptor_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  check(descriptor_ >= 0, "socket");
  const int yes = 1;
  check(::setsockopt(descriptor_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0, "setsockopt");
  sockaddr_in address = loopback(0);
  socklen_t length = sizeof address;
  auto* const any_address = reinterpret_cast<sockaddr*>(&address);
  check(::bind(descriptor_, any_address, length) == 0, "bind");
  check(::getsockname(descriptor_, any_address, &length) == 0, "getsockname");
  number_ = ntohs(address.sin_port);
}

ReservedPort::ReservedPort(ReservedPort&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), number_(other.number_) {}

ReservedPort::~ReservedPort() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool ReservedPort::accepts() const {
  const int caller = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  check(caller >= 0, "socket");
  const sockaddr_in address = loopback(number_);
  const int failed = ::connect(caller, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  ::close(caller);
  return failed == 0;
}

Cluster::Cluster(NodeId size, const std::vector<std::string>& data) : ports_(size), running_(size) {
  EXPECT_LE(size, kMostPeers);
  std::ofstream file(peers_file());
  for (NodeId node = 0; node < size; ++node) {
    file << fmt::format("[[peer]]\nid = {}\naddress = \"127.0.0.1:{}\"\nkeys = \"{}\"\n", node,
                        ports_[node].number(), keys_folder());
    if (node < data.size() && !data[node].empty())
      file << fmt::format("data = \"{}\"\n", data[node]);
  }
}

void Cluster::reroute(NodeId caller, NodeId to, std::uint16_t port) {
  std::string peers = file_text(peers_file());
  const std::string there = fmt::format(":{}\"", ports_[to].number());
  peers.replace(peers.find(there), there.size(), fmt::format(":{}\"", port));
  own_peers_files_[caller] = path(fmt::format("peers-of-{}.toml", caller));
  std::ofstream(own_peers_files_[caller]) << peers;
}

Arguments Cluster::place_of(NodeId node) const {
  const auto own = own_peers_files_.find(node);
  const std::string peers = own == own_peers_files_.end() ? peers_file() : own->second;
  return {"--peers", peers, "--node", fmt::format("{}", node)};
}

Arguments Cluster::train_as(NodeId node) const {
  return Arguments{"train", "--network", "tls"} + place_of(node);
}

Arguments Cluster::command_of(NodeId node) const {
  if (program_.empty()) return Arguments{GOSSAMER_PROGRAM} + train_as(node);
  return program_ + place_of(node);
}

void Cluster::start(NodeId node, const Arguments& settings) {
  running_[node].reset();
  running_[node] = std::make_unique<RunningProgram>(command_of(node) + settings);
}

void Cluster::start_all(const Arguments& settings) {
  for (NodeId node = 0; node < size(); ++node)
    start(node, settings);
}

void Cluster::wait_until_listening(NodeId node) const {
  while (!ports_[node].accepts())
    std::this_thread::yield();
}

std::vector<ProgramResult> Cluster::finish_all() {
  std::vector<ProgramResult> results;
  for (std::unique_ptr<RunningProgram>& program : running_) {
    results.push_back(program->finish());
    program.reset();
  }
  return results;
}

std::vector<ProgramResult> Cluster::run(const Arguments& settings) {
  start_all(settings);
  return finish_all();
}

std::string model_file_of_peer(const std::string& run, NodeId node, Round round) {
  return model_in(fmt::format("{}/node-{:05}", run, node), node, round);
}

std::string model_of_peer(const std::string& run, NodeId node, Round round) {
  return file_text(model_file_of_peer(run, node, round));
}

std::string model_of_node(const std::string& run, NodeId node, Round round) {
  return file_text(model_in(run, node, round));
}

void expect_all_ended_with(int code, const std::vector<ProgramResult>& results) {
  for (std::size_t node = 0; node < results.size(); ++node)
    EXPECT_EQ(results[node].exit_code, code) << "node " << node << ": " << results[node].err;
}

}  // namespace gossamer::testing
