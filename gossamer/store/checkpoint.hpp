#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/base/ids.hpp"
#include "gossamer/base/result.hpp"
#include "gossamer/node/state_visitor.hpp"
#include "gossamer/store/safetensors.hpp"

namespace gossamer {

/// What decides a run, as identity_of() lists it.
using Identity = std::vector<std::pair<std::string, std::string>>;

/// Why what was saved is not of this run: the first setting that differs; nothing if it is.
[[nodiscard]] std::optional<std::string> difference(const Identity& saved, const Identity& own);

/// All that survives a round of one node is shown to the visitor.
using ShowState = std::function<void(StateVisitor&)>;

/// The checkpoints of one run: a folder per round, in it a file per node. A file is written whole
/// or not at all, knows which run it belongs to, and ends with its digest. Beside it lies the model
/// alone, and in a complete round the mean of all models, as safetensors: for other programs, and
/// never read here again to go on from.
///
/// Thread safety: save() may be called by all nodes at once.
class CheckpointStore {
 public:
  /// Who writes into the folder.
  enum class Writers {
    kThisProcess,    // the nodes of this store
    kManyProcesses,  // each node by a store of its own, in processes that share the folder
    kOneNode,        // one node of a run, which does not see the others' files
  };

  /// `files`: how many a complete round has.
  CheckpointStore(std::string folder, Identity identity, NodeId files,
                  Writers writers = Writers::kThisProcess);

  /// Writes one node's state after `round` rounds, and its model if it has one. When a round is
  /// complete, all are removed but it and the complete one before; of many processes, the one with
  /// node 0 does so, for what it finds complete when it saves.
  /// Returns the size of the state's file in bytes.
  [[nodiscard]] Result<std::uint64_t> save(NodeId node, Round round, const ShowState& show,
                                           std::span<const NamedTensor> model);

  /// The rounds of which this node's file is there, whole and of this run; ascending.
  [[nodiscard]] std::vector<Round> saved_by(NodeId node) const;

  /// The newest of these; nothing if there is no file of this node. An error if there are files,
  /// and none of them is whole and of this run.
  [[nodiscard]] Result<std::optional<Round>> newest_by(NodeId node) const;

  /// Of kOneNode: rounds so far behind the newest are kept, since others may be that far behind.
  void keep_behind(Round rounds) { kept_behind_ = rounds; }

  /// Writes the means of the two newest complete rounds, and removes all rounds before them. For
  /// the end of a run of many processes.
  [[nodiscard]] Result<void> tidy() const;

  /// Whether this node's file of this round is there, whole and of this run; the error says why
  /// not.
  [[nodiscard]] Result<void> check(NodeId node, Round round) const;

  /// The newest round of which every file is there. Files that are missing make a round incomplete,
  /// and an older one is taken; a file that is damaged, or of another run, is an error that names
  /// it: also in an incomplete round, which has too few files if this run has more nodes.
  [[nodiscard]] Result<Round> newest() const;

  /// Overwrites a node's state with what was saved after `round` rounds.
  [[nodiscard]] Result<void> load(NodeId node, Round round, const ShowState& show) const;

 private:
  [[nodiscard]] std::string folder_of(Round round) const;
  [[nodiscard]] std::string path_of(NodeId node, Round round) const;
  [[nodiscard]] Result<std::vector<std::uint8_t>> open(NodeId node, Round round) const;
  [[nodiscard]] std::vector<Round> rounds() const;
  [[nodiscard]] bool is_complete(Round round) const;
  void remove_before(Round round) const;
  void forget_old_ones(Round newest) const;
  [[nodiscard]] std::string model_path_of(NodeId node, Round round) const;
  [[nodiscard]] std::string mean_path_of(Round round) const;
  [[nodiscard]] Result<void> write_mean(Round round) const;
  [[nodiscard]] Result<void> note_saved(NodeId node, Round round);

  std::string folder_;
  Identity identity_;
  NodeId files_;
  Writers writers_;
  Round kept_behind_ = 0;

  std::mutex mutex_;
  std::map<Round, NodeId> saved_;
  Round complete_ = 0;
};

}  // namespace gossamer
