#include "gossamer/algorithms/registry.hpp"

#include <vector>

#include <fmt/format.h>

#include "gossamer/algorithms/factories.hpp"
#include "gossamer/base/text/suggest.hpp"

namespace gossamer {
namespace {

using Make = Result<std::unique_ptr<Algorithm>> (*)(const AlgorithmSetup&, Options&);

struct Entry {
  AlgorithmInfo info;
  Make make;
};

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = {
#define GOSSAMER_ALGORITHM(function) {about_##function(), make_##function},
#include "gossamer/algorithms/registry.def"
#undef GOSSAMER_ALGORITHM
  };
  return all;
}

Result<const Entry*> find(std::string_view name) {
  return find_named("algorithm", name, entries(),
                    [](const Entry& entry) { return entry.info.name; });
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

Result<AlgorithmInfo> find_algorithm(std::string_view spec) {
  const Result<const Entry*> entry = find(split_spec(spec).name);
  if (!entry) return entry.error();
  return entry.value()->info;
}

Result<std::unique_ptr<Algorithm>> make_algorithm(std::string_view spec,
                                                  const AlgorithmSetup& setup) {
  expects(setup.compressor != nullptr, "an algorithm has a compressor, if only the identity");
  expects(setup.local_steps > 0, "at least one step between two meetings");
  NamedOptions named = split_spec(spec);
  const Result<const Entry*> entry = find(named.name);
  if (!entry) return entry.error();
  Result<std::unique_ptr<Algorithm>> made = entry.value()->make(setup, named.options);
  // An option that nobody knows explains more than what followed from it.
  if (const Result<void> understood = named.options.finish(); !understood) {
    return understood.error();
  }
  if (entry.value()->info.gamma == Gamma::kNone && setup.gamma != 1.0f) {
    return Error{
        fmt::format("{} has no step gamma; leave out gamma = {}", named.name, setup.gamma)};
  }
  return made;
}

}  // namespace gossamer
