#pragma once

#include <algorithm>
#include <functional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/base/result.hpp"

namespace gossamer {

/// A sentence for a name that nobody knows: what was wrong, the nearest valid name if one is near,
/// and all of them. `what` says what kind of name it is: "compressor", "option of topk".
[[nodiscard]] std::string unknown_name(std::string_view what, std::string_view name,
                                       std::span<const std::string> valid);

/// The entry of a registry that has this name, or the sentence for a name that nobody knows. The
/// registry must outlive the pointer.
template <std::ranges::contiguous_range Entries, typename NameOf>
[[nodiscard]] Result<const std::ranges::range_value_t<Entries>*> find_named(std::string_view what,
                                                                            std::string_view name,
                                                                            const Entries& entries,
                                                                            NameOf name_of) {
  const auto found = std::ranges::find(entries, name, name_of);
  if (found != std::ranges::end(entries)) return &*found;
  std::vector<std::string> names;
  for (const auto& entry : entries)
    names.emplace_back(std::invoke(name_of, entry));
  return Error{unknown_name(what, name, names)};
}

/// Letters to insert, delete, replace or swap with their neighbour to turn one word into the other.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace gossamer
