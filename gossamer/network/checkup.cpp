#include "gossamer/network/checkup.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "gossamer/base/bytes.hpp"
#include "gossamer/base/text/units.hpp"

namespace gossamer {
namespace {

// Everything is an aside: [kind u8, serial u32, ...].
enum class Kind : std::uint8_t {
  kPing,    // what time is it?
  kPong,    // [wall clock i64, version]
  kBlock,   // [anything]: so many bytes
  kTaken,   // they are here
  kFinish,  // the sender has measured everybody
};

constexpr int kPings = 5;
constexpr std::size_t kFirstBlock = std::size_t{1} << 16;
constexpr std::size_t kLargestBlock = std::size_t{1} << 25;
constexpr std::size_t kLongestVersion = 64;

ByteWriter begin(Kind kind, std::uint32_t serial) {
  ByteWriter writer = Message::writer();
  writer.write(static_cast<std::uint8_t>(kind));
  writer.write(serial);
  return writer;
}

class Checkup {
 public:
  Checkup(Network& network, const std::vector<NodeId>& peers, const CheckupSetup& setup)
      : network_(network), setup_(setup) {
    for (const NodeId peer : peers) {
      results_.emplace(peer, PeerCheckup{.peer = peer});
      unfinished_.push_back(peer);
    }
  }

  std::map<NodeId, PeerCheckup> run() {
    // Each begins with the peer behind itself, so that they do not all ask the same one first.
    std::vector<NodeId> order = unfinished_;
    std::ranges::sort(order);
    std::rotate(order.begin(), std::ranges::upper_bound(order, network_.self()), order.end());
    send_to_all(Kind::kPing);
    measure_as_they_come(order);
    for (int pass = 1; pass < setup_.passes; ++pass) {
      for (const NodeId peer : order)
        measure(results_.at(peer));
    }
    send_to_all(Kind::kFinish);
    serve_the_others();
    return std::move(results_);
  }

 private:
  struct Reply {
    Time at;
    WallTime clock;  // of the peer
  };

  void measure_as_they_come(std::vector<NodeId> unmeasured) {
    const Time deadline = network_.now() + setup_.patience;
    while (!unmeasured.empty()) {
      // Those who are here do not wait for those who are not.
      const auto next = std::ranges::find_if(
          unmeasured, [&](NodeId peer) { return heard_.contains(peer) || is_lost(peer); });
      if (next != unmeasured.end()) {
        if (setup_.before_measuring && !is_lost(*next)) setup_.before_measuring(*next);
        measure(results_.at(*next));
        unmeasured.erase(next);
      } else if (!take(network_.receive(deadline))) {
        for (const NodeId peer : unmeasured)
          give_up(results_.at(peer));
        return;
      }
    }
  }

  void send_to_all(Kind kind) {
    for (const auto& [peer, result] : results_)
      network_.send_aside(peer, 0, Message(begin(kind, 0)));
  }

  [[nodiscard]] bool is_lost(NodeId peer) const { return !results_.at(peer).trouble.empty(); }

  void give_up(PeerCheckup& result) const {
    result.trouble = fmt::format("it did not answer for {}", format_duration(setup_.patience));
  }

  void measure(PeerCheckup& result) {
    if (ping(result)) measure_rate(result);
  }

  // The shortest round trip tells the time best: the least can have happened on its way.
  bool ping(PeerCheckup& result) {
    for (int i = 0; i < kPings; ++i) {
      const WallTime clock = setup_.wall_clock();
      const Time sent = network_.now();
      const auto reply = ask(result, begin(Kind::kPing, ++serial_));
      if (!reply) return false;
      const Duration trip = reply->at - sent;
      const bool is_first = result.round_trip == Duration::zero();
      if (!is_first && trip >= result.round_trip) continue;
      result.round_trip = trip;
      result.clock_ahead = reply->clock - (clock + trip / 2);
    }
    return true;
  }

  void measure_rate(PeerCheckup& result) {
    for (std::size_t size = kFirstBlock;; size *= 4) {
      ByteWriter block = begin(Kind::kBlock, ++serial_);
      std::ranges::fill(block.extend(size), std::uint8_t{0});
      const Time sent = network_.now();
      const auto reply = ask(result, std::move(block));
      if (!reply) return;
      const Duration under_way = std::max(reply->at - sent - result.round_trip, Duration(1));
      if (under_way < setup_.measured_for && size < kLargestBlock) continue;
      const double rate = static_cast<double>(size) / seconds(under_way);
      result.bytes_per_second = std::max(result.bytes_per_second, rate);
      return;
    }
  }

