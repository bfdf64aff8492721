#pragma once

#include <string>
#include <vector>

namespace gossamer {

/// Every run of an entry once for each pair of values of two settings, to see who does best where:
/// a heat map on the page.
struct Grid {
  /// A key of a config, and the values that it takes.
  struct Axis {
    std::string key;
    std::vector<std::string> values;
  };

  std::vector<std::string> methods;  // names of the runs before they were multiplied
  Axis columns;
  Axis rows;
  std::string metric;  // as in metrics.jsonl, of the last round; the smallest is best

  /// What the run of a method is called in one cell, also in claims: "gossip, 5Mbps, 20ms".
  [[nodiscard]] static std::string run_name(const std::string& method, const std::string& column,
                                            const std::string& row);
};

}  // namespace gossamer
