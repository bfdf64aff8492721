#include "apps/processes/processes.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>

#include "apps/command.hpp"
#include "apps/processes/launched_rank.hpp"
#include <fmt/format.h>

#include "gossamer/base/bytes.hpp"
#include "gossamer/base/contract.hpp"

namespace gossamer::cli {
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

// Before there is a network to agree on it, ranks know by the environment who is the first.
[[noreturn]] void refuse(const LaunchedRank& launched, const std::string& sentence) {
  if (launched.rank == 0) throw BadInput(sentence);
  // Not the exit code of an error: launchers would end the first one before it has printed.
  throw ReportedElsewhere(kSuccess);
}

}  // namespace

void refuse_many_processes(const std::string& command) {
  const std::optional<LaunchedRank> launched = launched_rank();
  if (!launched || launched->size == 1) return;
  refuse(*launched, fmt::format("{} runs in one process: start it without mpirun", command));
}

Processes Processes::of_launcher() {
  const std::optional<LaunchedRank> launched = launched_rank();
  expects(launched.has_value(), "a process that a launcher has started");
  Processes processes;
  Result<std::unique_ptr<MpiJob>> job = join_mpi();
  if (!job) refuse(*launched, job.error().message);
  processes.job_ = std::move(job).value();
  if (processes.count() != launched->size) {
    refuse(*launched,
           fmt::format("{} processes were started, but MPI sees {}: start them with the mpirun of "
                       "the MPI that Gossamer was built with, or with srun --mpi=pmix",
                       launched->size, processes.count()));
  }
  processes.talk_ = processes.make_network();
  return processes;
}

Processes::~Processes() {
  std::fflush(nullptr);
}

void Processes::together(const std::function<void()>& step) {
  if (!are_many()) return step();
  std::string own;
  try {
    step();
  } catch (const BadInput& error) {
    own = error.what();
  }
  const std::vector<std::string> sentences = exchange(own);
  const auto first =
      std::ranges::find_if(sentences, [](const auto& text) { return !text.empty(); });
  if (first == sentences.end()) return;
  if (!is_first()) throw ReportedElsewhere(kBadInput);
  // What all of them say is nobody's own.
  const bool of_all = std::ranges::count(sentences, *first) == std::ssize(sentences);
  throw BadInput(of_all ? *first : fmt::format("node {}: {}", first - sentences.begin(), *first));
}

// All tell the first, and the first tells all.
std::vector<std::string> Processes::exchange(const std::string& own) {
  std::vector<std::string> said(count());
  said[self()] = own;
  if (!is_first()) talk_->send(0, 0, message_of({own}));
  for (NodeId missing = is_first() ? count() - 1 : 1; missing > 0; --missing) {
    const Arrival arrival = talk_->receive(Time::max());
    if (arrival.kind == Arrival::Kind::kPeerLost) {
      if (!is_first()) throw ReportedElsewhere(kRunFailed);
      throw BadInput(fmt::format("node {} has ended before the others", arrival.from));
    }
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

}  // namespace gossamer::cli
