#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace gossamer::testing {

/// Stands between two peers, passes bytes on, and cuts connections after random numbers of them,
/// in the middle of whatever is under way. Whoever calls again is put through again.
class CuttingProxy {
 public:
  /// Each connection lives for some of `most_bytes`; 0: no connection is cut.
  CuttingProxy(std::uint16_t to_port, std::uint64_t seed, std::uint64_t most_bytes);
  CuttingProxy(const CuttingProxy&) = delete;
  CuttingProxy& operator=(const CuttingProxy&) = delete;
  ~CuttingProxy();

  [[nodiscard]] std::uint16_t port() const;

  /// How many connections were cut so far.
  [[nodiscard]] int cuts() const;

  /// No connection is cut from now on.
  void heal();

  /// Stops passing bytes on, but keeps connections open: a link that died without a word. New
  /// connections are taken and lead nowhere.
  void fall_silent();

  /// What comes from now on is passed on again: on new connections.
  void speak_again();

  /// What the callers sent in their first connection.
  [[nodiscard]] std::string recorded() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A port that nobody else gets, and that refuses all calls.
class DeadPort {
 public:
  DeadPort();
  DeadPort(const DeadPort&) = delete;
  DeadPort& operator=(const DeadPort&) = delete;
  ~DeadPort();

  [[nodiscard]] std::uint16_t port() const { return port_; }

 private:
  int descriptor_;
  std::uint16_t port_ = 0;
};

}  // namespace gossamer::testing
