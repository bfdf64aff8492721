// A program of somebody else's: it compresses a vector, sends it in a frame, and adds what arrives.
#include <cstdio>

#include "gossamer/compress/registry.hpp"
#include "gossamer/topology/registry.hpp"
#include "gossamer/wire/frame.hpp"

int main() {
  using namespace gossamer;
  FloatBuffer x(1000);
  FloatBuffer y(1000);
  x.view().setLinSpaced(1.0f, 1000.0f);
  const auto compressor = make_compressor("topk:0.01", Layout::flat(1000)).value();
  const auto ring = make_topology("ring", 4, 1).value();

  Scratch scratch;
  ByteWriter payload;
  compressor->encode(std::as_const(x).view(), RngKey{}, scratch, payload);
  const HeaderBytes header = encode_header(
      {.sender = ring->at(0, 0).neighbours[0].peer, .payload = seal_payload(payload.bytes())});

  const FrameHeader received = parse_header(header, {.max_payload = 1 << 20}).value();
  if (!check_payload(received, payload.bytes())) return 1;
  compressor->add(payload.bytes(), 1.0f, scratch, y.view());
  std::printf("%d of 1000 numbers came back\n", static_cast<int>((y.view() != 0.0f).count()));
}
