#include "gossamer/network/mpi/mpi_network.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "gossamer/base/contract.hpp"

namespace gossamer {
namespace {

struct HeaderFields {
  std::uint64_t round = 0;
  std::uint64_t size = 0;  // of the whole payload
  std::uint64_t kind = 0;
};

static_assert(sizeof(HeaderFields) == sizeof(MpiHeader));
static_assert(sizeof(MpiHeader) <= Message::kHeadRoom, "a header is received into the head room");

MpiHeader header_of(const HeaderFields& fields) {
  MpiHeader header;
  std::memcpy(header.data(), &fields, header.size());
  return header;
}

}  // namespace

MpiNetwork::MpiNetwork(MPI_Comm communicator)
    : communicator_(communicator), sending_(communicator) {
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(communicator_, &rank);
  MPI_Comm_size(communicator_, &size);
  self_ = static_cast<NodeId>(rank);
  size_ = static_cast<NodeId>(size);
  arriving_.resize(size_);
}

MpiNetwork::~MpiNetwork() {
  for (NodeId peer = 0; peer < size_; ++peer) {
    if (peer != self_) deliver(peer, FrameKind::kGoodbye, 0, {});
  }
  Pause pause;
  while (gone_ + 1 < size_ || !sending_.empty()) {
    if (poll()) {
      pause.reset();
    } else {
      pause(Pause::kLongest);
    }
  }
  MPI_Comm_free(&communicator_);
}

Arrival MpiNetwork::receive(Time deadline) {
  Pause pause;
  for (;;) {
    if (std::optional<Arrival> arrival = poll()) return std::move(*arrival);
    const Time time = now();
    if (time >= deadline) return {};
    pause(deadline - time);
  }
}

Time MpiNetwork::now() const {
  return Time(std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now() - start_));
}

void MpiNetwork::deliver(NodeId to, FrameKind kind, Round round, const Message& message) {
  const HeaderFields fields{round, message.payload().size(), static_cast<std::uint64_t>(kind)};
  sending_.send(static_cast<int>(to), header_of(fields), message);
}

std::optional<Arrival> MpiNetwork::poll() {
  sending_.reap();
  for (;;) {
    int is_there = 0;
    MPI_Message matched = MPI_MESSAGE_NULL;
    MPI_Status status;
    MPI_Improbe(MPI_ANY_SOURCE, SendQueue::kTag, communicator_, &is_there, &matched, &status);
    if (is_there == 0) return std::nullopt;
    int count = 0;
    MPI_Get_count(&status, MPI_BYTE, &count);
    const auto from = static_cast<NodeId>(status.MPI_SOURCE);
    std::optional<Arrival> arrival =
        arriving_[from] ? take_next(matched, from, count) : take_first(matched, from, count);
    if (arrival) return arrival;
  }
}

// The header lands in the last bytes of the head room, and so in front of the payload.
std::optional<Arrival> MpiNetwork::take_first(MPI_Message& matched, NodeId from, int count) {
  HeaderFields fields;
  const std::size_t first = static_cast<std::size_t>(count) - sizeof(MpiHeader);
  std::shared_ptr<ByteWriter> buffer = pool_.take();
  // The whole length is known when the first part is here: room for that alone, until then.
  std::uint8_t* const payload = buffer->extend(first).data();
  MPI_Mrecv(payload - sizeof(MpiHeader), count, MPI_BYTE, &matched, MPI_STATUS_IGNORE);
  std::memcpy(&fields, payload - sizeof(MpiHeader), sizeof(MpiHeader));
  const auto kind = static_cast<FrameKind>(fields.kind);
  if (first == fields.size) return finished(from, kind, fields.round, Message(std::move(buffer)));
  buffer->reserve(fields.size);
  arriving_[from] = Arriving{kind, fields.round, std::move(buffer), fields.size - first};
  return std::nullopt;
}

std::optional<Arrival> MpiNetwork::take_next(MPI_Message& matched, NodeId from, int count) {
  Arriving& rest = *arriving_[from];
  std::uint8_t* const place = rest.bytes->extend(static_cast<std::size_t>(count)).data();
  MPI_Mrecv(place, count, MPI_BYTE, &matched, MPI_STATUS_IGNORE);
  rest.missing -= static_cast<std::size_t>(count);
  if (rest.missing > 0) return std::nullopt;
  Arrival whole = finished(from, rest.kind, rest.round, Message(std::move(rest.bytes)));
  arriving_[from].reset();
  return whole;
}

Arrival MpiNetwork::finished(NodeId from, FrameKind kind, Round round, const Message& message) {
  if (kind != FrameKind::kGoodbye) return arrival_of(kind, from, round, message);
  ++gone_;
  return {Arrival::Kind::kPeerLost, from, 0, {}, {}};
}

}  // namespace gossamer
