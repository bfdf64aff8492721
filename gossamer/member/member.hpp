#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gossamer/algorithms/registry.hpp"
#include "gossamer/base/result.hpp"
#include "gossamer/member/edges/upkeep.hpp"
#include "gossamer/member/failure.hpp"
#include "gossamer/member/last_call.hpp"
#include "gossamer/member/ledger.hpp"
#include "gossamer/member/mean_exchange.hpp"
#include "gossamer/member/node_host.hpp"
#include "gossamer/member/pace/pace_watch.hpp"
#include "gossamer/member/presence.hpp"
#include "gossamer/member/stop_line.hpp"
#include "gossamer/store/checkpoint.hpp"

namespace gossamer {

/// What a run does when a neighbour is lost.
enum class OnPeerLoss {
  kStop,  // it ends, for everybody
  kDrop,  // it goes on without, and takes it in again when it comes back
};

/// What a member is made of. All that is pointed or referred to must outlive it.
struct MemberSetup {
  Network& network;
  const Topology& topology;
  /// As make_algorithm() takes them; the model's layout is among them.
  std::string algorithm;
  AlgorithmSetup method;
  std::uint64_t seed = 0;
  /// Where the run ends.
  Round rounds = 0;
  /// How long a neighbour may keep this node waiting.
  Duration patience = std::chrono::minutes(5);
  /// How long a computation takes, where the clock is virtual; none: no time.
  std::function<Duration(Round)> compute_time = {};

  // Checkpoints; nothing is kept where there is no store.
  CheckpointStore* checkpoints = nullptr;
  /// Rounds between two; 0: only where the run is stopped.
  Round checkpoint_every = 0;
  /// Go on from this many completed rounds, and from no others.
  std::optional<Round> resume_from = std::nullopt;

  /// Ends the run early, with a checkpoint, when somebody asks for it.
  StopLine* stop = nullptr;

  /// Told of all that happens to this node; null: nobody is told.
  EventSink* events = nullptr;

  /// Of a node that is alone in its process, and has to find the others first.
  struct AmongProcesses {
    /// Whom it talks to.
    std::vector<NodeId> partners;
    /// All that must be equal everywhere, beside the model.
    Identity settings;
    OnPeerLoss on_peer_loss = OnPeerLoss::kStop;
    /// After how long a link that is down has lost its peer.
    Duration peer_deadline = std::chrono::seconds(10);
    /// What becomes of parts that do not reach each other, where the run goes on without lost
    /// nodes.
    OnPartition on_partition = OnPartition::kStop;
    /// For how long a node that is cut off tries to come back.
    Duration rejoin_for = std::chrono::minutes(10);
    /// This process's life. 0: drawn at random.
    Incarnation incarnation = 0;
    /// Rounds between two comparisons of copies; 0: none.
    Round audit_every = 100;
    /// Goes on from the newest round that every node has saved.
    bool resumes = false;
    /// Whether processes that have ended may start again; not the ranks of a job, which all hear of
    /// each other's ends.
    bool can_return = true;
  };

  /// Nothing where all nodes are in one process.
  std::optional<AmongProcesses> process = std::nullopt;
};

/// How a member came into its run, and before which round.
struct Beginning {
  enum class How {
    kFresh,    // with all others, from the first model
    kResumed,  // with all others, from a checkpoint
    kJoined,   // a run that was under way
    kStopped,  // not at all: somebody wanted to stop while others were waited for
  };

  How how = How::kFresh;
  Round round = 0;
};

/// What a member has done since its run began, also before the checkpoint that it goes on from.
struct MemberStats {
  /// Frames of the algorithm as they were sent, headers included.
  std::uint64_t bytes_sent = 0;
  /// The part of them that is no header.
  std::uint64_t payload_bytes = 0;
  /// What it has sent beside the algorithm, in this process.
  std::uint64_t aside_bytes = 0;
  /// Since the run began, also before the checkpoint that it goes on from.
  Time now{};
  /// Of the network: what events have. Begins anew with each process.
  Time clock{};
  TimeSpent spent{};
  std::uint64_t edges_lost = 0;
  std::uint64_t edges_back = 0;
  std::uint64_t copies_repaired = 0;
};

/// One node's part in a run, whoever owns the loop: it agrees with the others before the first
/// round, runs the algorithm, looks after its edges, stops where all stop, and keeps checkpoints.
/// It does not know where gradients come from:
///
///     member.node().x() = the first model, the same on all nodes
///     member.begin();
///     while (member.begin_round()) {
///       g = the gradient at member.node().x()
///       member.share_gradient(g);
///       u = the local optimizer's move
///       member.end_round(u);
///     }
///
/// All of these throw RunFailed when the run cannot go on; the others have then been told why.
/// Processes that stop when one is lost wait for each other before that, and all throw the failure
/// of the node that was the first to fail(). Belongs to one thread.
class Member {
 public:
  /// An algorithm or a method that cannot be: a sentence.
  [[nodiscard]] static Result<std::unique_ptr<Member>> make(const MemberSetup& setup);

  Member(const Member&) = delete;
  Member& operator=(const Member&) = delete;
  ~Member() = default;

  [[nodiscard]] Node& node() { return host_.node(); }

