#include "gossamer/events/sentence.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gossamer/base/text/printable.hpp"

namespace gossamer {
namespace {

/// The sentence of each kind.
struct Telling {
  NodeId node;
  Round round;

  std::string operator()(const RoundDone& done) const {
    const std::string loss = done.loss ? fmt::format(", loss {:.4g}", *done.loss) : "";
    return fmt::format("node {} has completed {} rounds{}, {} bytes sent", node, round, loss,
                       done.bytes_sent);
  }

  std::string operator()(const Measured& measured) const {
    const Measurement& measurement = measured.measurement;
    const std::optional<double> loss =
        measurement.objective ? measurement.objective : measurement.train_loss;
    std::string seen;
    if (measurement.error) {
      seen = fmt::format(" the consensus error is {:.4g},", *measurement.error);
    } else if (loss) {
      seen = fmt::format(" the loss is {:.4g},", *loss);
    }
    return fmt::format("after {} rounds{} {:.0f} bytes sent per node", measurement.round, seen,
                       measurement.bytes_sent_per_node);
  }

  std::string operator()(const LinkDown& down) const {
    return fmt::format("link to node {} is down: {}", down.peer, down.reason);
  }

  std::string operator()(const LinkUp& up) const {
    return fmt::format("link to node {} is up again after {:.1f} s", up.peer, up.seconds_down);
  }

  std::string operator()(const CallerRefused& refused) const {
    const std::string others =
        refused.left_out == 0
            ? ""
            : fmt::format(" ({} more since the last such line)", refused.left_out);
    return fmt::format("refused {}: {}{}", refused.address, refused.reason, others);
  }

  std::string operator()(const PeerLost& lost) const {
    return fmt::format("node {} is lost: {}", lost.peer, lost.reason);
  }

  std::string operator()(const PeerBack& back) const {
    return fmt::format("node {} is back", back.peer);
  }

  std::string operator()(const EdgeLost& lost) const {
    return fmt::format("node {} lost node {} in round {} and goes on without it: {}", node,
                       lost.peer, round, lost.reason);
  }

  std::string operator()(const EdgeBack& back) const {
    return fmt::format("node {} is back: node {} goes on with it from round {}", back.peer, node,
                       round);
  }

  std::string operator()(const JoinRefused& refused) const { return refused.reason; }

  std::string operator()(const JoinFailed& failed) const {
    return fmt::format("node {} could not join node {} again: {}", node, failed.peer,
                       failed.reason);
  }

  std::string operator()(const Joined& joined) const {
    return fmt::format("node {} joins the run in round {} {}", node, round,
                       joined.checkpoint
                           ? fmt::format("with its own checkpoint of round {}", *joined.checkpoint)
                           : "with a neighbour's model");
  }

  std::string operator()(const CopyRepaired& repaired) const {
    return fmt::format(
        "node {} held something else of node {} than it should before round {}; it has been put "
        "right",
        node, repaired.peer, round);
  }

  std::string operator()(const Waiting& waiting) const {
    // Who waits for everybody need not list them all.
    constexpr std::size_t kMost = 4;
    std::string names;
    for (std::size_t i = 0; i < std::min(kMost, waiting.peers.size()); ++i) {
      const auto& [peer, reason] = waiting.peers[i];
      names += fmt::format("{}node {} ({})", i == 0 ? "" : ", ", peer, reason);
    }
    if (waiting.peers.size() > kMost)
      names += fmt::format(" and {} more", waiting.peers.size() - kMost);
    return fmt::format("waiting for {}; {:.0f} s so far", names, waiting.seconds);
  }

  std::string operator()(const SlowPeer& slow) const {
    const bool is_link = slow.cause == SlowPeer::Cause::kLink;
    std::string whose =
        fmt::format("the {} of node {}", is_link ? "link" : "computation", slow.peer);
    if (is_link && slow.other)
      whose = fmt::format("the link between node {} and node {}", slow.peer, *slow.other);
    const std::string who = slow.peer == node && !slow.other ? "those who wait for it do so"
                                                             : fmt::format("node {} waits", node);
    return fmt::format("{} holds the run: {} for {:.0f} % of the time", whose, who,
                       100.0 * slow.share);
  }

  std::string operator()(const CheckpointSaved& saved) const {
    return fmt::format("node {} saved a checkpoint after {} rounds: {} bytes in {:.3f} s", node,
                       round, saved.bytes, saved.seconds);
  }

  std::string operator()(const Began& began) const {
    return fmt::format("node {} of {} begins with round {} of {}", node, began.nodes, began.from,
                       began.rounds);
  }

  std::string operator()(const Spans& spans) const {
    return fmt::format("node {} recorded {} spans of time", node, spans.spans.size());
  }

  std::string operator()(const Warned& warned) const {
    return fmt::format("warning: {}", warned.text);
  }

  std::string operator()(const Failed& failed) const {
    return fmt::format("{}{}{}", failed.sentence, failed.remedy.empty() ? "" : "; ", failed.remedy);
  }

  std::string operator()(const Ended& ended) const {
    return fmt::format("node {} has ended after {} rounds: {}", node, round, ended.outcome);
  }
};

}  // namespace

std::string sentence_of(const Event& event) {
  return printable(std::visit(Telling{event.node, event.round}, event.what));
}

}  // namespace gossamer
