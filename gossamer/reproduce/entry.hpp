#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/reproduce/grid.hpp"
#include "gossamer/settings/config.hpp"

namespace gossamer {

/// How much of an entry is run.
enum class Effort { kQuick, kFull };

[[nodiscard]] std::string_view name_of(Effort effort);

/// What a claim measures of a run.
enum class Measure {
  kRoundsTo,   // rounds until the metric reaches the target,
  kBytesTo,    // bytes that a node has sent by then, headers included,
  kBitsTo,     // bits without headers, as papers count them,
  kSecondsTo,  // virtual seconds
  kValue,      // the metric itself
  kDiverges,   // whether the run diverges
};

/// One sentence of a paper, and what is measured to see whether it holds here.
struct Claim {
  std::string says;
  std::string claimed;   // the paper's number, as text
  std::string why;       // why it is otherwise here, if it is
  bool differs = false;  // the bounds are not the paper's

  std::string run;
  std::string over;   // the measured number is divided by that of this run,
  std::string under;  // or that of this run by it; at most one of them is named
  Measure measure = Measure::kValue;
  std::string metric;              // as in metrics.jsonl
  double target = 0.0;             // of kRoundsTo and its like
  std::optional<Round> at;         // of kValue; nothing: the last round
  std::optional<double> at_least;  // at least one of the bounds is there,
  std::optional<double> at_most;
  bool expected = true;  // or, for kDiverges, this
};

struct PlannedRun {
  std::string name;
  RunConfig config;
};

/// Curves on the page: `y` of some runs against `x`, both as in metrics.jsonl.
struct Plot {
  std::string x;
  std::string y;
  bool is_log = false;
  std::string title;              // empty: what y is called
  std::vector<std::string> runs;  // empty: all
};

/// What one paper says, and the runs that show it. Of an entry that is for full effort alone there
/// are no runs in quick.
struct Entry {
  std::string name;
  std::string title;
  std::string paper;
  std::string about;
  std::string takes;  // how long, in words; may be empty
  std::string needs;  // a file or folder that users must have; may be empty
  Command command = Command::kTrain;
  std::vector<PlannedRun> runs;
  std::optional<Grid> grid;  // that the runs are the cells of, by method, row and column
  std::vector<Plot> plots;
  std::vector<Claim> claims;
};

/// Reads an entry, docs/reproduce.md, as far as this effort needs it. Every error begins with
/// `source` and names the line.
[[nodiscard]] Result<Entry> parse_entry(std::string_view name, const std::string& source,
                                        std::string_view text, Effort effort);

/// An entry of the user's own. It is called as its file, without the folder and ".toml".
[[nodiscard]] Result<Entry> read_entry(const std::string& path, Effort effort);

}  // namespace gossamer
