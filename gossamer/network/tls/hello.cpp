#include "gossamer/network/tls/hello.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace gossamer::tls {
namespace {

// Numbers one after the other into an array that they fill.
template <typename Bytes, typename... Numbers>
Bytes pack(Numbers... numbers) {
  static_assert((sizeof(Numbers) + ...) == std::tuple_size_v<Bytes>);
  Bytes bytes{};
  std::uint8_t* at = bytes.data();
  ((std::memcpy(at, &numbers, sizeof(numbers)), at += sizeof(numbers)), ...);
  return bytes;
}

}  // namespace

HelloBytes encode_hello(const Hello& hello) {
  constexpr std::uint8_t kReserved = 0;
  return pack<HelloBytes>(kLinkVersion, hello.purpose, kReserved, hello.session, hello.peer_session,
                          hello.next, hello.call, hello.taken);
}

Result<Hello> parse_hello(ByteView payload) {
  // The version comes first: another one may have another length.
  if (payload.size() < sizeof(kLinkVersion)) return Error{"its hello is cut short"};
  ByteReader reader(payload);
  const auto version = reader.read<std::uint16_t>();
  if (version != kLinkVersion) {
    return Error{fmt::format("it speaks version {} of the link protocol, this program version {}",
                             version, kLinkVersion)};
  }
  if (payload.size() != std::tuple_size_v<HelloBytes>) {
    return Error{fmt::format("its hello has {} bytes, not {}", payload.size(),
                             std::tuple_size_v<HelloBytes>)};
  }
  Hello hello;
  hello.purpose = reader.read<std::uint8_t>();
  if (reader.read<std::uint8_t>() != 0) return Error{"its hello has a reserved byte that is not 0"};
  hello.session = reader.read<std::uint64_t>();
  hello.peer_session = reader.read<std::uint64_t>();
  hello.next = reader.read<std::uint64_t>();
  hello.call = reader.read<std::uint64_t>();
  hello.taken = reader.read<std::uint64_t>();
  if (hello.session == 0) return Error{"its hello names no session"};
  return hello;
}

ReceiptBytes encode_receipt(const Receipt& receipt) {
  return pack<ReceiptBytes>(receipt.next, receipt.heartbeat);
}

Result<Receipt> parse_receipt(ByteView payload) {
  if (payload.size() != std::tuple_size_v<ReceiptBytes>) {
    return Error{fmt::format("its receipt has {} bytes, not {}", payload.size(),
                             std::tuple_size_v<ReceiptBytes>)};
  }
  ByteReader reader(payload);
  Receipt receipt;
  receipt.next = reader.read<std::uint64_t>();
  receipt.heartbeat = reader.read<std::uint64_t>();
  return receipt;
}

}  // namespace gossamer::tls
