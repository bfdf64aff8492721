#include "gossamer/network/network.hpp"

#include "gossamer/base/contract.hpp"
#include "gossamer/wire/frame.hpp"

namespace gossamer {

void Network::send(NodeId to, Round round, const Message& message) {
  expects(to < size() && to != self(), "a message goes to another node of the run");
  ++traffic_.frames;
  traffic_.payload_bytes += message.payload().size();
  traffic_.header_bytes += kFrameHeaderSize;
  deliver(to, round, message);
}

}  // namespace gossamer
