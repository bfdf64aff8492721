#include "gossamer/network/sockets/event_loop.hpp"

#include <asio.hpp>
#include <cerrno>
#include <sys/socket.h>
#include <utility>

#include <fmt/format.h>

namespace gossamer::tls {

using asio::ip::tcp;

struct Socket::State {
  explicit State(tcp::socket connected) : socket(std::move(connected)) {
    std::error_code ignored;
    socket.non_blocking(true, ignored);
    socket.set_option(tcp::no_delay(true), ignored);
    const tcp::endpoint remote = socket.remote_endpoint(ignored);
    asio::ip::address from = remote.address();
    // A socket for both families shows callers of the older one in the form of the newer.
    if (from.is_v6() && from.to_v6().is_v4_mapped()) {
      from = asio::ip::make_address_v4(asio::ip::v4_mapped, from.to_v6());
    }
    host = from.to_string();
    address = from.is_v6() ? fmt::format("[{}]:{}", host, remote.port())
                           : fmt::format("{}:{}", host, remote.port());
  }

  void await_bytes(std::size_t bytes) {
    if (std::exchange(awaited_bytes, bytes) == bytes) return;
    std::error_code ignored;
    socket.set_option(tcp::socket::receive_low_watermark(static_cast<int>(bytes)), ignored);
  }

  tcp::socket socket;
  std::string address;
  std::string host;
  std::function<void()> readable;
  std::function<void()> writable;
  bool awaits_readable = false;
  std::size_t awaited_bytes = 1;
  bool awaits_writable = false;
  bool awaits_turn = false;
};

Socket::Socket(std::shared_ptr<State> state) : state_(std::move(state)) {}

Socket::~Socket() {
  close();
}

int Socket::descriptor() const {
  return state_->socket.native_handle();
}

const std::string& Socket::address() const {
  return state_->address;
}

const std::string& Socket::host() const {
  return state_->host;
}

void Socket::on_ready(std::function<void()> readable, std::function<void()> writable) {
  state_->readable = std::move(readable);
  state_->writable = std::move(writable);
}

// The state outlives the call that it makes, also when that call destroys the socket.
void Socket::wait_readable(std::size_t bytes) {
  if (!state_->socket.is_open()) return;
  state_->await_bytes(bytes);
  if (std::exchange(state_->awaits_readable, true)) return;
  state_->socket.async_wait(tcp::socket::wait_read, [state = state_](const std::error_code&) {
    state->awaits_readable = false;
    if (state->socket.is_open()) state->readable();
  });
}

void Socket::read_again() {
  if (!state_->socket.is_open() || std::exchange(state_->awaits_turn, true)) return;
  asio::post(state_->socket.get_executor(), [state = state_] {
    state->awaits_turn = false;
    if (state->socket.is_open()) state->readable();
  });
}

void Socket::wait_writable() {
  if (!state_->socket.is_open() || std::exchange(state_->awaits_writable, true)) return;
  state_->socket.async_wait(tcp::socket::wait_write, [state = state_](const std::error_code&) {
    state->awaits_writable = false;
    if (state->socket.is_open()) state->writable();
  });
}

bool Socket::has_ended() const {
  char next = 0;
  const ssize_t count = ::recv(descriptor(), &next, 1, MSG_PEEK | MSG_DONTWAIT);
  return count == 0 || (count < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}

void Socket::end_sending() {
  std::error_code ignored;
  state_->socket.shutdown(tcp::socket::shutdown_send, ignored);
}

void Socket::close() {
  std::error_code ignored;
  state_->socket.close(ignored);
}

struct EventLoop::Impl {
  // One thread runs it at a time, which saves waking others.
  asio::io_context context{1};
  asio::executor_work_guard<asio::io_context::executor_type> work{context.get_executor()};
  asio::steady_timer alarm{context};
  std::function<void()> on_alarm;
  tcp::acceptor acceptor{context};
  std::function<void(std::unique_ptr<Socket>)> accepted;
  bool accepting_pauses = false;

  void accept_next() {
    acceptor.async_accept([this](const std::error_code& error, tcp::socket socket) {
      if (!acceptor.is_open()) return;
      if (!error) {
        accepted(std::make_unique<Socket>(std::make_shared<Socket::State>(std::move(socket))));
      } else if (error == asio::error::no_descriptors) {
        // Trying again at once would keep a processor busy; the next alarm tries again.
        accepting_pauses = true;
        return;
      }
      if (acceptor.is_open()) accept_next();
    });
  }
};

EventLoop::EventLoop() : impl_(std::make_unique<Impl>()) {}

EventLoop::~EventLoop() = default;

void EventLoop::run_one() {
  impl_->context.run_one();
}

void EventLoop::run_one_until(Clock::time_point deadline) {
  impl_->context.run_one_until(deadline);
}

void EventLoop::poll() {
  impl_->context.poll();
}

void EventLoop::interrupt() {
  impl_->context.stop();
}

void EventLoop::resume() {
  if (impl_->context.stopped()) impl_->context.restart();
}

void EventLoop::listen(int descriptor, std::function<void(std::unique_ptr<Socket>)> accepted) {
  sockaddr_storage address{};
  socklen_t length = sizeof(address);
  ::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &length);
  impl_->acceptor.assign(address.ss_family == AF_INET6 ? tcp::v6() : tcp::v4(), descriptor);
  impl_->accepted = std::move(accepted);
  impl_->accept_next();
}

void EventLoop::stop_listening() {
  std::error_code ignored;
  impl_->acceptor.close(ignored);
}

void EventLoop::on_alarm(std::function<void()> alarm) {
  impl_->on_alarm = std::move(alarm);
}

void EventLoop::set_alarm(Clock::time_point time) {
  impl_->alarm.expires_at(time);
  impl_->alarm.async_wait([this](const std::error_code& error) {
    if (error) return;
    if (std::exchange(impl_->accepting_pauses, false)) impl_->accept_next();
    impl_->on_alarm();
  });
}

struct EventLoop::Dial::State {
  State(asio::io_context& context, Dialled callback)
      : resolver(context), socket(context), dialled(std::move(callback)) {}

