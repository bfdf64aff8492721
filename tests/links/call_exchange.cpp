#include "tests/links/call_exchange.hpp"

#include <algorithm>
#include <array>
#include <asio.hpp>
#include <atomic>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace gossamer::testing {

using asio::ip::tcp;

namespace {

tcp::endpoint loopback(std::uint16_t port) {
  return {asio::ip::address_v4::loopback(), port};
}

// So many cuts, and the link may rest: a test has an end.
constexpr int kMostCuts = 12;

}  // namespace

struct CallExchange::State {
  struct Pair {
    Pair(tcp::socket from, asio::io_context& context)
        : ends{std::move(from), tcp::socket(context)} {}

    tcp::socket ends[2];
    std::array<std::array<char, 4096>, 2> buffers{};
    std::array<std::string, 2> held;       // read from an end, and not passed on
    std::array<bool, 2> has_ended = {};    // an end said that it is over
    std::array<double, 2> haste = {1, 1};  // how often a direction has its turn
    std::uint64_t bytes_left = 0;
    bool is_open = true;
  };

  using Place = std::shared_ptr<Pair>;

  State(std::uint16_t to_node_0, std::uint16_t to_node_1, std::uint64_t seed, std::uint64_t most)
      : to{to_node_0, to_node_1}, most_bytes(most), random(seed) {
    for (int node : {0, 1}) {
      ports[node] = acceptors[node].local_endpoint().port();
      accept_next(node);
    }
    thread = std::thread([this] { context.run(); });
  }

  void accept_next(int node) {
    acceptors[node].async_accept([this, node](const std::error_code& error, tcp::socket socket) {
      if (error) return;
      const auto pair = std::make_shared<Pair>(std::move(socket), context);
      const bool is_cut = most_bytes != 0 && cuts < kMostCuts;
      pair->bytes_left = is_cut ? random() % most_bytes : ~std::uint64_t{0};
      for (double& haste : pair->haste)
        haste = random() % 2 == 0 ? 1.0 : 0.02;
      std::error_code failed;
      pair->ends[1].connect(loopback(to[node]), failed);
      if (!failed) {
        ++calls;
        ++open;
        pairs.push_back(pair);
        for (tcp::socket& end : pair->ends)
          end.set_option(tcp::no_delay(true));
        read(pair, 0, node);
        read(pair, 1, node);
      }
      accept_next(node);
    });
  }

  void read(const Place& pair, std::size_t from, int node) {
    pair->ends[from].async_read_some(
        asio::buffer(pair->buffers[from]),
        [this, pair, from, node](const std::error_code& error, std::size_t count) {
          if (!pair->is_open) return;
          if (error) {
            pair->has_ended[from] = true;
          } else {
            pair->held[from].append(pair->buffers[from].data(), count);
            has_spoken[node] = true;
          }
          turn_soon();
          if (!error) read(pair, from, node);
        });
  }

  void turn_soon() {
    if (!has_spoken[0] || !has_spoken[1] || std::exchange(is_turning, true)) return;
    asio::post(context, [this] { turn(); });
  }

  // Moves a little in one direction.
  void turn() {
    is_turning = false;
    std::vector<std::pair<Place, std::size_t>> ready;
    for (const Place& pair : pairs) {
      for (const std::size_t from : {0u, 1u}) {
        if (!pair->held[from].empty() || pair->has_ended[from]) ready.emplace_back(pair, from);
      }
    }
    if (ready.empty()) return;
    const auto& [pair, from] = ready[random() % ready.size()];
    if (std::uniform_real_distribution<double>()(random) < pair->haste[from]) move(pair, from);
    turn_soon();
  }

  void move(const Place& pair, std::size_t from) {
    std::string& held = pair->held[from];
    if (held.empty()) return close(pair);
    const std::uint64_t wanted = std::min<std::uint64_t>(held.size(), 1 + random() % 2000);
    const std::uint64_t count = std::min(wanted, pair->bytes_left);
    std::error_code failed;
    asio::write(pair->ends[1 - from], asio::buffer(held.data(), count), failed);
    held.erase(0, count);
    pair->bytes_left -= count;
    if (pair->bytes_left == 0) ++cuts;
    if (failed || pair->bytes_left == 0) close(pair);
  }

  void close(const Place& pair) {
    std::error_code ignored;
    pair->is_open = false;
    for (tcp::socket& end : pair->ends)
      end.close(ignored);
    --open;
    const Place gone = pair;
    std::erase(pairs, gone);
  }

  std::array<std::uint16_t, 2> to;
  std::uint64_t most_bytes;
  std::mt19937_64 random;
  asio::io_context context;
  std::array<tcp::acceptor, 2> acceptors = {tcp::acceptor(context, loopback(0)),
                                            tcp::acceptor(context, loopback(0))};
  std::array<std::uint16_t, 2> ports = {};
  std::vector<Place> pairs;
  std::array<bool, 2> has_spoken = {};
  bool is_turning = false;
  std::atomic<int> calls = 0;
  std::atomic<int> open = 0;
  std::atomic<int> cuts = 0;
  std::thread thread;
};

CallExchange::CallExchange(std::uint16_t to_node_0, std::uint16_t to_node_1, std::uint64_t seed,
                           std::uint64_t most_bytes)
    : state_(std::make_unique<State>(to_node_0, to_node_1, seed, most_bytes)) {}

CallExchange::~CallExchange() {
  state_->context.stop();
  state_->thread.join();
}

std::uint16_t CallExchange::port_of(int node) const {
  return state_->ports[node];
}

int CallExchange::calls() const {
  return state_->calls;
}

int CallExchange::open() const {
  return state_->open;
}

int CallExchange::cuts() const {
  return state_->cuts;
}

}  // namespace gossamer::testing
