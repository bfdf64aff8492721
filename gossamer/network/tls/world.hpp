#pragma once

#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "gossamer/base/ring_queue.hpp"
#include "gossamer/network/sockets/event_loop.hpp"
#include "gossamer/network/tls/door.hpp"
#include "gossamer/network/tls/peer.hpp"
#include "gossamer/network/tls/tls.hpp"

namespace gossamer::tls {

/// The links of one node, and what came over them. docs/links.md tells how they live.
/// Thread safety: none; whoever holds the token of the Handover calls it.
class World final : public Door::House, public WireKeeper {
 public:
  World(EventLoop& loop, const TlsSetup& setup, std::optional<Credentials> credentials,
        EventSource events);

  void open(int listening_descriptor);

  // What the node does.

  [[nodiscard]] Peer& peer_of(NodeId node);

  /// Whether there is room for one more message to this peer, or no use in waiting for it.
  [[nodiscard]] bool takes_more(const Peer& peer) const;
  void push(Peer& peer, FrameKind kind, Round round, const Message& message,
            const PayloadSeal& seal);

  [[nodiscard]] std::optional<Arrival> take_arrival();

  void reach(Peer& peer);
  void part_from(Peer& peer);

  /// Whether a socket took less than there was.
  [[nodiscard]] bool has_unsent() const;

  [[nodiscard]] std::vector<LinkStatistics> statistics() const;

  /// Of all whose links are down.
  [[nodiscard]] std::vector<Trouble> troubles() const;

  /// Those who never came are lost, without a word.
  void forget_absent();

  // How it ends.

  /// Goodbye to all. What comes from now on is thrown away.
  void say_goodbye();
  /// Whether all peers have all that they will get.
  [[nodiscard]] bool is_settled() const;
  /// Nothing more is sent; a peer's end then shows that it has read everything.
  void end_sending();
  [[nodiscard]] bool has_wires() const;
  void close();

  // For the door.

  [[nodiscard]] bool is_peer(NodeId node) const override;
  [[nodiscard]] bool is_revoked(const std::string& serial) override;
  [[nodiscard]] Hello call_hello(NodeId peer) override;
  void admit(std::unique_ptr<Wire> wire, NodeId peer, const Hello& hello, Side side) override;
  [[nodiscard]] bool has_linked_since(Clock::time_point time) const override;
  void dial_failed(NodeId peer, const std::string& reason) override;
  void wake_by(Clock::time_point time) override;
  void caller_refused(const CallerRefused& refused) override;

  // For wires of links that are up.

  void readable(Wire& wire) override;
  void writable(Wire& wire) override;

 private:
  /// Null if it is no peer.
  [[nodiscard]] Peer* find(NodeId node) const;
  [[nodiscard]] Peer& peer_on(const Wire& wire);

  // Links that are up: world_frames.cpp. The functions with an answer say whether it still is.
  bool read(Peer& peer);
  void read_on(Peer& peer);
  bool write(Peer& peer);
  void take(Peer& peer, IncomingFrame& frame);
  void take_receipt(Peer& peer, const IncomingFrame& frame);
  void take_numbered(Peer& peer, IncomingFrame& frame);
  void take_goodbye(Peer& peer, const IncomingFrame& frame);
  [[nodiscard]] static bool owes_nothing(const Peer& peer);
  void schedule_receipt(Peer& peer);
  [[nodiscard]] std::uint64_t most_bytes(const Peer& peer) const;

  // How links come and go: world_calls.cpp.
  [[nodiscard]] Hello hello_to(const Peer& peer) const;
  [[nodiscard]] static std::uint64_t known_taken(const Peer& peer, const Hello& hello);
  [[nodiscard]] static bool is_stale(const Peer& peer, const Hello& hello);
  [[nodiscard]] Result<void> agree(Peer& peer, const Hello& hello, Side side);
  void attach(Peer& peer, std::unique_ptr<Wire> wire, Side side);
  void put_down(Peer& peer);
  void drop_wire(Peer& peer, const std::string& reason);
  void tell_down(Peer& peer, const std::string& reason);
  void give_up(Peer& peer);
  void lose(Peer& peer, const std::string& reason);
  void finish_parting(Peer& peer);
  void tell(Peer& peer, Arrival::Kind news, const std::string& reason);
  [[nodiscard]] Clock::duration stand_back(const Peer& peer) const;
  void call(Peer& peer, Clock::time_point now);

  // Time: world.cpp.
  void meet(const TlsPeer& place, bool is_reserve);
  void tick();
  void tick_up(Peer& peer, Clock::time_point now);
  void tick_down(Peer& peer, Clock::time_point now);
  void look_for_revocations();
  [[nodiscard]] Clock::duration heartbeat_pause() const;
  [[nodiscard]] Clock::duration tolerated_silence(const Peer& peer) const;
  [[nodiscard]] std::uint64_t draw_session();

  EventLoop& loop_;
  const TlsSetup& setup_;
  EventSource events_;
  Round last_round_ = 0;  // of the frames sent
  std::optional<RevocationFile> revocations_;
  Clock::time_point next_look_ = Clock::time_point::min();  // at the file of revocations
  Door door_;
  std::vector<std::unique_ptr<Peer>> peers_;
  RingQueue<Arrival> inbox_;
  Clock::time_point opened_ = Clock::now();
  Clock::time_point last_linked_ = Clock::time_point::min();
  Clock::time_point alarm_ = Clock::time_point::max();
  bool is_ending_ = false;
  bool is_closed_ = false;
  std::mt19937_64 random_;
};

}  // namespace gossamer::tls