  [[nodiscard]] const Node& node() const { return host_.node(); }

  /// Whether it has a model: a coordinator has none.
  [[nodiscard]] bool trains() const { return node().id() < node().size(); }

  // Before begin(): what belongs to the loop.

  /// All that the loop keeps from one round to the next, for checkpoints. The model is kept anyway.
  void keeps(ShowState state) { show_loop_ = std::move(state); }

  /// What belongs to the model beside its numbers: a node that joins takes it over with them.
  void joins_with(ShowState model) { show_model_ = std::move(model); }

  /// Numbers of the model that have no gradient, such as running means: saved with it, and averaged
  /// with it.
  void has_statistics(Layout layout, std::function<CVec()> statistics);

  [[nodiscard]] const Layout& statistics_layout() const { return statistics_layout_; }

  /// When node().x() holds the first model.
  Beginning begin();

  /// Saves what is due, looks after the edges, and sends what can travel while the loop computes.
  /// False: the run is over, or stopped.
  [[nodiscard]] bool begin_round();

  /// Lets an algorithm change the gradient that averages gradients; most leave it as it is.
  void share_gradient(Vec g);

  /// Takes the move u and mixes with the neighbours. The loss of the batch is for those who watch.
  /// A node that is cut off from the others meanwhile does not complete the round: begin_round()
  /// takes it back to them, with the model that it has and in the round that they have come to.
  void end_round(CVec u, std::optional<double> loss = std::nullopt);

  /// A checkpoint of this round, also where none is due.
  void save();

  /// The mean of all nodes' models, and of their statistics behind it: the same bits at every node.
  /// All nodes call it before the same round. Counted as asides, apart from the algorithm's
  /// traffic.
  [[nodiscard]] MeanOfNodes mean_model();

  /// The round before which the run was stopped, if it was.
  [[nodiscard]] std::optional<Round> stopped() const;

  /// The run cannot go on, because of what this node has found: a loss that is too large, a number
  /// that is none, a file. Throws RunFailed, with the failure of another node if that failed first.
  [[noreturn]] void fail(Failure::Kind kind, const std::string& quantity,
                         const std::string& sentence);

  /// Tells the others that this node leaves, and why. For a loop that ends before the run does.
  void leave(const std::string& why);

  [[nodiscard]] MemberStats stats();

  /// What its algorithm holds in common with neighbours, for those who compare; null: nothing.
  [[nodiscard]] EdgeCopies* copies() { return algorithm_->copies(); }

  /// So much of the time that has passed was no part of the run.
  void leave_out(Duration duration) { ledger_.leave_out(duration); }

 private:
  Member(const MemberSetup& setup, std::unique_ptr<Algorithm> algorithm);

  /// Whether nodes that end because one has failed agree on why.
  [[nodiscard]] bool ends_together() const;
  template <typename Step>
  auto guarded(const Step& step) -> decltype(step());
  [[noreturn]] void end_for_all(Failure::Kind kind, const std::string& quantity,
                                const std::string& sentence);
  [[nodiscard]] bool hear_next(Time deadline);
  [[nodiscard]] std::optional<Round> agree();
  [[nodiscard]] bool drops() const;
  [[nodiscard]] std::optional<Round> come_in();
  [[nodiscard]] bool wait_to_be_let_in(Time deadline);
  void stop_early();
  void rejoin();
  [[nodiscard]] bool keep_edges();
  [[nodiscard]] bool resumes() const;
  [[nodiscard]] std::vector<Round> rounds_to_resume() const;
  [[nodiscard]] std::optional<Round> begin_together(std::optional<Round> from);
  [[nodiscard]] bool join(Time deadline);
  void leave_all_edges();
  void tell_beginning();
  void look_after_edges();
  void expect_agreement();
  void hear_refusal(const Aside& aside) const;
  void expect_agreement_with(const Aside& roll_call);
  [[nodiscard]] Presence presence() const;
  void resume(Round round);
  void load(Round round);
  void save_if_due();
  [[noreturn]] void fail_of_file(const std::string& sentence);
  void spend_compute_time();
  void show_state(StateVisitor& visitor);
  void show_model(StateVisitor& visitor);
  [[nodiscard]] Failure failure(Failure::Kind kind, std::string quantity,
                                std::string sentence) const;

  MemberSetup setup_;
  NodeHost host_;
  Ledger ledger_;
  std::unique_ptr<Algorithm> algorithm_;
  std::optional<Upkeep> upkeep_;
  std::optional<PaceWatch> pace_;  // among processes
  MeanExchange mean_;
  LastCall last_call_;
  std::uint64_t first_model_ = 0;  // its digest

  ShowState show_loop_ = [](StateVisitor&) {};
  ShowState show_model_ = [](StateVisitor&) {};
  Layout statistics_layout_;
  std::function<CVec()> statistics_ = [] { return CVec(nullptr, 0); };

  bool is_stopped_early_ = false;  // before the first round
  bool has_computed_ = false;      // in this round
  bool is_cut_off_ = false;
  std::optional<Time> differs_since_;  // from the settings of a run that is under way
  bool has_joined_ = false;
  Incarnation incarnation_ = 0;
  std::optional<Round> saved_;
};

}  // namespace gossamer
