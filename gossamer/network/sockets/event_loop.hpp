#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "gossamer/base/result.hpp"

namespace gossamer::tls {

using Clock = std::chrono::steady_clock;

/// A connected socket that never blocks. Calls back once for each time it is asked to wait, and not
/// at all once it is closed.
class Socket {
 public:
  struct State;

  explicit Socket(std::shared_ptr<State> state);
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  /// Closes it.
  ~Socket();

  [[nodiscard]] int descriptor() const;

  /// Of the other end, with its port.
  [[nodiscard]] const std::string& address() const;

  /// The other end's address alone: what stays the same when it calls again.
  [[nodiscard]] const std::string& host() const;

  void on_ready(std::function<void()> readable, std::function<void()> writable);
  /// Until so many bytes have come, or as many as the system keeps, or the stream is over.
  void wait_readable(std::size_t bytes = 1);
  void wait_writable();
  /// Calls back as if it were readable, after all others who are ready.
  void read_again();

  /// Whether the other end has closed it, and all that it sent was read.
  [[nodiscard]] bool has_ended() const;

  /// The other end sees the end of the stream; it can still send.
  void end_sending();
  void close();

 private:
  std::shared_ptr<State> state_;
};

/// Sockets, names and an alarm. Thread safety: one thread at a time, except interrupt(). The only
/// code that sees Asio.
class EventLoop {
 public:
  EventLoop();
  ~EventLoop();

  // Running: calls what has become ready.

  /// Waits until something was called, or it is interrupted.
  void run_one();
  void run_one_until(Clock::time_point deadline);
  /// Does not wait.
  void poll();

  /// Ends run_one() on another thread, also one that begins later, until resume(). Thread-safe.
  void interrupt();
  void resume();

  // What can become ready.

  /// Takes over a listening socket.
  void listen(int descriptor, std::function<void(std::unique_ptr<Socket>)> accepted);
  void stop_listening();

  /// A call under way. Nothing is called back once it is gone.
  class Dial {
   public:
    struct State;

    explicit Dial(std::shared_ptr<State> state) : state_(std::move(state)) {}

    Dial(const Dial&) = delete;
    Dial& operator=(const Dial&) = delete;
    ~Dial();

   private:
    std::shared_ptr<State> state_;
  };

  /// Resolves the name each time: addresses change. An error is half a sentence, "it could not be
  /// reached".
  using Dialled = std::function<void(Result<std::unique_ptr<Socket>>)>;
  [[nodiscard]] std::unique_ptr<Dial> dial(const std::string& host, const std::string& port,
                                           Dialled dialled);

  void on_alarm(std::function<void()> alarm);
  /// Replaces the time of an alarm that was set before.
  void set_alarm(Clock::time_point time);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

struct BoundSocket {
  int descriptor = -1;
  std::uint16_t port = 0;
};

/// A listening socket; the caller closes it. "" is any address, of both families where there are
/// two.
[[nodiscard]] Result<BoundSocket> bind_socket(const std::string& host, const std::string& port);

}  // namespace gossamer::tls
