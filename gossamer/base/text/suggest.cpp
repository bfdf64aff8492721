#include "gossamer/base/text/suggest.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace gossamer {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // distance[i][j] is the distance between the first i letters of a and the first j of b.
  std::vector<std::vector<std::size_t>> distance(a.size() + 1,
                                                 std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        distance[i][j] = i + j;
        continue;
      }
      const std::size_t replaced = distance[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      distance[i][j] = std::min({replaced, distance[i - 1][j] + 1, distance[i][j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) distance[i][j] = std::min(distance[i][j], distance[i - 2][j - 2] + 1);
    }
  }
  return distance[a.size()][b.size()];
}

std::string unknown_name(std::string_view what, std::string_view name,
                         std::span<const std::string> valid) {
  if (valid.empty()) return fmt::format("unknown {} '{}': there are none", what, name);
  const auto nearest = std::ranges::min_element(
      valid, {}, [&](const std::string& candidate) { return edit_distance(name, candidate); });
  // Beyond half of the letters a suggestion is a guess, and a wrong guess is worse than the list
  // alone.
  const bool near = edit_distance(name, *nearest) <= std::max<std::size_t>(1, nearest->size() / 2);
  std::string list;
  for (const std::string& candidate : valid)
    list += (list.empty() ? "" : ", ") + candidate;
  if (!near) return fmt::format("unknown {} '{}'; valid: {}", what, name, list);
  return fmt::format("unknown {} '{}'; did you mean '{}'? Valid: {}", what, name, *nearest, list);
}

}  // namespace gossamer
