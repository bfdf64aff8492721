#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "gossamer/base/result.hpp"

namespace gossamer {

/// How a language model reads a text: cut into equally long pieces that are read side by side, each
/// a window of `length` tokens at a time. The state that a model carries from window to window
/// belongs to its stream.
///
/// A window is a function of its number alone, so a resumed run goes on in the middle of a pass.
/// Tokens at the end that fill no window of all streams are left out.
class TextStreams {
 public:
  /// The tokens must outlive it. Refuses fewer than one window of all streams needs.
  [[nodiscard]] static Result<TextStreams> make(std::span<const std::uint32_t> tokens,
                                                std::size_t streams, std::size_t length);

  /// Windows in one pass over the tokens, at least one.
  [[nodiscard]] std::uint64_t windows() const { return (stream_length_ - 1) / length_; }

  /// Whether a pass begins with this window: carried state is forgotten before it.
  [[nodiscard]] bool is_first(std::uint64_t window) const { return window % windows() == 0; }

  /// Number of inputs, and of targets, in a window.
  [[nodiscard]] std::size_t window_size() const { return streams_ * length_; }

  /// Window number `window`, pass after pass: row s, of `length` tokens, is from stream s, and each
  /// target is the token that follows its input.
  void fill(std::uint64_t window, std::span<std::int64_t> inputs,
            std::span<std::int64_t> targets) const;

 private:
  TextStreams(std::span<const std::uint32_t> tokens, std::size_t streams, std::size_t length)
      : tokens_(tokens),
        streams_(streams),
        length_(length),
        stream_length_(tokens.size() / streams) {}

  std::span<const std::uint32_t> tokens_;
  std::size_t streams_;
  std::size_t length_;
  std::size_t stream_length_;
};

}  // namespace gossamer