  // Sends a question and waits for its answer, while answering others.
  std::optional<Reply> ask(PeerCheckup& result, ByteWriter&& question) {
    if (!result.trouble.empty()) return std::nullopt;
    awaited_ = {result.peer, serial_};
    reply_.reset();
    network_.send_aside(result.peer, 0, Message(std::move(question)));
    const Time deadline = network_.now() + setup_.patience;
    while (!reply_ && result.trouble.empty()) {
      if (!take(network_.receive(deadline))) give_up(result);
    }
    return reply_;
  }

  void serve_the_others() {
    // They may have started as much later as one waits for them.
    while (!unfinished_.empty()) {
      if (!take(network_.receive(network_.now() + 2 * setup_.patience))) return;
    }
  }

  // Whether something came.
  bool take(const Arrival& arrival) {
    if (arrival.kind == Arrival::Kind::kTimedOut) return false;
    const auto found = results_.find(arrival.from);
    if (found == results_.end()) return true;
    if (arrival.kind == Arrival::Kind::kPeerLost) {
      note_loss(found->second, arrival.reason);
    } else if (arrival.kind == Arrival::Kind::kAside) {
      heard_.insert(arrival.from);
      try {
        read(found->second, arrival.message.payload());
      } catch (const CorruptMessage& error) {
        found->second.trouble = fmt::format("it sent what makes no sense: {}", error.what());
        std::erase(unfinished_, arrival.from);
      }
    }
    return true;
  }

  void note_loss(PeerCheckup& result, const std::string& reason) {
    const bool has_finished = std::erase(unfinished_, result.peer) == 0;
    // One that has measured everybody may leave before we see it go.
    if (has_finished && result.bytes_per_second > 0) return;
    if (result.trouble.empty()) result.trouble = reason.empty() ? "it ended" : reason;
  }

  void read(PeerCheckup& result, ByteView bytes) {
    ByteReader reader(bytes);
    const auto kind = static_cast<Kind>(reader.read<std::uint8_t>());
    const auto serial = reader.read<std::uint32_t>();
    switch (kind) {
      case Kind::kPing: {
        ByteWriter pong = begin(Kind::kPong, serial);
        pong.write<std::int64_t>(setup_.wall_clock().time_since_epoch().count());
        pong.write_bytes({reinterpret_cast<const std::uint8_t*>(setup_.version.data()),
                          std::min(setup_.version.size(), kLongestVersion)});
        return network_.send_aside(result.peer, 0, Message(std::move(pong)));
      }
      case Kind::kPong: {
        const WallTime clock(std::chrono::nanoseconds(reader.read<std::int64_t>()));
        const ByteView version = reader.read_bytes(std::min(reader.remaining(), kLongestVersion));
        result.version.assign(version.begin(), version.end());
        return note_reply(result.peer, serial, clock);
      }
      case Kind::kBlock:
        return network_.send_aside(result.peer, 0, Message(begin(Kind::kTaken, serial)));
      case Kind::kTaken:
        return note_reply(result.peer, serial, {});
      case Kind::kFinish:
        std::erase(unfinished_, result.peer);
        return;
    }
    throw CorruptMessage("a kind of message that is not there");
  }

  void note_reply(NodeId peer, std::uint32_t serial, WallTime clock) {
    // Answers that come too late are of no use.
    if (serial != 0 && std::pair(peer, serial) == awaited_) reply_ = Reply{network_.now(), clock};
  }

  Network& network_;
  const CheckupSetup& setup_;
  std::map<NodeId, PeerCheckup> results_;
  std::vector<NodeId> unfinished_;  // who may still ask
  std::set<NodeId> heard_;
  std::uint32_t serial_ = 0;  // of the last question; nobody waits for the answers to 0
  std::pair<NodeId, std::uint32_t> awaited_;
  std::optional<Reply> reply_;
};

}  // namespace

std::vector<PeerCheckup> check_up(Network& network, const std::vector<NodeId>& peers,
                                  const CheckupSetup& setup) {
  const std::map<NodeId, PeerCheckup> results = Checkup(network, peers, setup).run();
  std::vector<PeerCheckup> ordered;
  for (const NodeId peer : peers)
    ordered.push_back(results.at(peer));
  return ordered;
}

}  // namespace gossamer
