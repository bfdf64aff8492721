#include "gossamer/network/tls/tls.hpp"

#include <algorithm>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "gossamer/network/sockets/handover.hpp"
#include "gossamer/network/tls/world.hpp"

namespace gossamer {

using tls::Clock;
using tls::Visit;

Result<TlsListener> TlsListener::bind(const std::string& host, const std::string& port) {
  const Result<tls::BoundSocket> bound = tls::bind_socket(host, port);
  if (!bound) return bound.error();
  return TlsListener(bound.value().descriptor, bound.value().port);
}

TlsListener::TlsListener(TlsListener&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), port_(other.port_) {}

TlsListener& TlsListener::operator=(TlsListener&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(port_, other.port_);
  return *this;
}

TlsListener::~TlsListener() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

int TlsListener::release() {
  return std::exchange(descriptor_, -1);
}

class TlsNetwork::Impl {
 public:
  Impl(const TlsSetup& setup, std::optional<tls::Credentials> credentials, TlsListener listener)
      : setup_(setup),
        port_(listener.port()),
        world_(loop_, setup_, std::move(credentials),
               EventSource(setup.events, setup.self, [this] { return now(); })),
        handover_(loop_) {
    const Visit visit(handover_);
    world_.open(listener.release());
  }

  ~Impl() {
    const Visit visit(handover_);
    if (!is_abandoned_) take_leave();
    world_.close();
  }

  [[nodiscard]] const TlsSetup& setup() const { return setup_; }

  [[nodiscard]] std::uint16_t port() const { return port_; }

  [[nodiscard]] Time now() const {
    return Time(std::chrono::duration_cast<Duration>(Clock::now() - start_));
  }

  void deliver(NodeId to, FrameKind kind, Round round, const Message& message) {
    Visit visit(handover_);
    tls::Peer& peer = world_.peer_of(to);
    while (!world_.takes_more(peer))
      loop_.run_one();
    world_.push(peer, kind, round, message, seal_of(message));
    // A node that only sends, and never pauses, must still hear what comes back.
    if (++sends_ % kSendsPerLook == 0) loop_.poll();
    note_unsent(visit);
  }

  [[nodiscard]] Arrival receive(Time deadline) {
    Visit visit(handover_);
    sealed_ = {};
    // A clock that adds the run's start to a deadline without end would overflow.
    const auto longest = Clock::time_point::max() - start_;
    const Clock::time_point until =
        start_ + std::min<Clock::duration>(deadline.time_since_epoch(), longest);
    std::optional<Arrival> arrival = world_.take_arrival();
    // Also a wait that is over looks once for what has come.
    if (!arrival && Clock::now() >= until) {
      loop_.poll();
      arrival = world_.take_arrival();
    }
    while (!arrival && Clock::now() < until) {
      loop_.run_one_until(until);
      arrival = world_.take_arrival();
    }
    note_unsent(visit);
    return std::move(arrival).value_or(Arrival{});
  }

  void reach(NodeId peer) {
    const Visit visit(handover_);
    world_.reach(world_.peer_of(peer));
  }

  void part_from(NodeId peer) {
    Visit visit(handover_);
    world_.part_from(world_.peer_of(peer));
    note_unsent(visit);
  }

  [[nodiscard]] std::vector<LinkStatistics> links() {
    const Visit visit(handover_);
    return world_.statistics();
  }

  [[nodiscard]] std::vector<Trouble> troubles() {
    const Visit visit(handover_);
    return world_.troubles();
  }

  void forget_absent() {
    const Visit visit(handover_);
    world_.forget_absent();
  }

  void abandon() {
    const Visit visit(handover_);
    is_abandoned_ = true;
    world_.close();
  }

 private:
  static constexpr std::uint64_t kSendsPerLook = 32;

  // The same message to the next peer has the same seal. It is remembered while the node sends, and
  // let go when it waits: its buffer may be needed.
  [[nodiscard]] PayloadSeal seal_of(const Message& message) {
    const ByteView payload = message.payload();
    const ByteView last = sealed_.payload();
    if (payload.empty() || payload.data() != last.data() || payload.size() != last.size()) {
      seal_ = seal_payload(payload);
      sealed_ = message;
    }
    return seal_;
  }

