#include "tests/layers/name_rules.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace gossamer::testing {

std::span<const NamedByRight> names_by_right() {
  static const std::vector<NamedByRight> all = {
      {"gossamer/settings/config.hpp", "choco", "what a run takes by default"},
      {"gossamer/settings/method_spec.hpp", "choco", "what a method takes by default"},
      {"gossamer/reproduce/entries.def", "powergossip", "the name of a page"},
      {"gossamer/reproduce/entries.def", "qsparse", "the name of a page"},
      {"apps/commands/plan.cpp", "dpsgd", "any algorithm will do: only the task is looked at"},
      {"apps/benchmarks/rounds.cpp", "dpsgd", "one of those that are measured by default"},
      {"apps/console/plan_output.cpp", "exact", "a word for a mean without a gap"},
  };
  return all;
}

std::vector<std::string> name_violations(std::string_view path, std::string_view text,
                                         std::span<const std::string> names) {
  std::vector<std::string> violations;
  if (path.starts_with("gossamer/algorithms/")) return violations;
  for (const std::string& name : names) {
    const bool is_by_right = std::ranges::any_of(names_by_right(), [&](const NamedByRight& right) {
      return right.path == path && right.name == name;
    });
    if (is_by_right) continue;
    for (const char end : {'"', ':'}) {
      const std::string quoted = fmt::format("\"{}{}", name, end);
      for (std::size_t at = text.find(quoted); at != std::string_view::npos;
           at = text.find(quoted, at + 1)) {
        const auto line = 1 + std::ranges::count(text.substr(0, at), '\n');
        violations.push_back(fmt::format(
            "{}:{}: asks for {} by name: say in gossamer/algorithms what makes it different", path,
            line, name));
      }
    }
  }
  return violations;
}

}  // namespace gossamer::testing
