#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "gossamer/member/node_host.hpp"
#include "gossamer/topology/spanning_tree.hpp"

namespace gossamer {

/// A mean, and of how many nodes it is.
struct MeanOfNodes {
  std::vector<float> numbers;
  NodeId nodes = 0;

  bool operator==(const MeanOfNodes&) const = default;
};

/// The mean of all nodes' numbers, the same bits at every node, over the live edges of a graph.
/// What it sends is no part of the algorithm's traffic.
///
/// All nodes call mean() before the same round. Sums go up a tree over the live edges, and the mean
/// goes to everybody:
///
///   - The tree is a function of the edges that a node knows to be live (SpanningTree); a sum says
///     for which edges it is, by digest, and counts only at a node that knows the same. News of
///     edges are told to all, so that all come to know the same; a node that learns of a change
///     begins anew.
///   - The sum of a node is its own numbers plus its children's sums, in the order of ids, in
///   double
///     precision. The root divides and rounds once.
///   - A node that has the mean has sent it to all its live neighbours before it goes on, and
///     answers every later sum of that round with it.
///
/// There are never two means: another one would need the sum of every node that its root reaches,
/// and one that has the mean sends no sum any more. Everybody gets it: who has it has told its
/// neighbours, and who waits in vain for longer than `patience` loses the one it waits for, as in a
/// round.
class MeanExchange {
 public:
  struct Setup {
    NodeHost& host;
    /// Who talks to whom.
    Graph graph;
    /// For how long a neighbour may keep this node waiting.
    Duration patience;
    /// For all to say that they have the last mean, where a run goes on without lost nodes.
    Duration last_deadline;
    /// Hears the next aside, whomever it is for. False: none came before the deadline.
    std::function<bool(Time deadline)> hear_next;
  };

  explicit MeanExchange(Setup setup);

  /// A node without numbers, a coordinator, helps the others. Throws NeighbourLost where a lost
  /// neighbour ends the run.
  /// The last one of a run: nobody returns before all have it, or the last deadline.
  [[nodiscard]] MeanOfNodes mean(CVec own, std::size_t size, bool is_last = false);

  /// An aside of any kind, when it arrives; also in the midst of a round, since others may be
  /// ahead. Whether it was for this.
  [[nodiscard]] bool hear(const Aside& aside);

 private:
  struct Sum {
    Round round = 0;
    std::uint64_t edges = 0;  // digest of those that it is for
    std::uint32_t count = 0;  // of nodes in it
    std::vector<double> numbers;
  };

  struct Mean {
    Round round = 0;
    MeanOfNodes of;
  };

  [[nodiscard]] SpanningTree tree() const;
  [[nodiscard]] std::uint64_t digest_of_edges() const;
  [[nodiscard]] Graph edges() const;
  [[nodiscard]] std::optional<NodeId> missing_child(const SpanningTree& tree,
                                                    std::size_t size) const;
  [[nodiscard]] Sum add_up(const SpanningTree& tree, CVec own, std::size_t size) const;
  void send_sum(NodeId parent, const Sum& sum);
  void hear_sum(const Aside& aside);
  void hear_mean(const Aside& aside);
  void send_mean(NodeId peer);
  void tell_neighbours();
  void wait_for(NodeId peer, Time deadline);
  [[nodiscard]] bool reaches_all(const SpanningTree& tree) const;
  void wait_for_members();
  void wait_until_all_have_it();
  bool hear_next(Time deadline);

  Setup setup_;
  NodeHost& host_;
  Node& node_;
  std::map<NodeId, Sum> sums_;  // the newest of each neighbour
  std::optional<Mean> mean_;    // of the last exchange
  bool is_waiting_ = false;
};

}  // namespace gossamer
