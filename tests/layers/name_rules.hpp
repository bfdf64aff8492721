#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gossamer::testing {

/// Facts about an algorithm live in its file: nobody else may ask for its name. Each sentence names
/// the file, the line and the name; none means that the file is in order.
///
/// The rule is a simple one: outside gossamer/algorithms/ no quoted text is the name of an
/// algorithm, nor its name with a colon behind it, as a spec with options begins; wherever it
/// stands, comments included. So no comparison, list or map can have one.
[[nodiscard]] std::vector<std::string> name_violations(std::string_view path, std::string_view text,
                                                       std::span<const std::string> names);

/// A place that may name an algorithm, because it decides nothing about it.
struct NamedByRight {
  std::string path;
  std::string name;
  std::string reason;
};

[[nodiscard]] std::span<const NamedByRight> names_by_right();

}  // namespace gossamer::testing
