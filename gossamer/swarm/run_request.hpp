#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/settings/config.hpp"

namespace gossamer {

/// A run as a user asks for it: which settings, which folder, which peer.
struct RunRequest {
  Command command = Command::kTrain;
  /// What holds where nobody says anything else.
  RunConfig preset;
  std::string config_file;
  std::vector<std::string> assignments;                    // key=value, of --set
  std::vector<std::pair<std::string, std::string>> given;  // of options, in their order

  /// Where a new run keeps what it leaves; empty: nothing is kept.
  std::string run_dir;
  /// The folder of a run to go on with.
  std::string resume;

  // Of one peer among others.
  std::string peers;
  std::optional<NodeId> node;
  bool insecure = false;

  [[nodiscard]] bool has_folder() const { return !run_dir.empty() || !resume.empty(); }

  /// The network that is named beside files: a file's may be that of an earlier run.
  [[nodiscard]] std::optional<std::string> named_network() const;
};

/// The settings that a request says: its file first, then --set, then options. `base` is what they
/// start from.
[[nodiscard]] Result<RunConfig> config_of(const RunRequest& request, RunConfig base);

}  // namespace gossamer
