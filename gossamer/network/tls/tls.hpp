#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gossamer/base/ids.hpp"
#include "gossamer/base/result.hpp"
#include "gossamer/base/time.hpp"
#include "gossamer/events/sink.hpp"
#include "gossamer/network/network.hpp"

namespace gossamer {

/// Where another node is reached.
struct TlsPeer {
  NodeId id = 0;
  std::string host;
  std::string port;
};

/// PEM files. Node i's certificate has the subject common name "gossamer node i" and is signed by
/// the cluster's authority.
struct TlsCredentials {
  std::string authority;
  std::string certificate;
  std::string private_key;
  /// A list of certificates that the authority has revoked. It may appear and change later: it is
  /// looked at whenever somebody calls, and every few seconds. Empty: there is none.
  std::string revoked = {};
};

/// A node, its peers, and how it is reached by them. What has no default must be given.
struct TlsSetup {
  NodeId self = 0;
  NodeId size = 1;
  /// Whom this node talks to from the beginning.
  std::vector<TlsPeer> peers;
  /// Whom it may talk to later: called after reach(), let in whenever they call, and neither waited
  /// for nor reported as lost before. Nobody else is let in.
  std::vector<TlsPeer> reserves;

  /// "" is any address, port "0" any free port.
  std::string listen_host;
  std::string listen_port = "0";

  /// Nothing: plain TCP, where everybody is who he says he is. The caller has made the user ask
  /// for it.
  std::optional<TlsCredentials> credentials;

  /// How long a link that was up may be down or silent before its peer is lost.
  Duration deadline = std::chrono::seconds(10);
  /// How long a peer may take to come the first time.
  Duration start_deadline = std::chrono::minutes(5);

  /// Frames that claim more are refused before anything is allocated.
  std::uint64_t max_payload = std::uint64_t{1} << 32;

  /// What the two ends of a link are here for. Peers that came for something else are refused: a
  /// check of the network does not take part in a run.
  std::uint8_t purpose = 0;

  /// A digest of the settings that both ends of a link must have in common; 0 where nobody says.
  /// Messages of a peer with another one are refused: they would be decoded by other rules.
  std::uint32_t run = 0;

  /// Told of callers that are refused, links that are down or up again, and peers that are lost or
  /// back, on any thread. Their round is that of the last frame that this node sent. Null: nobody
  /// is told. Must outlive the network, and must not use it.
  EventSink* events = nullptr;
};

/// How a link is doing.
struct LinkStatistics {
  NodeId peer = 0;
  bool is_up = false;
  /// Smoothed; zero until measured.
  Duration round_trip{};
  /// On the socket, with all that TLS adds, over all connections of this link.
  std::uint64_t bytes_sent = 0;
  std::uint64_t bytes_received = 0;
  /// Connections after the first one.
  std::uint64_t reconnects = 0;
  /// Payload that the peer has not confirmed yet.
  std::uint64_t unconfirmed_bytes = 0;
};

/// A port that is taken already, but where nobody answers yet: calls wait. So a port that the
/// system chose can be told to the peers before the network opens.
class TlsListener {
 public:
  [[nodiscard]] static Result<TlsListener> bind(const std::string& host, const std::string& port);

  TlsListener(TlsListener&& other) noexcept;
  TlsListener& operator=(TlsListener&& other) noexcept;
  ~TlsListener();

  [[nodiscard]] std::uint16_t port() const { return port_; }

  /// Hands over the socket.
  [[nodiscard]] int release();

 private:
  TlsListener(int descriptor, std::uint16_t port) : descriptor_(descriptor), port_(port) {}

  int descriptor_;
  std::uint16_t port_;
};

/// A node among peers that it reaches by TCP, encrypted or plain. docs/links.md says what happens
/// on a link.
///
/// Thread safety: as every Network, used by one thread. While that thread is elsewhere, a thread of
/// the network's own goes on sending and receiving.
class TlsNetwork final : public Network {
 public:
  class Impl;

  explicit TlsNetwork(std::unique_ptr<Impl> impl);
  /// Says goodbye, and waits until the peers have all that was sent to them, or the deadline.
  ~TlsNetwork() override;

  [[nodiscard]] NodeId self() const override;
  [[nodiscard]] NodeId size() const override;
  [[nodiscard]] Arrival receive(Time deadline) override;
  [[nodiscard]] Time now() const override;
  void spend(Duration compute) override;
  [[nodiscard]] std::vector<Trouble> troubles() const override;
  void forget_absent() override;
  void reach(NodeId peer) override;
  void part_from(NodeId peer) override;

  [[nodiscard]] std::uint16_t port() const;
  /// One for each peer, in the order of the set-up, then for each reserve that was connected.
  [[nodiscard]] std::vector<LinkStatistics> links() const;

  /// Closes all sockets without a word, as a crash does. Nothing arrives any more.
  void abandon();

 private:
  void deliver(NodeId to, FrameKind kind, Round round, const Message& message) override;

  std::unique_ptr<Impl> impl_;
};

/// Bad key files, an occupied port, a peer that is no node of the run: a sentence.
[[nodiscard]] Result<std::unique_ptr<TlsNetwork>> open_tls(const TlsSetup& setup);

/// On a port that was bound before; listen_host and listen_port are not looked at.
[[nodiscard]] Result<std::unique_ptr<TlsNetwork>> open_tls(const TlsSetup& setup,
                                                           TlsListener listener);

}  // namespace gossamer
