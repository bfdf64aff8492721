#include "tests/fuzz/fuzz_targets.hpp"

#include <cmath>
#include <string_view>
#include <vector>

#include "tests/support/operator_specs.hpp"

#include "gossamer/wire/frame.hpp"

namespace gossamer::testing {
namespace {

void require(bool holds, const char* promise) {
  if (!holds) throw std::logic_error(promise);
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
  const Result<Frame> frame = parse_frame(input, limits);
  if (frame) {
    require(frame.value().payload.size() + kFrameHeaderSize == input.size(),
            "a frame is all of its bytes");
    const HeaderBytes again = encode_header(frame.value().header);
    require(std::equal(again.begin(), again.end(), input.begin()), "a header has one encoding");
  }
  (void)parse_header(input, limits).ok();
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
