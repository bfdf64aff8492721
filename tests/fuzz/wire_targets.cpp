// What operators and links read of other nodes.

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "tests/fuzz/fuzz_targets.hpp"
#include "tests/support/operator_specs.hpp"

#include "gossamer/network/tls/frame_reader.hpp"
#include "gossamer/network/tls/hello.hpp"
#include "gossamer/wire/frame.hpp"

namespace gossamer::testing {
namespace {

/// What a stream of frames held, up to where it made no sense any more.
struct StreamContent {
  std::vector<std::vector<std::uint8_t>> payloads;
  bool is_refused = false;

  bool operator==(const StreamContent&) const = default;
};

StreamContent content_of(ByteView stream, std::size_t piece) {
  StreamContent content;
  tls::FrameReader reader({.max_payload = 1 << 20});
  while (!stream.empty()) {
    const std::span<std::uint8_t> room = reader.room();
    require(!room.empty(), "a reader that wants more has room for it");
    const ByteView part = stream.first(std::min({piece, room.size(), stream.size()}));
    std::copy(part.begin(), part.end(), room.begin());
    reader.filled(part.size());
    stream = stream.subspan(part.size());
    for (;;) {
      const auto frame = reader.next();
      if (!frame) {
        content.is_refused = true;
        return content;
      }
      if (!frame.value()) break;
      const ByteView payload = frame.value()->message.payload();
      content.payloads.emplace_back(payload.begin(), payload.end());
    }
  }
  return content;
}

// Of something that is one block of bytes: its only encoding, or a refusal.
template <typename Parsed, typename Encode>
void expect_one_encoding(ByteView input, const Result<Parsed>& parsed, const Encode& encode) {
  if (!parsed) return require(!parsed.error().message.empty(), "a refusal has a reason");
  require(std::ranges::equal(encode(parsed.value()), input), "what is accepted has one encoding");
}

}  // namespace

void fuzz_decoders(ByteView input) {
  if (input.size() < 4) return;
  const std::vector<std::string> specs = operator_specs();
  const std::size_t size = (input[1] + 256u * input[2]) % 4200u;
  const auto compressor =
      std::move(make_compressor(specs[input[0] % specs.size()], layout_of(size))).value();
  std::vector<std::uint8_t> message(input.begin() + 4, input.end());
  std::vector<float> y(size, 1.0f);
  Scratch scratch;
  try {
    // Without this, few guesses have a length that gets past the first check.
    if (input[3] % 2 == 1) {
      message.resize(std::max<std::size_t>(message.size(), 8));
      message.resize(compressor->message_size(message));
    }
    compressor->add(message, 0.5f, scratch, Vec(y.data(), static_cast<Eigen::Index>(size)));
  } catch (const CorruptMessage&) {
    for (const float value : y)
      require(value == 1.0f, "a refused message leaves y untouched");
    return;
  }
  for (const float value : y)
    require(!std::isnan(value), "an accepted message decodes to numbers");
}

void fuzz_frame(ByteView input) {
  const FrameLimits limits{.max_payload = 1 << 20};
  const Result<FrameHeader> header = parse_header(input, limits);
  if (!header) return require(!header.error().message.empty(), "a refusal has a reason");
  const HeaderBytes again = encode_header(header.value());
  require(std::equal(again.begin(), again.end(), input.begin()), "a header has one encoding");
  const ByteView payload = input.subspan(kFrameHeaderSize);
  if (check_payload(header.value(), payload))
    require(payload.size() == header.value().payload.size, "a frame is all of its bytes");
}

void fuzz_stream(ByteView input) {
  if (input.empty()) return;
  const ByteView stream = input.subspan(1);
  const StreamContent whole = content_of(stream, stream.size() + 1);
  require(content_of(stream, 1u + input[0]) == whole, "it does not matter how a stream is cut");
  require(whole.payloads.size() * kFrameHeaderSize <= stream.size(), "a frame has its header");
}

void fuzz_hello(ByteView input) {
  expect_one_encoding(input, tls::parse_hello(input), tls::encode_hello);
}

void fuzz_receipt(ByteView input) {
  expect_one_encoding(input, tls::parse_receipt(input), tls::encode_receipt);
}

void fuzz_specs(ByteView input) {
  const std::string_view spec(reinterpret_cast<const char*>(input.data()), input.size());
  const auto made = make_compressor(spec, layout_of(100));
  if (!made) return require(!made.error().message.empty(), "a refusal has a reason");
  const std::string canonical = made.value()->spec();
  const auto again = make_compressor(canonical, layout_of(100));
  require(again.ok() && again.value()->spec() == canonical,
          "a canonical spec makes the same operator");
}

}  // namespace gossamer::testing
