#include "gossamer/algorithms/registry.hpp"

#include <algorithm>
#include <vector>

#include "gossamer/base/suggest.hpp"

namespace gossamer {
namespace {

struct Entry {
  AlgorithmInfo info;
  Result<std::unique_ptr<Algorithm>> (*make)(const AlgorithmSetup&);
};

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = {
#define GOSSAMER_ALGORITHM(name, mean, summary) {{#name, summary, Mean::mean}, make_##name},
#include "gossamer/algorithms/registry.def"
#undef GOSSAMER_ALGORITHM
  };
  return all;
}

}  // namespace

std::span<const AlgorithmInfo> algorithms() {
  static const std::vector<AlgorithmInfo> all = [] {
    std::vector<AlgorithmInfo> infos;
    for (const Entry& entry : entries())
      infos.push_back(entry.info);
    return infos;
  }();
  return all;
}

Result<std::unique_ptr<Algorithm>> make_algorithm(std::string_view name,
                                                  const AlgorithmSetup& setup) {
  expects(setup.compressor != nullptr, "an algorithm has a compressor, if only the identity");
  const auto found =
      std::ranges::find(entries(), name, [](const Entry& entry) { return entry.info.name; });
  if (found != entries().end()) return found->make(setup);
  std::vector<std::string> names;
  for (const Entry& entry : entries())
    names.push_back(entry.info.name);
  return Error{unknown_name("algorithm", name, names)};
}

}  // namespace gossamer
