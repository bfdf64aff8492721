#include "gossamer/network/mpi/send_queue.hpp"

#include <algorithm>
#include <utility>

namespace gossamer {
namespace {

MPI_Aint address_of(const void* place) {
  MPI_Aint address = 0;
  MPI_Get_address(place, &address);
  return address;
}

}  // namespace

void SendQueue::send(int to, const MpiHeader& header, const Message& message) {
  // Without this a node that only sends would keep everything.
  if (requests_.size() >= 16) reap();
  const ByteView payload = message.payload();
  const std::size_t first = std::min(payload.size(), kLongestPart);
  send_first(to, header, message, first);
  for (std::size_t sent = first; sent < payload.size();) {
    const std::size_t size = std::min(payload.size() - sent, kLongestPart);
    new_part(message);
    MPI_Isend(payload.data() + sent, static_cast<int>(size), MPI_BYTE, to, kTag, communicator_,
              &requests_.back());
    sent += size;
  }
}

void SendQueue::send_first(int to, const MpiHeader& header, const Message& message,
                           std::size_t size) {
  Part& part = new_part(message);
  part.header = header;
  const std::array<int, 2> lengths = {static_cast<int>(header.size()), static_cast<int>(size)};
  const std::array<MPI_Aint, 2> places = {address_of(part.header.data()),
                                          address_of(message.payload().data())};
  const int pieces = size > 0 ? 2 : 1;
  MPI_Datatype frame = MPI_DATATYPE_NULL;
  MPI_Type_create_hindexed(pieces, lengths.data(), places.data(), MPI_BYTE, &frame);
  MPI_Type_commit(&frame);
  MPI_Isend(MPI_BOTTOM, 1, frame, to, kTag, communicator_, &requests_.back());
  MPI_Type_free(&frame);  // MPI keeps it until the message has left
}

SendQueue::Part& SendQueue::new_part(const Message& message) {
  requests_.push_back(MPI_REQUEST_NULL);
  if (parts_.size() < requests_.size()) parts_.push_back(std::make_unique<Part>());
  Part& part = *parts_[requests_.size() - 1];
  part.message = message;
  return part;
}

void SendQueue::reap() {
  if (requests_.empty()) return;
  done_.resize(requests_.size());
  int count = 0;
  MPI_Testsome(static_cast<int>(requests_.size()), requests_.data(), &count, done_.data(),
               MPI_STATUSES_IGNORE);
  if (count <= 0) return;
  // From the end, so that what takes a place that became free is never itself one that has left.
  std::sort(done_.begin(), done_.begin() + count, std::greater<>());
  for (int k = 0; k < count; ++k) {
    const auto place = static_cast<std::size_t>(done_[static_cast<std::size_t>(k)]);
    parts_[place]->message = {};
    std::swap(parts_[place], parts_[requests_.size() - 1]);
    requests_[place] = requests_.back();
    requests_.pop_back();
  }
}

}  // namespace gossamer
