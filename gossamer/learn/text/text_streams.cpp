#include "gossamer/learn/text/text_streams.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gossamer/base/contract.hpp"

namespace gossamer {

Result<TextStreams> TextStreams::make(std::span<const std::uint32_t> tokens, std::size_t streams,
                                      std::size_t length) {
  if (streams == 0 || length == 0)
    return Error{"a text is read in at least one stream and one token at a time"};
  // The last target of a window is one token beyond its inputs.
  if (tokens.size() / streams <= length) {
    return Error{fmt::format("{} tokens are too few: {} streams of windows of {} need {}",
                             tokens.size(), streams, length, streams * (length + 1))};
  }
  return TextStreams(tokens, streams, length);
}

void TextStreams::fill(std::uint64_t window, std::span<std::int64_t> inputs,
                       std::span<std::int64_t> targets) const {
  expects(inputs.size() == window_size() && targets.size() == window_size(),
          "room for one window of all streams");
  const std::size_t begin = window % windows() * length_;
  for (std::size_t stream = 0; stream < streams_; ++stream) {
    const auto read = tokens_.subspan(stream * stream_length_ + begin, length_ + 1);
    const std::size_t row = stream * length_;
    std::ranges::copy(read.first(length_), inputs.subspan(row, length_).begin());
    std::ranges::copy(read.last(length_), targets.subspan(row, length_).begin());
  }
}

}  // namespace gossamer
