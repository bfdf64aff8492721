#include "gossamer/member/views/rumours.hpp"

#include <algorithm>

namespace gossamer {
namespace {

constexpr std::size_t kHeader = sizeof(AsideKind) + sizeof(RumourKind) + sizeof(NodeId) +
                                sizeof(Incarnation) + sizeof(std::uint64_t);

}  // namespace

ByteReader Rumour::reader() const {
  return ByteReader(aside.payload().subspan(kHeader));
}

void Rumours::live_as(Incarnation incarnation) {
  incarnation_ = incarnation;
  next_ = 1;
}

Message Rumours::spread(RumourKind kind, const std::function<void(ByteWriter&)>& fill) {
  const Message aside = make_aside(AsideKind::kRumour, [&](ByteWriter& out) {
    out.write(static_cast<std::uint8_t>(kind));
    out.write(self_);
    out.write(incarnation_);
    out.write(next_++);
    fill(out);
  });
  for (const NodeId partner : partners_)
    send_(partner, aside);
  return aside;
}

std::optional<Rumour> Rumours::hear(const Aside& aside) {
  ByteReader in = aside.reader();
  const auto kind = in.read<std::uint8_t>();
  if (kind >= kRumourKinds) throw CorruptMessage("a rumour of no kind");
  Rumour rumour{.kind = static_cast<RumourKind>(kind),
                .origin = in.read<NodeId>(),
                .incarnation = in.read<Incarnation>(),
                .from = aside.from,
                .aside = aside.message};
  const auto number = in.read<std::uint64_t>();
  if (rumour.origin >= nodes_) throw CorruptMessage("a rumour of nobody");
  if (rumour.origin == self_) return std::nullopt;
  if (!note(rumour.origin, {rumour.incarnation, rumour.kind}, number)) return std::nullopt;
  for (const NodeId partner : partners_) {
    if (partner != aside.from && partner != rumour.origin) send_(partner, aside.message);
  }
  return rumour;
}

bool Rumours::note(NodeId origin, Source source, std::uint64_t number) {
  auto& sources = heard_[origin];
  const auto known = std::ranges::find(sources, source, &std::pair<Source, std::uint64_t>::first);
  if (known == sources.end()) {
    if (sources.size() == kMostSources) sources.erase(sources.begin());
    sources.emplace_back(source, number);
    return true;
  }
  if (number <= known->second) return false;
  known->second = number;
  return true;
}

}  // namespace gossamer
