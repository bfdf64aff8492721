#include "gossamer/member/views/view.hpp"

#include <algorithm>

#include "gossamer/wire/digest.hpp"

namespace gossamer {
namespace {

// Two parts of a run that meet again have seldom gone through so many views in between. If they
// have, both take it for another line, and the smaller part joins the other.
constexpr std::size_t kMostHistory = 64;

std::uint32_t read_count(ByteReader& in, std::size_t bytes_each) {
  const auto count = in.read<std::uint32_t>();
  if (count > in.remaining() / bytes_each) throw CorruptMessage("a view of more than its bytes");
  return count;
}

}  // namespace

std::uint64_t View::digest() const {
  ByteWriter out;
  write(out);
  return digest_of(out.bytes());
}

bool View::follows(const View& other) const {
  if (other.number == 0) return number > 0;
  return number > other.number && std::ranges::count(history, other.digest()) > 0;
}

View View::next() const {
  View next;
  next.number = number + 1;
  next.bridged = bridged;
  next.settings = settings;
  next.history = history;
  if (number > 0) next.history.push_back(digest());
  if (next.history.size() > kMostHistory) next.history.erase(next.history.begin());
  return next;
}

void View::write(ByteWriter& out) const {
  out.write(number);
  out.write(static_cast<std::uint32_t>(members.size()));
  for (const auto& [node, incarnation] : members) {
    out.write(node);
    out.write(incarnation);
  }
  out.write(static_cast<std::uint32_t>(bridged.size()));
  for (const NodeId node : bridged)
    out.write(node);
  out.write(settings);
  out.write(static_cast<std::uint8_t>(is_start ? 1 : 0));
  out.write(static_cast<std::uint8_t>(resumed_from ? 1 : 0));
  out.write(resumed_from.value_or(0));
  out.write(static_cast<std::uint32_t>(history.size()));
  for (const std::uint64_t digest : history)
    out.write(digest);
}

View View::read(ByteReader& in) {
  View view;
  view.number = in.read<std::uint64_t>();
  for (auto left = read_count(in, sizeof(NodeId) + sizeof(Incarnation)); left > 0; --left) {
    const auto node = in.read<NodeId>();
    view.members[node] = in.read<Incarnation>();
  }
  for (auto left = read_count(in, sizeof(NodeId)); left > 0; --left)
    view.bridged.insert(in.read<NodeId>());
  view.settings = in.read<std::uint64_t>();
  view.is_start = in.read<std::uint8_t>() != 0;
  const bool is_resumed = in.read<std::uint8_t>() != 0;
  const auto resumed_from = in.read<Round>();
  if (is_resumed) view.resumed_from = resumed_from;
  for (auto left = read_count(in, sizeof(std::uint64_t)); left > 0; --left)
    view.history.push_back(in.read<std::uint64_t>());
  return view;
}

}  // namespace gossamer
