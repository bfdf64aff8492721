#include "gossamer/swarm/processes.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>

#include <fmt/format.h>

#include "gossamer/base/bytes.hpp"
#include "gossamer/base/contract.hpp"
#include "gossamer/swarm/launched_rank.hpp"

namespace gossamer {
namespace {

Message message_of(const std::vector<std::string>& texts) {
  ByteWriter out = Message::writer();
  for (const std::string& text : texts) {
    out.write(static_cast<std::uint64_t>(text.size()));
    out.write_bytes({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  }
  return Message(std::move(out));
}

std::vector<std::string> texts_of(const Message& message) {
  ByteReader in(message.payload());
  std::vector<std::string> texts;
  while (in.remaining() > 0) {
    const ByteView bytes = in.read_bytes(in.read<std::uint64_t>());
    texts.emplace_back(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  return texts;
}

}  // namespace

Result<Processes> Processes::of_launcher() {
  const std::optional<LaunchedRank> launched = launched_rank();
  expects(launched.has_value(), "a process that a launcher has started");
  Processes processes;
  Result<std::unique_ptr<MpiJob>> job = join_mpi();
  if (!job) return job.error();
  processes.job_ = std::move(job).value();
  if (processes.count() != launched->size) {
    return Error{
        fmt::format("{} processes were started, but MPI sees {}: start them with the mpirun of the "
                    "MPI that Gossamer was built with, or with srun --mpi=pmix",
                    launched->size, processes.count())};
  }
  processes.talk_ = processes.make_network();
  return processes;
}

Processes::~Processes() {
  std::fflush(nullptr);
}

Result<void> Processes::together(const std::function<Result<void>()>& step) {
  const Result<void> done = step();
  if (!are_many()) return done;
  const auto sentences = exchange(done ? "" : done.error().message);
  if (!sentences) return sentences.error();
  const auto first =
      std::ranges::find_if(sentences.value(), [](const auto& text) { return !text.empty(); });
  if (first == sentences.value().end()) return {};
  // What all of them say is nobody's own.
  const bool of_all =
      std::ranges::count(sentences.value(), *first) == std::ssize(sentences.value());
  return Error{of_all ? *first
                      : fmt::format("node {}: {}", first - sentences.value().begin(), *first)};
}

// All tell the first, and the first tells all.
Result<std::vector<std::string>> Processes::exchange(const std::string& own) {
  std::vector<std::string> said(count());
  said[self()] = own;
  if (!is_first()) talk_->send(0, 0, message_of({own}));
  for (NodeId missing = is_first() ? count() - 1 : 1; missing > 0; --missing) {
    const Arrival arrival = talk_->receive(Time::max());
    if (arrival.kind == Arrival::Kind::kPeerLost)
      return Error{fmt::format("node {} has ended before the others", arrival.from)};
    const std::vector<std::string> texts = texts_of(arrival.message);
    if (is_first()) {
      said[arrival.from] = texts.at(0);
    } else {
      said = texts;
    }
  }
  for (NodeId peer = 1; is_first() && peer < count(); ++peer)
    talk_->send(peer, 0, message_of(said));
  return said;
}

}  // namespace gossamer
