#include "gossamer/store/state_bytes.hpp"

#include <cstring>

#include <fmt/format.h>

namespace gossamer {
namespace {

// Of an entry: its kind, its name, its values.
enum class Kind : std::uint8_t { kVector = 1, kNumber = 2 };

void begin(ByteWriter& out, Kind kind, std::string_view name) {
  out.write(static_cast<std::uint8_t>(kind));
  out.write_text(name);
}

void expect(ByteReader& in, Kind kind, std::string_view name) {
  const auto found_kind = static_cast<Kind>(in.read<std::uint8_t>());
  const std::string found = in.read_text();
  if (found != name || found_kind != kind)
    throw CorruptMessage(fmt::format("'{}' stands where '{}' is expected", found, name));
}

}  // namespace

void StateWriter::visit(std::string_view name, Vec values) {
  begin(out_, Kind::kVector, name);
  const std::size_t bytes = static_cast<std::size_t>(values.size()) * sizeof(float);
  out_.write(static_cast<std::uint64_t>(values.size()));
  std::memcpy(out_.extend(bytes).data(), values.data(), bytes);
}

void StateWriter::visit(std::string_view name, std::uint64_t& number) {
  begin(out_, Kind::kNumber, name);
  out_.write(number);
}

void StateReader::visit(std::string_view name, Vec values) {
  expect(in_, Kind::kVector, name);
  if (in_.read<std::uint64_t>() != static_cast<std::uint64_t>(values.size()))
    throw CorruptMessage(fmt::format("'{}' has another length", name));
  const std::size_t bytes = static_cast<std::size_t>(values.size()) * sizeof(float);
  std::memcpy(values.data(), in_.read_bytes(bytes).data(), bytes);
}

void StateReader::visit(std::string_view name, std::uint64_t& number) {
  expect(in_, Kind::kNumber, name);
  number = in_.read<std::uint64_t>();
}

}  // namespace gossamer
