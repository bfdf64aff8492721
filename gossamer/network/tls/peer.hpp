#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "gossamer/network/tls/calls.hpp"
#include "gossamer/network/tls/link.hpp"
#include "gossamer/network/tls/round_trip.hpp"
#include "gossamer/network/tls/tls.hpp"
#include "gossamer/network/tls/wire.hpp"

namespace gossamer::tls {

/// All that a node knows of one of its peers.
struct Peer {
  Peer(const TlsPeer& where, NodeId self, std::uint32_t run)
      : place(where), link(self, run), calls(self > where.id) {}

  TlsPeer place;
  Link link;

  // Whether the node wants to talk to it: it is called, and missed. A reserve is not, at first.
  bool is_wanted = true;
  bool is_reserve = false;
  /// Since when it is awaited after reach(); nothing once its coming or its absence was told.
  std::optional<Clock::time_point> reached_at;
  /// The node has parted from it, and it has not confirmed that yet. Nobody here misses it.
  bool is_parting = false;
  /// What answers its last session, which has said goodbye: a caller that missed our receipt.
  std::optional<Hello> farewell;

  // Sessions. Frames are numbered within a pair of them; another one of the peer's means that it
  // started anew, or gave this node up.
  std::uint64_t session = 0;
  std::uint64_t peer_session = 0;  // 0 until the peer was met

  // The connection; null while the link is down.
  std::unique_ptr<Wire> wire;
  bool was_up = false;
  bool is_told_down = false;
  bool is_lost = false;
  bool is_told_lost = false;
  /// Losses and returns that the node has not heard of yet.
  std::uint64_t unheard_news = 0;
  Clock::time_point last_heard = Clock::now();
  /// How things are while the link is down: "it was silent". The loss says for how long.
  std::string trouble = "it did not come";
  /// What was wrong with the frames that it sent; ends the connection.
  std::string fault;
  /// It would send the same again on another connection.
  bool fault_stays = false;

  // Calls, by both ends.
  Calls calls;
  Clock::time_point next_dial = Clock::now();
  Clock::duration dial_pause = std::chrono::milliseconds(10);

  // Signs of life.
  RoundTrip round_trip;
  Clock::time_point next_heartbeat;
  std::uint64_t asked_heartbeat = 0;  // 0: no answer is awaited
  Clock::time_point asked_at;
  Clock::time_point receipt_due = Clock::time_point::max();

  // Back-pressure.
  std::uint64_t largest_frame = 0;
  std::uint64_t inbox_bytes = 0;  // what its frames cost that the node has not taken
  bool is_paused = false;         // nothing is read until the node has taken what came

  /// Whether what the node sends now means anything to the peer. Not from a loss on until the node
  /// has heard that the peer is back: it would be an answer to what is gone.
  [[nodiscard]] bool takes_messages() const { return !is_lost && !is_parting && unheard_news == 0; }

  // Of connections that are over.
  std::uint64_t bytes_sent = 0;
  std::uint64_t bytes_received = 0;
  std::uint64_t connections = 0;
};

}  // namespace gossamer::tls
