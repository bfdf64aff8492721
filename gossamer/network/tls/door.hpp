#pragma once

#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>

#include "gossamer/base/time.hpp"
#include "gossamer/network/sockets/credentials.hpp"
#include "gossamer/network/sockets/event_loop.hpp"
#include "gossamer/network/tls/refusals.hpp"
#include "gossamer/network/tls/tls.hpp"
#include "gossamer/network/tls/wire.hpp"

namespace gossamer::tls {

/// Everything before a connection belongs to a link: calls in both directions, handshakes, hellos,
/// and the check of who is there. Strangers get no further, cost little, and leave one event.
class Door final : public WireKeeper {
 public:
  /// Whom the door asks and tells.
  class House {
   public:
    House() = default;
    House(const House&) = delete;
    House& operator=(const House&) = delete;
    virtual ~House() = default;

    [[nodiscard]] virtual bool is_peer(NodeId node) const = 0;
    /// Whether a certificate counts no more, as things are now.
    [[nodiscard]] virtual bool is_revoked(const std::string& serial) = 0;
    /// The first words of a call.
    [[nodiscard]] virtual Hello call_hello(NodeId peer) = 0;
    virtual void admit(std::unique_ptr<Wire> wire, NodeId peer, const Hello& hello, Side side) = 0;
    /// Whether a link has come up since then.
    [[nodiscard]] virtual bool has_linked_since(Clock::time_point time) const = 0;
    /// `reason` is how things are: "its connection was refused".
    virtual void dial_failed(NodeId peer, const std::string& reason) = 0;
    virtual void wake_by(Clock::time_point time) = 0;
    virtual void caller_refused(const CallerRefused& refused) = 0;
  };

  Door(EventLoop& loop, House& house, const TlsSetup& setup,
       std::optional<Credentials> credentials);

  /// Takes over a listening socket.
  void listen(int descriptor);

  void dial(const TlsPeer& peer);
  [[nodiscard]] bool is_dialling(NodeId peer) const;
  /// Whether we call it, and have said hello, which it may have taken.
  [[nodiscard]] bool awaits_answer(NodeId peer) const;
  /// Gives a call of ours up.
  void hang_up(NodeId peer);

  /// Sends those away who take too long.
  void tick(Clock::time_point now);

  /// Tells of a caller; the caller itself is closed by whoever has it.
  void tell_refused(const Wire& wire, const std::string& reason);

  void close();

  void readable(Wire& wire) override;
  void writable(Wire& wire) override;

 private:
  struct Caller {
    std::optional<NodeId> dialled;  // whom we called
    Clock::time_point since = Clock::now();
    Clock::time_point until;
    std::unique_ptr<EventLoop::Dial> dial;
    std::unique_ptr<Wire> wire;
    bool is_encrypted = false;  // the handshake is over, and who called has said hello
    std::optional<NodeId> certified;

    [[nodiscard]] Side side() const { return dialled ? Side::kDialled : Side::kAccepted; }
  };

  using Place = std::list<Caller>::iterator;

  [[nodiscard]] Place place_of(const Wire& wire);
  [[nodiscard]] Clock::duration patience() const;
  void accept(std::unique_ptr<Socket> socket);
  void connect(Place caller, std::unique_ptr<Socket> socket);
  void advance(Place caller);
  [[nodiscard]] bool finish_handshake(Place caller);
  void await_hello(Place caller);
  [[nodiscard]] Result<NodeId> identify(const Caller& caller, const FrameHeader& header) const;
  [[nodiscard]] Result<Hello> check_hello(const Caller& caller, const IncomingFrame& frame) const;
  /// The connection is over, for the reason that the stream has.
  void send_away(Place caller, Progress progress);
  void refuse(Place caller, const std::string& reason);

  EventLoop& loop_;
  House& house_;
  const TlsSetup& setup_;
  std::optional<Credentials> credentials_;
  std::list<Caller> callers_;
  Refusals refusals_;
};

}  // namespace gossamer::tls
