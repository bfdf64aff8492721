#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gossamer::testing {

/// A folder of gossamer/ and the folders below that it may include.
struct Layer {
  std::string folder;
  std::vector<std::string> may_include;
};

/// As CMake links them: what a layer includes and does not link would not build elsewhere, and what
/// it links without need is no part of the picture.
[[nodiscard]] const std::vector<Layer>& layers();

/// Holds one source file to the picture of ARCHITECTURE.md: includes point down, never up or
/// sideways; each foreign library stays in the folder that wraps it; the library neither prints nor
/// reads the environment nor sleeps. `path` is relative to the repository's root.
/// Each sentence names the file, the line and the rule; none means that the file is in order.
[[nodiscard]] std::vector<std::string> layer_violations(std::string_view path,
                                                        std::string_view text);

}  // namespace gossamer::testing
