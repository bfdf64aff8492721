#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <mpi.h>

#include "gossamer/base/message.hpp"

namespace gossamer {

/// Bytes that go in front of a payload.
using MpiHeader = std::array<std::uint8_t, 24>;

/// Messages under way. MPI reads them where they lie until it says that it is done, so each is kept
/// alive until then. There are as many as the receivers are behind: the memory of a room is used
/// again, and what has left is forgotten whenever this is asked to look.
class SendQueue {
 public:
  /// Of one MPI message: MPI counts bytes in an int.
  static constexpr std::size_t kLongestPart = std::size_t{1} << 26;
  static constexpr int kTag = 1;

  explicit SendQueue(MPI_Comm communicator) : communicator_(communicator) {}

  SendQueue(const SendQueue&) = delete;
  SendQueue& operator=(const SendQueue&) = delete;

  /// Header and payload in one piece, without copying either together; what does not fit follows
  /// in further pieces.
  void send(int to, const MpiHeader& header, const Message& message);

  /// Forgets what has left.
  void reap();

  [[nodiscard]] bool empty() const { return requests_.empty(); }

 private:
  struct Part {
    MpiHeader header{};
    Message message;
  };

  /// The part that belongs to requests_[i] is parts_[i]; what stands behind is spare.
  Part& new_part(const Message& message);
  void send_first(int to, const MpiHeader& header, const Message& message, std::size_t size);

  MPI_Comm communicator_;
  std::vector<MPI_Request> requests_;
  std::vector<std::unique_ptr<Part>> parts_;
  std::vector<int> done_;
};

}  // namespace gossamer
