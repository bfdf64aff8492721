#include "tests/network/cutting_proxy.hpp"

#include <algorithm>
#include <array>
#include <asio.hpp>
#include <atomic>
#include <mutex>
#include <netinet/in.h>
#include <random>
#include <stdexcept>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace gossamer::testing {

using asio::ip::tcp;

namespace {

tcp::endpoint loopback(std::uint16_t port) {
  return {asio::ip::address_v4::loopback(), port};
}

}  // namespace

struct CuttingProxy::State {
  State(std::uint16_t to, std::uint64_t seed, std::uint64_t most)
      : to_port(to), most_bytes(most), random(seed), acceptor(context, loopback(0)) {
    port = acceptor.local_endpoint().port();
    accept_next();
    thread = std::thread([this] { context.run(); });
  }

  /// Two sockets, one of each peer.
  struct Pair {
    Pair(tcp::socket from, asio::io_context& context)
        : ends{std::move(from), tcp::socket(context)} {}

    tcp::socket ends[2];
    std::array<std::array<char, 4096>, 2> buffers{};
    std::uint64_t bytes_left = 0;
    bool is_recorded = false;
    bool is_dead = false;

    void close() {
      std::error_code ignored;
      for (tcp::socket& end : ends)
        end.close(ignored);
    }
  };

  void accept_next() {
    acceptor.async_accept([this](const std::error_code& error, tcp::socket socket) {
      if (error) return;
      const auto pair = std::make_shared<Pair>(std::move(socket), context);
      pair->bytes_left = most_bytes == 0 ? ~std::uint64_t{0} : random() % most_bytes;
      pair->is_recorded = connections++ == 0;
      pair->ends[1].async_connect(loopback(to_port), [this, pair](const std::error_code& failed) {
        if (failed) return pair->close();
        for (tcp::socket& end : pair->ends)
          end.set_option(tcp::no_delay(true));
        pass_on(pair, 0);
        pass_on(pair, 1);
      });
      accept_next();
    });
  }

  void pass_on(const std::shared_ptr<Pair>& pair, std::size_t from) {
    pair->ends[from].async_read_some(
        asio::buffer(pair->buffers[from]),
        [this, pair, from](const std::error_code& error, std::size_t count) {
          if (error) return pair->close();
          // A stream with a hole in it makes no sense: this one stays silent.
          if (is_silent) pair->is_dead = true;
          if (pair->is_dead) return pass_on(pair, from);
          if (pair->is_recorded && from == 0) {
            const std::lock_guard lock(mutex);
            record.append(pair->buffers[from].data(), count);
          }
          const bool is_cut = count >= pair->bytes_left && !is_healed;
          const std::size_t passed = is_cut ? static_cast<std::size_t>(pair->bytes_left) : count;
          pair->bytes_left -= std::min<std::uint64_t>(passed, pair->bytes_left);
          asio::async_write(pair->ends[1 - from], asio::buffer(pair->buffers[from], passed),
                            [this, pair, from, is_cut](const std::error_code& failed, std::size_t) {
                              if (is_cut && !failed) ++cuts;
                              if (is_cut || failed) return pair->close();
                              pass_on(pair, from);
                            });
        });
  }

  std::uint16_t to_port;
  std::uint64_t most_bytes;
  std::mt19937_64 random;
  std::uint16_t port = 0;
  int connections = 0;
  std::atomic<int> cuts = 0;
  std::atomic<bool> is_silent = false;
  std::atomic<bool> is_healed = false;
  mutable std::mutex mutex;
  std::string record;
  asio::io_context context;
  tcp::acceptor acceptor;
  std::thread thread;
};

CuttingProxy::CuttingProxy(std::uint16_t to_port, std::uint64_t seed, std::uint64_t most_bytes)
    : state_(std::make_unique<State>(to_port, seed, most_bytes)) {}

CuttingProxy::~CuttingProxy() {
  state_->context.stop();
  state_->thread.join();
}

std::uint16_t CuttingProxy::port() const {
  return state_->port;
}

int CuttingProxy::cuts() const {
  return state_->cuts;
}

void CuttingProxy::heal() {
  state_->is_healed = true;
}

void CuttingProxy::fall_silent() {
  state_->is_silent = true;
}

void CuttingProxy::speak_again() {
  state_->is_silent = false;
}

std::string CuttingProxy::recorded() const {
  const std::lock_guard lock(state_->mutex);
  return state_->record;
}

// Bound, and never made to listen.
DeadPort::DeadPort() : descriptor_(::socket(AF_INET, SOCK_STREAM, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof(address);
  if (::bind(descriptor_, reinterpret_cast<const sockaddr*>(&address), length) != 0 ||
      ::getsockname(descriptor_, reinterpret_cast<sockaddr*>(&address), &length) != 0)
    throw std::runtime_error("no port is free");
  port_ = ntohs(address.sin_port);
}

DeadPort::~DeadPort() {
  ::close(descriptor_);
}

}  // namespace gossamer::testing
