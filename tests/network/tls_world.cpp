#include "tests/network/tls_world.hpp"

#include <exception>
#include <stdexcept>
#include <thread>

#include "tests/network/certificates.hpp"

namespace gossamer::testing {
namespace {

void run_with(Wires wires, NodeId size, const std::function<void(Network&)>& node_main) {
  Neighbourhood neighbourhood(size, wires);
  std::mutex mutex;
  std::exception_ptr failure;
  {
    std::vector<std::jthread> threads;
    for (NodeId node = 0; node < size; ++node) {
      threads.emplace_back([&, node] {
        const std::unique_ptr<TlsNetwork> network = neighbourhood.open(node);
        try {
          node_main(*network);
        } catch (...) {
          const std::lock_guard lock(mutex);
          if (!failure) failure = std::current_exception();
        }
      });
    }
  }
  if (failure) std::rethrow_exception(failure);
}

template <typename T>
T value_of(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message);
  return std::move(result).value();
}

}  // namespace

void run_tls(NodeId size, const std::function<void(Network&)>& node_main) {
  run_with(Wires::kTls, size, node_main);
}

void run_tcp(NodeId size, const std::function<void(Network&)>& node_main) {
  run_with(Wires::kTcp, size, node_main);
}

Neighbourhood::Neighbourhood(NodeId size, Wires wires) : is_used_(size, false), setups_(size) {
  for (NodeId node = 0; node < size; ++node) {
    listeners_.push_back(value_of(TlsListener::bind("127.0.0.1", "0")));
    ports_.push_back(listeners_.back().port());
    told_.push_back(std::make_unique<Told>());
  }
  for (NodeId node = 0; node < size; ++node) {
    TlsSetup& setup = setups_[node];
    setup.self = node;
    setup.size = size;
    setup.listen_host = "127.0.0.1";
    setup.listen_port = std::to_string(ports_[node]);
    for (NodeId peer = 0; peer < size; ++peer) {
      if (peer != node) setup.peers.push_back({peer, "127.0.0.1", std::to_string(ports_[peer])});
    }
    if (wires == Wires::kTls) setup.credentials = our_cluster().credentials(node);
    setup.events = told_[node].get();
  }
}

std::unique_ptr<TlsNetwork> Neighbourhood::open(NodeId node) {
  if (is_used_[node]) return value_of(open_tls(setups_[node]));
  is_used_[node] = true;
  return value_of(open_tls(setups_[node], std::move(listeners_[node])));
}

}  // namespace gossamer::testing
