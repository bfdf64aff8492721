#include "gossamer/train/process_asides.hpp"

#include <cstring>
#include <string>

namespace gossamer {
namespace {

constexpr std::uint64_t kMagic = 0x31434F5250535347;  // "GSSPROC1"

ByteWriter begin(ProcessAside kind) {
  ByteWriter out = Message::writer();
  out.write(kMagic);
  out.write(static_cast<std::uint8_t>(kind));
  return out;
}

ByteReader after_kind(const Message& aside) {
  ByteReader in(aside.payload());
  if (in.read<std::uint64_t>() != kMagic) throw CorruptMessage("an aside of another kind");
  (void)in.read<std::uint8_t>();
  return in;
}

// Numbers that may be absent have a byte in front of them that says so.
template <typename Number>
void write_optional(ByteWriter& out, const std::optional<Number>& number) {
  out.write(static_cast<std::uint8_t>(number.has_value() ? 1 : 0));
  if (number) out.write(*number);
}

template <typename Number>
std::optional<Number> read_optional(ByteReader& in) {
  if (in.read<std::uint8_t>() == 0) return std::nullopt;
  return in.read<Number>();
}

void write_floats(ByteWriter& out, CVec numbers) {
  const std::size_t bytes = static_cast<std::size_t>(numbers.size()) * sizeof(float);
  out.write(static_cast<std::uint64_t>(numbers.size()));
  if (bytes > 0) std::memcpy(out.extend(bytes).data(), numbers.data(), bytes);
}

FloatBuffer read_floats(ByteReader& in) {
  const auto count = in.read<std::uint64_t>();
  if (count > in.remaining() / sizeof(float)) throw CorruptMessage("more numbers than bytes");
  const ByteView bytes = in.read_bytes(count * sizeof(float));
  FloatBuffer numbers(count);
  if (count > 0) std::memcpy(numbers.view().data(), bytes.data(), bytes.size());
  return numbers;
}

void write_text(ByteWriter& out, std::string_view text) {
  out.write(static_cast<std::uint64_t>(text.size()));
  out.write_bytes({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

std::string read_text(ByteReader& in) {
  const ByteView bytes = in.read_bytes(in.read<std::uint64_t>());
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void write_spent(ByteWriter& out, const TimeSpent& spent) {
  for (const Duration duration : spent.by_phase)
    out.write(duration.count());
  out.write(spent.cpu_compute.count());
  out.write(spent.cpu_total.count());
}

TimeSpent read_spent(ByteReader& in) {
  TimeSpent spent;
  for (Duration& duration : spent.by_phase)
    duration = Duration(in.read<Duration::rep>());
  spent.cpu_compute = Duration(in.read<Duration::rep>());
  spent.cpu_total = Duration(in.read<Duration::rep>());
  return spent;
}

void write_time(ByteWriter& out, Time time) {
  out.write(time.time_since_epoch().count());
}

Time read_time(ByteReader& in) {
  return Time(Duration(in.read<Duration::rep>()));
}

}  // namespace

std::optional<ProcessAside> kind_of(const Message& aside) {
  if (aside.payload().size() < sizeof(kMagic) + 1) return std::nullopt;
  ByteReader in(aside.payload());
  if (in.read<std::uint64_t>() != kMagic) return std::nullopt;
  return static_cast<ProcessAside>(in.read<std::uint8_t>());
}

Message encode_sighting(const Sighting& sighting, CVec x, CVec statistics) {
  ByteWriter out = begin(ProcessAside::kSighting);
  out.write(sighting.node);
  out.write(sighting.completed);
  out.write(sighting.bytes_sent);
  out.write(sighting.payload_bytes);
  write_time(out, sighting.now);
  write_spent(out, sighting.spent);
  out.write(sighting.edges.lost);
  out.write(sighting.edges.back);
  out.write(sighting.edges.repaired);
  write_optional(out, sighting.train_loss);
  const std::optional<Evaluation>& evaluation = sighting.evaluation;
  write_optional(out, evaluation ? std::optional(evaluation->loss) : std::nullopt);
  if (evaluation) write_optional(out, evaluation->accuracy);
  write_floats(out, x);
  write_floats(out, statistics);
  return Message(std::move(out));
}

SightingCopy decode_sighting(const Message& aside) {
  ByteReader in = after_kind(aside);
  Sighting sighting;
  sighting.node = in.read<NodeId>();
  sighting.completed = in.read<Round>();
  sighting.bytes_sent = in.read<std::uint64_t>();
  sighting.payload_bytes = in.read<std::uint64_t>();
  sighting.now = read_time(in);
  sighting.spent = read_spent(in);
  sighting.edges.lost = in.read<std::uint64_t>();
  sighting.edges.back = in.read<std::uint64_t>();
  sighting.edges.repaired = in.read<std::uint64_t>();
  sighting.train_loss = read_optional<double>(in);
  if (const std::optional<double> loss = read_optional<double>(in))
    sighting.evaluation = Evaluation{*loss, read_optional<double>(in)};
  FloatBuffer x = read_floats(in);
  FloatBuffer statistics = read_floats(in);
  in.expect_end();
  return {sighting, std::move(x), std::move(statistics)};
}

Message encode_stop(Round line) {
  ByteWriter out = begin(ProcessAside::kStop);
  out.write(line);
  return Message(std::move(out));
}

Round decode_stop(const Message& aside) {
  ByteReader in = after_kind(aside);
  const auto line = in.read<Round>();
  in.expect_end();
  return line;
}

Message encode_spans(std::span<const Span> spans) {
  ByteWriter out = begin(ProcessAside::kSpans);
  for (const Span& span : spans) {
    out.write(static_cast<std::uint8_t>(span.phase));
    out.write(span.round);
    write_time(out, span.begin);
    write_time(out, span.end);
  }
  return Message(std::move(out));
}

std::vector<Span> decode_spans(const Message& aside) {
  ByteReader in = after_kind(aside);
  std::vector<Span> spans;
  while (in.remaining() > 0) {
    const auto phase = static_cast<Phase>(in.read<std::uint8_t>());
    const auto round = in.read<Round>();
    const Time begin_time = read_time(in);
    spans.push_back({phase, round, begin_time, read_time(in)});
  }
  return spans;
}

Message encode_ending(ProcessAside kind, const Ending& ending) {
  ByteWriter out = begin(kind);
  write_optional(out, ending.stopped_after);
  if (const std::optional<Failure>& failure = ending.failure) {
    out.write(static_cast<std::uint8_t>(failure->kind));
    out.write(failure->node);
    out.write(failure->round);
    write_text(out, failure->quantity);
    write_text(out, failure->sentence);
  }
  return Message(std::move(out));
}

Ending decode_ending(const Message& aside) {
  ByteReader in = after_kind(aside);
  Ending ending;
  ending.stopped_after = read_optional<Round>(in);
  if (in.remaining() > 0) {
    Failure failure;
    failure.kind = static_cast<Failure::Kind>(in.read<std::uint8_t>());
    failure.node = in.read<NodeId>();
    failure.round = in.read<Round>();
    failure.quantity = read_text(in);
    failure.sentence = read_text(in);
    ending.failure = failure;
  }
  in.expect_end();
  return ending;
}

}  // namespace gossamer
