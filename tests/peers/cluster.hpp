#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/e2e/run_output.hpp"
#include "tests/e2e/running_program.hpp"
#include "tests/support/temporary_folder.hpp"

#include "gossamer/base/ids.hpp"

namespace gossamer::testing {

/// A port of this machine that nobody else is given while the object lives. A program may listen on
/// it all the same, and again after it was killed.
class ReservedPort {
 public:
  ReservedPort();
  ReservedPort(ReservedPort&& other) noexcept;
  ReservedPort& operator=(ReservedPort&&) = delete;
  ~ReservedPort();

  [[nodiscard]] std::uint16_t number() const { return number_; }

  /// Whether somebody listens there.
  [[nodiscard]] bool accepts() const;

 private:
  int descriptor_;
  std::uint16_t number_ = 0;
};

/// Peers of one cluster, each a process, over loopback. The runs that it starts are kept in a
/// folder of the cluster's, and gone with it.
class Cluster {
 public:
  /// `data`: of each peer, if they have data of their own.
  explicit Cluster(NodeId size, const std::vector<std::string>& data = {});

  /// Another program than `gossamer train`, which takes the same options.
  void runs(Arguments program) { program_ = std::move(program); }

  [[nodiscard]] NodeId size() const { return static_cast<NodeId>(ports_.size()); }

  [[nodiscard]] std::string path(const std::string& inside) const { return folder_.path(inside); }

  [[nodiscard]] std::uint16_t port(NodeId node) const { return ports_[node].number(); }

  [[nodiscard]] std::string peers_file() const { return path("peers.toml"); }

  /// From now on this peer finds the other one there.
  void reroute(NodeId caller, NodeId to, std::uint16_t port);

  /// `gossamer train` with what makes it one of the peers.
  [[nodiscard]] Arguments train_as(NodeId node) const;

  /// Kills one that still runs in its place.
  void start(NodeId node, const Arguments& settings);
  void start_all(const Arguments& settings);

  [[nodiscard]] RunningProgram& peer(NodeId node) { return *running_.at(node); }

  void wait_until_listening(NodeId node) const;

  /// By node.
  [[nodiscard]] std::vector<ProgramResult> finish_all();

  /// All peers with the same settings, to the end.
  [[nodiscard]] std::vector<ProgramResult> run(const Arguments& settings);

 private:
  [[nodiscard]] Arguments place_of(NodeId node) const;
  [[nodiscard]] Arguments command_of(NodeId node) const;

  TemporaryFolder folder_;
  Arguments program_;  // empty: gossamer train
  std::map<NodeId, std::string> own_peers_files_;
  std::vector<ReservedPort> ports_;
  std::vector<std::unique_ptr<RunningProgram>> running_;
};

/// Where a peer of a run with --run-dir keeps its own model.
[[nodiscard]] std::string model_file_of_peer(const std::string& run, NodeId node, Round round);

/// What is in it.
[[nodiscard]] std::string model_of_peer(const std::string& run, NodeId node, Round round);

/// The same of a run in one process.
[[nodiscard]] std::string model_of_node(const std::string& run, NodeId node, Round round);

/// Fails for each that did not end with this code.
void expect_all_ended_with(int code, const std::vector<ProgramResult>& results);

}  // namespace gossamer::testing