  void note_unsent(Visit& visit) const {
    if (world_.has_unsent()) visit.leaves(tls::Handover::Left::kUnsentBytes);
  }

  void take_leave() {
    // A peer that reads everything closes its end at once.
    constexpr Clock::duration kLastRead = std::chrono::seconds(1);
    const Clock::time_point until = Clock::now() + setup_.deadline;
    world_.say_goodbye();
    while (!world_.is_settled() && Clock::now() < until)
      loop_.run_one_until(until);
    world_.end_sending();
    const Clock::time_point last = std::min(until, Clock::now() + kLastRead);
    while (world_.has_wires() && Clock::now() < last)
      loop_.run_one_until(last);
  }

  TlsSetup setup_;
  std::uint16_t port_;
  Clock::time_point start_ = Clock::now();
  tls::EventLoop loop_;
  tls::World world_;
  Message sealed_;
  PayloadSeal seal_;
  std::uint64_t sends_ = 0;
  bool is_abandoned_ = false;
  // Last: its thread ends before what it works on.
  tls::Handover handover_;
};

TlsNetwork::TlsNetwork(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

TlsNetwork::~TlsNetwork() = default;

NodeId TlsNetwork::self() const {
  return impl_->setup().self;
}

NodeId TlsNetwork::size() const {
  return impl_->setup().size;
}

Arrival TlsNetwork::receive(Time deadline) {
  return impl_->receive(deadline);
}

Time TlsNetwork::now() const {
  return impl_->now();
}

void TlsNetwork::spend(Duration) {}

std::vector<Trouble> TlsNetwork::troubles() const {
  return impl_->troubles();
}

void TlsNetwork::forget_absent() {
  impl_->forget_absent();
}

void TlsNetwork::reach(NodeId peer) {
  Network::reach(peer);
  impl_->reach(peer);
}

void TlsNetwork::part_from(NodeId peer) {
  Network::part_from(peer);
  impl_->part_from(peer);
}

std::uint16_t TlsNetwork::port() const {
  return impl_->port();
}

std::vector<LinkStatistics> TlsNetwork::links() const {
  return impl_->links();
}

void TlsNetwork::abandon() {
  impl_->abandon();
}

void TlsNetwork::deliver(NodeId to, FrameKind kind, Round round, const Message& message) {
  impl_->deliver(to, kind, round, message);
}

namespace {

Result<void> check(const TlsSetup& setup) {
  if (setup.self >= setup.size) {
    return Error{fmt::format("there is no node {} in a run of {} nodes", setup.self, setup.size)};
  }
  std::vector<NodeId> ids;
  for (const auto* const places : {&setup.peers, &setup.reserves}) {
    for (const TlsPeer& peer : *places) {
      if (peer.id >= setup.size || peer.id == setup.self) {
        return Error{fmt::format("node {} of {} cannot have node {} as a peer", setup.self,
                                 setup.size, peer.id)};
      }
      ids.push_back(peer.id);
    }
  }
  std::ranges::sort(ids);
  if (const auto twice = std::ranges::adjacent_find(ids); twice != ids.end()) {
    return Error{fmt::format("node {} is listed twice among the peers and reserves", *twice)};
  }
  if (setup.deadline <= Duration{} || setup.start_deadline <= Duration{}) {
    return Error{"the deadlines of links must be longer than nothing"};
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<TlsNetwork>> open_tls(const TlsSetup& setup) {
  Result<TlsListener> listener = TlsListener::bind(setup.listen_host, setup.listen_port);
  if (!listener) return listener.error();
  return open_tls(setup, std::move(listener).value());
}

Result<std::unique_ptr<TlsNetwork>> open_tls(const TlsSetup& setup, TlsListener listener) {
  if (const Result<void> checked = check(setup); !checked) return checked.error();
  std::optional<tls::Credentials> credentials;
  if (setup.credentials) {
    Result<tls::Credentials> loaded = tls::Credentials::load(*setup.credentials, setup.self);
    if (!loaded) return loaded.error();
    credentials = std::move(loaded).value();
  }
  return std::make_unique<TlsNetwork>(
      std::make_unique<TlsNetwork::Impl>(setup, std::move(credentials), std::move(listener)));
}

}  // namespace gossamer
