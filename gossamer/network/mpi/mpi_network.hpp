#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include <mpi.h>

#include "gossamer/base/message_pool.hpp"
#include "gossamer/network/mpi/pause.hpp"
#include "gossamer/network/mpi/send_queue.hpp"
#include "gossamer/network/network.hpp"

namespace gossamer {

/// One rank's end of a communicator of its own, which it frees. A message is [round u64, size u64,
/// kind u64, payload]; the end of a peer is a message too, and so comes after all that it sent.
class MpiNetwork final : public Network {
 public:
  explicit MpiNetwork(MPI_Comm communicator);

  /// Says goodbye, and takes what comes until all others have done so too.
  ~MpiNetwork() override;

  [[nodiscard]] NodeId self() const override { return self_; }

  [[nodiscard]] NodeId size() const override { return size_; }

  [[nodiscard]] Arrival receive(Time deadline) override;

  [[nodiscard]] Time now() const override;

  void spend(Duration) override {}

 private:
  /// A message of which a part has come.
  struct Arriving {
    FrameKind kind = FrameKind::kMessage;
    Round round = 0;
    std::shared_ptr<ByteWriter> bytes;
    std::size_t missing = 0;  // bytes
  };

  void deliver(NodeId to, FrameKind kind, Round round, const Message& message) override;
  [[nodiscard]] std::optional<Arrival> poll();
  [[nodiscard]] std::optional<Arrival> take_first(MPI_Message& matched, NodeId from, int count);
  [[nodiscard]] std::optional<Arrival> take_next(MPI_Message& matched, NodeId from, int count);
  [[nodiscard]] Arrival finished(NodeId from, FrameKind kind, Round round, const Message& message);

  MPI_Comm communicator_;
  NodeId self_ = 0;
  NodeId size_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  SendQueue sending_;
  MessagePool pool_;
  std::vector<std::optional<Arriving>> arriving_;  // by peer
  NodeId gone_ = 0;                                // peers that said goodbye
};

}  // namespace gossamer
