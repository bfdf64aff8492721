// A program of somebody else's, with the one header that includes all: a node on a ring of four
// sends its neighbour what is left of a vector.
#include <cstdio>

#include "gossamer/gossamer.hpp"

int main() {
  using namespace gossamer;
  static_assert(GOSSAMER_VERSION >= 100);
  FloatBuffer x(1000);
  FloatBuffer y(1000);
  x.view().setLinSpaced(1.0f, 1000.0f);
  const auto compressor = make_compressor("topk:0.01", Layout::flat(1000)).value();
  const auto ring = make_topology("ring", 4, 1).value();

  Scratch scratch;
  ByteWriter message = Message::writer();
  compressor->encode(x.view(), RngKey{}, scratch, message);
  const Message sent(std::move(message));
  run_inproc(ring->size(), [&](Network& network) {
    if (network.self() == 0) network.send(ring->at(0, 0).neighbours[0].peer, 0, sent);
    if (network.self() != ring->at(0, 0).neighbours[0].peer) return;
    Arrival arrival = network.receive(Time::max());
    while (arrival.kind != Arrival::Kind::kMessage)  // a node that has ended is reported
      arrival = network.receive(Time::max());
    compressor->add(arrival.message.payload(), 1.0f, scratch, y.view());
  });
  std::printf("%d of 1000 numbers came back\n", static_cast<int>((y.view() != 0.0f).count()));
}
