#pragma once

#include <span>
#include <string>
#include <string_view>

namespace gossamer {

/// A sentence for a name that nobody knows: what was wrong, the nearest valid name if one is near,
/// and all of them. `what` says what kind of name it is: "compressor", "option of topk".
[[nodiscard]] std::string unknown_name(std::string_view what, std::string_view name,
                                       std::span<const std::string> valid);

/// Letters to insert, delete, replace or swap with their neighbour to turn one word into the other.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace gossamer
