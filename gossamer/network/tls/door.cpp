#include "gossamer/network/tls/door.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gossamer/network/keys/certificate_name.hpp"

namespace gossamer::tls {
namespace {

// An honest caller needs a few round trips.
constexpr Duration kPatience = std::chrono::seconds(5);

// How many callers may be at the door at once, beside all peers. One more, and the oldest has to
// go: an honest one is through in no time, so this is a slow one.
constexpr std::size_t kMostStrangers = 64;

}  // namespace

Door::Door(EventLoop& loop, House& house, const TlsSetup& setup,
           std::optional<Credentials> credentials)
    : loop_(loop), house_(house), setup_(setup), credentials_(std::move(credentials)) {}

Clock::duration Door::patience() const {
  return std::min(kPatience, setup_.deadline);
}

void Door::listen(int descriptor) {
  loop_.listen(descriptor, [this](std::unique_ptr<Socket> socket) { accept(std::move(socket)); });
}

void Door::dial(const TlsPeer& peer) {
  Caller& caller = callers_.emplace_back();
  caller.dialled = peer.id;
  caller.until = Clock::now() + patience();
  house_.wake_by(caller.until);
  const Place place = std::prev(callers_.end());
  caller.dial = loop_.dial(peer.host, peer.port, [this, place](auto socket) {
    if (socket) return connect(place, std::move(socket).value());
    const NodeId failed = *place->dialled;
    const std::string reason = socket.error().message;
    callers_.erase(place);
    house_.dial_failed(failed, reason);
  });
}

bool Door::is_dialling(NodeId peer) const {
  return std::ranges::any_of(callers_, [&](const Caller& c) { return c.dialled == peer; });
}

bool Door::awaits_answer(NodeId peer) const {
  return std::ranges::any_of(callers_,
                             [&](const Caller& c) { return c.dialled == peer && c.is_encrypted; });
}

void Door::hang_up(NodeId peer) {
  callers_.remove_if([&](const Caller& c) { return c.dialled == peer; });
}

void Door::accept(std::unique_ptr<Socket> socket) {
  const auto is_stranger = [](const Caller& caller) { return !caller.dialled; };
  const auto strangers = static_cast<std::size_t>(std::ranges::count_if(callers_, is_stranger));
  if (strangers >= kMostStrangers + setup_.peers.size() + setup_.reserves.size()) {
    refuse(std::ranges::find_if(callers_, is_stranger), "too many others call at the same time");
  }
  Caller& caller = callers_.emplace_back();
  caller.until = Clock::now() + patience();
  house_.wake_by(caller.until);
  connect(std::prev(callers_.end()), std::move(socket));
}

void Door::connect(Place caller, std::unique_ptr<Socket> socket) {
  const int descriptor = socket->descriptor();
  caller->wire =
      std::make_unique<Wire>(std::move(socket),
                             credentials_ ? tls_stream(descriptor, caller->side(), *credentials_)
                                          : plain_stream(descriptor),
                             setup_.self);
  caller->wire->keeper = this;
  advance(caller);
}

void Door::readable(Wire& wire) {
  advance(place_of(wire));
}

void Door::writable(Wire& wire) {
  advance(place_of(wire));
}

Door::Place Door::place_of(const Wire& wire) {
  return std::ranges::find_if(callers_, [&](const Caller& c) { return c.wire.get() == &wire; });
}

void Door::advance(Place caller) {
  if (!caller->is_encrypted && !finish_handshake(caller)) return;
  const Progress sent = caller->wire->send(nullptr);
  if (sent == Progress::kEnded || sent == Progress::kFailed) return send_away(caller, sent);
  await_hello(caller);
}

// False: it is not over yet, or the caller is gone.
bool Door::finish_handshake(Place caller) {
  Wire& wire = *caller->wire;
  Stream& stream = wire.connection.stream();
  const Progress progress = stream.handshake();
  switch (progress) {
    case Progress::kDone:
      break;
    case Progress::kNeedsReadable:
      wire.socket->wait_readable();
      return false;
    case Progress::kNeedsWritable:
      wire.socket->wait_writable();
      return false;
    case Progress::kEnded:
    case Progress::kFailed:
      send_away(caller, progress);
      return false;
  }
  caller->is_encrypted = true;
  if (credentials_) {
    const std::string name = stream.certified_name().value_or("");
    caller->certified = node_of(name);
    if (!caller->certified) {
      refuse(caller, fmt::format("its certificate is made out to '{}', which is no node", name));
      return false;
    }
    if (house_.is_revoked(stream.certified_serial())) {
      refuse(caller, std::string(kRevokedReason));
      return false;
    }
  }
  if (caller->dialled) {
    const Hello hello = house_.call_hello(*caller->dialled);
    wire.announced_session = hello.session;
    wire.call = hello.call;
    wire.connection.queue_hello(hello);
  }
  return true;
}

void Door::await_hello(Place caller) {
  Wire& wire = *caller->wire;
  std::optional<IncomingFrame> first;
  const Transfer received = wire.connection.receive([&](IncomingFrame& frame) {
    first = std::move(frame);
    return false;
  });
  if (first) {
    const Result<NodeId> peer = identify(*caller, first->header);
    if (!peer) return refuse(caller, peer.error().message);
    const Result<Hello> hello = check_hello(*caller, *first);
    if (!hello) return refuse(caller, hello.error().message);
    if (!caller->dialled && wire.socket->has_ended()) {
      // It called when nobody answered yet, and has given up since: what it said may be out of
      // date.
      callers_.erase(caller);
      return;
    }
    std::unique_ptr<Wire> admitted = std::move(caller->wire);
    const Side side = caller->side();
    callers_.erase(caller);
    admitted->connection.admit(setup_.max_payload);
    return house_.admit(std::move(admitted), peer.value(), hello.value(), side);
  }
  switch (received.progress) {
    case Progress::kDone:
    case Progress::kNeedsReadable:
      return wire.socket->wait_readable();
    case Progress::kNeedsWritable:
      return wire.socket->wait_writable();
    case Progress::kEnded:
    case Progress::kFailed:
      return send_away(caller, received.progress);
  }
}

void Door::send_away(Place caller, Progress progress) {
  const std::string reason = caller->wire->connection.stream().failure();
  if (progress != Progress::kEnded) return refuse(caller, reason);
  if (!caller->dialled) {
    const auto is_ours = [](const Caller& c) { return c.dialled && c.is_encrypted; };
    const bool may_have_crossed =
        std::ranges::any_of(callers_, is_ours) || house_.has_linked_since(caller->since);
    if (!may_have_crossed) return refuse(caller, reason + " before it said hello");
    // Perhaps a peer that has taken a call of ours instead; nobody has to know.
    callers_.erase(caller);
    return;
  }
  // Whom we called may hang up: it is about to start or to end.
  const NodeId peer = *caller->dialled;
  callers_.erase(caller);
  house_.dial_failed(peer, reason);
}

Result<NodeId> Door::identify(const Caller& caller, const FrameHeader& header) const {
  const NodeId claimed = header.sender;
  if (caller.certified && *caller.certified != claimed) {
    return Error{fmt::format("it says that it is node {}, and its certificate is node {}'s",
                             claimed, *caller.certified)};
  }
  if (caller.dialled && *caller.dialled != claimed) {
    return Error{
        fmt::format("it is node {}, and node {} should be there", claimed, *caller.dialled)};
  }
  if (!house_.is_peer(claimed)) {
    return Error{fmt::format("it is node {}, which is no peer of this node", claimed)};
  }
  return claimed;
}

Result<Hello> Door::check_hello(const Caller& caller, const IncomingFrame& frame) const {
  if (frame.header.kind != FrameKind::kHello) return Error{"it does not begin with a hello"};
  Result<Hello> hello = parse_hello(frame.message.payload());
  if (hello && hello.value().purpose != setup_.purpose) {
    return Error{fmt::format("it came for another purpose than this node ({} there, {} here)",
                             hello.value().purpose, setup_.purpose)};
  }
  if (hello && (hello.value().call == 0) != caller.dialled.has_value()) {
    return Error{"its hello is that of the other end: who calls gives its call a number"};
  }
  return hello;
}

void Door::tick(Clock::time_point now) {
  for (Place caller = callers_.begin(); caller != callers_.end();) {
    const Place overdue = caller++;
    if (now < overdue->until) {
      house_.wake_by(overdue->until);
    } else if (overdue->wire) {
      refuse(overdue, fmt::format("it did not say hello within {:.1f} s", seconds(patience())));
    } else {
      const NodeId peer = *overdue->dialled;
      callers_.erase(overdue);
      house_.dial_failed(peer, "it did not answer");
    }
  }
}

void Door::tell_refused(const Wire& wire, const std::string& reason) {
  const Socket& socket = *wire.socket;
  const auto refused = refusals_.next(socket.host(), socket.address(), reason, Clock::now());
  if (refused) house_.caller_refused(*refused);
}

void Door::refuse(Place caller, const std::string& reason) {
  const std::optional<NodeId> dialled = caller->dialled;
  tell_refused(*caller->wire, reason);
  callers_.erase(caller);
  if (dialled) house_.dial_failed(*dialled, fmt::format("it was refused ({})", reason));
}

void Door::close() {
  loop_.stop_listening();
  callers_.clear();
}

}  // namespace gossamer::tls
