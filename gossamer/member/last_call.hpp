#pragma once

#include <map>
#include <optional>
#include <vector>

#include "gossamer/member/failure.hpp"
#include "gossamer/member/node_host.hpp"
#include "gossamer/topology/graph.hpp"

namespace gossamer {

/// How nodes that end because one of them has failed agree on why: everybody hears from everybody
/// how it ended, with neighbours as messengers, and all take the first cause of the same failures.
/// It is to the end what RollCall is to the beginning. For processes that stop when one is lost;
/// where nodes are in one process, that process sees all failures.
///
/// A node runs until it fails, or misses a message of one that has ended. Then it has ended: it
/// sends no message of its algorithm any more, and waits for the others. When it has left, or was
/// killed, it is gone, of which its neighbours hear by the network.
///
/// There is one kind of aside, kEnded: of some nodes how they ended, or that they are gone, as far
/// as the receiver may not know it. A node sends what it knows to all neighbours when it ends, and
/// from then on what is new to it to all but the one that it has it from. It leaves when it knows
/// how each node ended that is not gone, and that it reaches by way of such nodes.
///
/// Why all end in the same round in every repetition: only those who have ended send it, and asides
/// keep their place among messages. Whoever hears it from a neighbour has all messages that this
/// one ever sent, and goes on until it needs another. How far it gets so depends on messages alone,
/// not on when they come, and is as far as on threads (first_cause()). Means and audits, which
/// threads do not have, hold nobody back who fails in the earliest round: all come to that round,
/// and have sent all that is due before it.
///
/// Why all have the same cause, as long as nobody is killed: what a node knows only grows, and what
/// it tells comes in order. Who hears that one has left knows all that this one knew, which are the
/// endings of all. So all leave with these, of which there is one for each node. And nobody leaves
/// before all have ended: none of them is lost to one that still runs.
///
/// Why nobody waits for ever: of those who still run, the one that is least far waits for none but
/// those who have ended, so that all end; each ending then crosses each link. One that was killed
/// is gone, also if it had said before how it ended: it passes nothing on any more, so that neither
/// it nor those behind it are waited for. So is one that came to the end of its run before somebody
/// failed. Who is alive and stays silent keeps the others for as long as `patience` times the
/// number of nodes: it may be as many rounds behind, and may take so long for each. After losses
/// nodes may end with different sentences: each with the first cause that it has heard of.
///
/// Why no tree, as for means: endings are short and come once, a tree breaks with any of its nodes,
/// and after losses all would have to agree on another one.
class LastCall {
 public:
  struct Setup {
    NodeHost& host;
    /// Who talks to whom.
    Graph graph;
    /// For how long a neighbour may keep this node waiting in a round.
    Duration patience;
  };

  explicit LastCall(Setup setup);

  /// Whether somebody has said that it has ended.
  [[nodiscard]] bool has_begun() const { return !endings_.empty(); }

  /// This node has ended so. Tells the others, waits until all have ended, and returns why.
  [[nodiscard]] Failure conclude(const Failure& own);

  /// Every aside when it arrives, also in the midst of a round.
  void hear(const Aside& aside);

 private:
  /// What is known of one node.
  struct Ending {
    std::optional<Failure> failure = std::nullopt;
    bool is_gone = false;
  };

  using Endings = std::map<NodeId, Ending>;

  void learn(const Endings& told, std::optional<NodeId> from);
  void tell(const Endings& news, std::optional<NodeId> all_but = std::nullopt);
  void note_gone();
  [[nodiscard]] bool is_gone(NodeId node) const;
  [[nodiscard]] bool knows_all() const;

  Setup setup_;
  NodeHost& host_;
  Node& node_;
  std::vector<NodeId> neighbours_;
  Endings endings_;
  bool has_ended_ = false;
  bool has_news_ = false;
};

}  // namespace gossamer
