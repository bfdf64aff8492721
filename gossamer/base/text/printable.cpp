#include "gossamer/base/text/printable.hpp"

#include <cstddef>
#include <cstdint>

#include <fmt/format.h>

namespace gossamer {
namespace {

constexpr std::uint32_t kLastAscii = 0x7f;  // itself a control character

// A character at the beginning of a text, as Unicode counts them.
struct Character {
  std::size_t length = 0;  // in bytes; 0: this is no UTF-8
  std::uint32_t code = 0;
};

// RFC 3629: no more bytes than needed, no surrogates, nothing behind 0x10ffff.
Character first_of(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) <= kLastAscii) return {1, byte(0)};
  const std::size_t length = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < length) return {};
  std::uint32_t code = byte(0) & (0xffu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = (code << 6) | (byte(i) & 0x3f);
  }
  const bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
  const bool is_overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  if (is_surrogate || is_overlong || code > 0x10ffff) return {};
  return {length, code};
}

// Those of ASCII, the C1 set, and what separates lines and paragraphs.
bool is_control(std::uint32_t code) {
  return code < 0x20 || (code >= kLastAscii && code < 0xa0) || code == 0x2028 || code == 0x2029;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const auto [length, code] = first_of(text);
    const std::string_view bytes = text.substr(0, length == 0 ? 1 : length);
    if (length == 0 || is_control(code)) {
      for (const char c : bytes)
        result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      result += bytes;
    }
    text.remove_prefix(bytes.size());
  }
  return result;
}

}  // namespace gossamer