  tcp::resolver resolver;
  tcp::socket socket;
  Dialled dialled;
  bool given_up = false;

  void fail(const std::error_code& error) {
    if (given_up) return;
    if (error == asio::error::connection_refused)
      return dialled(Error{"its connection was refused"});
    dialled(Error{fmt::format("it could not be reached ({})", error.message())});
  }
};

EventLoop::Dial::~Dial() {
  std::error_code ignored;
  state_->given_up = true;
  state_->resolver.cancel();
  state_->socket.close(ignored);
}

std::unique_ptr<EventLoop::Dial> EventLoop::dial(const std::string& host, const std::string& port,
                                                 Dialled dialled) {
  auto state = std::make_shared<Dial::State>(impl_->context, std::move(dialled));
  const auto connected = [state](const std::error_code& error, const tcp::endpoint&) {
    if (error) return state->fail(error);
    if (state->given_up) return;
    state->dialled(
        std::make_unique<Socket>(std::make_shared<Socket::State>(std::move(state->socket))));
  };
  state->resolver.async_resolve(
      host, port, [state, connected](const std::error_code& error, const auto& endpoints) {
        if (error) return state->fail(error);
        if (!state->given_up) asio::async_connect(state->socket, endpoints, connected);
      });
  return std::make_unique<Dial>(state);
}

namespace {

std::error_code bind_to(tcp::acceptor& acceptor, const tcp::endpoint& endpoint) {
  std::error_code error;
  if (acceptor.is_open()) acceptor.close(error);
  acceptor.open(endpoint.protocol(), error);
  if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error && endpoint.address().is_v6()) {
    acceptor.set_option(asio::ip::v6_only(!endpoint.address().is_unspecified()), error);
  }
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(tcp::acceptor::max_listen_connections, error);
  return error;
}

}  // namespace

Result<BoundSocket> bind_socket(const std::string& host, const std::string& port) {
  asio::io_context context;
  tcp::resolver resolver(context);
  std::error_code error;
  const auto found = resolver.resolve(host.empty() ? "0.0.0.0" : host, port, error);
  const std::string place = host.empty() ? "port " + port : fmt::format("{}:{}", host, port);
  if (error) {
    return Error{fmt::format("cannot listen on {}: {}; name an address of this machine, or none",
                             place, error.message())};
  }
  std::vector<tcp::endpoint> endpoints;
  if (host.empty()) endpoints.emplace_back(tcp::v6(), found.begin()->endpoint().port());
  for (const auto& entry : found)
    endpoints.push_back(entry.endpoint());
  tcp::acceptor acceptor(context);
  for (const tcp::endpoint& endpoint : endpoints) {
    error = bind_to(acceptor, endpoint);
    if (error) continue;
    const std::uint16_t bound = acceptor.local_endpoint().port();
    return BoundSocket{acceptor.release(), bound};
  }
  return Error{fmt::format("cannot listen on {}: {}; choose another port, or stop who has it",
                           place, error.message())};
}

}  // namespace gossamer::tls
