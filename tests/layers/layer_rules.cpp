#include "tests/layers/layer_rules.hpp"

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>

#include "tests/layers/cpp_text.hpp"
#include <fmt/format.h>

namespace gossamer::testing {
namespace {

// A foreign header, by how its name begins, and where it may be included: paths that begin and end
// so.
struct Place {
  std::string_view begins;
  std::string_view ends = {};
};

struct Foreign {
  std::string_view header;
  std::vector<Place> places;
};

std::vector<Foreign> foreign_headers() {
  // version.cpp asks every library for its version, and nothing else.
  const Place versions{"apps/commands/version.cpp"};
  return {
      {"hwy/", {{"gossamer/math/", ".cpp"}, versions}},
      {"xxhash", {{"gossamer/wire/", ".cpp"}, versions}},
      {"CLI/", {{"apps/"}}},
      {"nlohmann/",
       {{"apps/"},
        {"gossamer/events/", ".cpp"},
        {"gossamer/store/", ".cpp"},
        {"gossamer/report/", ".cpp"},
        {"gossamer/train/", ".cpp"},
        {"gossamer/reproduce/", ".cpp"},
        {"gossamer/plan/", ".cpp"},
        {"gossamer/learn/torch/", ".cpp"}}},
      {"toml++/", {{"gossamer/settings/", ".cpp"}, {"gossamer/settings/toml_table.hpp"}}},
      {"zlib.h", {{"gossamer/learn/images/", ".cpp"}}},
      {"png.h", {{"gossamer/learn/images/", ".cpp"}}},
      {"turbojpeg.h", {{"gossamer/learn/images/", ".cpp"}}},
      {"torch/", {{"gossamer/learn/torch/"}}},
      {"ATen/", {{"gossamer/learn/torch/"}}},
      {"c10/", {{"gossamer/learn/torch/"}}},
      {"mpi.h", {{"gossamer/network/mpi/"}}},
      {"simgrid/",
       {{"gossamer/network/sim/", ".cpp"},
        {"gossamer/network/sim/lane.hpp"},
        {"gossamer/network/sim/processors.hpp"}}},
      {"xbt/", {{"gossamer/network/sim/", ".cpp"}}},
      {"asio", {{"gossamer/network/sockets/", ".cpp"}}},
      {"openssl/", {{"gossamer/network/sockets/", ".cpp"}, {"gossamer/network/keys/", ".cpp"}}},
      {"iostream", {{"apps/"}}},
  };
}

// Names that only some places may use, whatever they are qualified with.
struct Restricted {
  std::vector<std::string_view> names;
  std::vector<Place> places;
  std::string_view rule;
};

std::vector<Restricted> restricted_names() {
  return {
      {{"printf", "fprintf", "vprintf", "vfprintf", "puts", "fputs", "putchar", "fputc", "perror",
        "cout", "cerr", "clog", "fmt::print", "fmt::vprint", "std::print", "std::println"},
       {{"apps/"}},
       "only apps/ prints"},
      // Launchers tell a process who it is in no other way.
      {{"getenv", "secure_getenv", "environ"},
       {{"apps/"}, {"gossamer/swarm/launched_rank.cpp"}},
       "the library does not read the environment"},
      // A simulated node sleeps on a virtual clock; MPI can only be polled.
      {{"sleep_for", "sleep_until", "usleep", "nanosleep"},
       {{"gossamer/network/sim/", ".cpp"}, {"gossamer/network/mpi/pause.hpp"}},
       "the library does not sleep"},
  };
}

bool is_allowed(std::string_view path, const std::vector<Place>& places) {
  return std::ranges::any_of(places, [&](const Place& place) {
    return path.starts_with(place.begins) && path.ends_with(place.ends);
  });
}

// "math" for "gossamer/math/vec.hpp"; nothing for paths elsewhere.
std::optional<std::string_view> layer_of(std::string_view path) {
  constexpr std::string_view kLibrary = "gossamer/";
  if (!path.starts_with(kLibrary)) return std::nullopt;
  path.remove_prefix(kLibrary.size());
  return path.substr(0, path.find('/'));
}

// gossamer/gossamer.hpp and others that stand above all layers.
bool is_above_layers(std::string_view path) {
  return path.starts_with("gossamer/") && path.ends_with(".hpp") &&
         path.find('/') == path.rfind('/');
}

std::optional<Layer> find_layer(std::string_view folder) {
  for (const Layer& layer : layers()) {
    if (layer.folder == folder) return layer;
  }
  return std::nullopt;
}

// The rule that an include of one of our own headers breaks.
std::optional<std::string> broken_by_own(std::string_view path, std::string_view header) {
  if (header.find("..") != std::string_view::npos) return "our headers have no '..' in their names";
  const bool from_app = path.starts_with("apps/");
  if (header.starts_with("apps/")) {
    if (from_app) return std::nullopt;
    return "the library does not know its programs";
  }
  const bool from_above = from_app || is_above_layers(path);
  if (is_above_layers(header)) {
    if (from_above) return std::nullopt;
    return "it is for users: layers include what they use";
  }
  const auto to = layer_of(header);
  if (!to) return "our headers are included from the root, as \"gossamer/...\"";
  if (!find_layer(*to)) return fmt::format("the picture has no folder gossamer/{}", *to);
  if (from_above) return std::nullopt;

  const auto from = find_layer(layer_of(path).value_or(""));
  if (!from) return "CMake has no such layer: give the folder a gossamer_layer()";
  if (from->folder == *to) return std::nullopt;
  if (std::ranges::find(from->may_include, *to) != from->may_include.end()) return std::nullopt;
  return fmt::format("includes point down: {} does not see {}", from->folder, *to);
}

std::optional<std::string> broken_by_foreign(std::string_view path, std::string_view header) {
  for (const Foreign& foreign : foreign_headers()) {
    if (!header.starts_with(foreign.header) || is_allowed(path, foreign.places)) continue;
    std::string places;
    for (const Place& place : foreign.places) {
      places += fmt::format("{}{}{}", places.empty() ? "" : " and ", place.begins,
                            place.ends.empty() ? "" : fmt::format("*{}", place.ends));
    }
    return fmt::format("only {} may include it", places);
  }
  return std::nullopt;
}

// The names in a line, with their qualification: `std::cout`, `fmt::print`, `x`.
std::vector<std::string_view> names_in(std::string_view line) {
  std::vector<std::string_view> names;
  for (std::size_t begin = 0; begin < line.size();) {
    std::size_t end = begin;
    while (end < line.size()) {
      if (is_name_character(line[end])) {
        ++end;
      } else if (line.substr(end).starts_with("::")) {
        end += 2;
      } else {
        break;
      }
    }
    if (end > begin) names.push_back(line.substr(begin, end - begin));
    begin = std::max(end, begin + 1);
  }
  return names;
}

// Whether `used`, as it stands in the code, is `name` under any qualification.
bool is_use_of(std::string_view used, std::string_view name) {
  return used.ends_with(name) &&
         (used.size() == name.size() || used.substr(0, used.size() - name.size()).ends_with("::"));
}

std::optional<std::string> broken_by_name(std::string_view path, std::string_view used) {
  for (const Restricted& restricted : restricted_names()) {
    if (is_allowed(path, restricted.places)) continue;
    for (const std::string_view name : restricted.names) {
      if (is_use_of(used, name)) return fmt::format("{}: {}", used, restricted.rule);
    }
  }
  return std::nullopt;
}

std::vector<std::string> broken_in_line(std::string_view path, std::string_view line) {
  std::vector<std::string> broken;
  if (const auto include = include_in(line)) {
    const auto foreign = broken_by_foreign(path, include->header);
    const bool is_known_foreign = std::ranges::any_of(
        foreign_headers(), [&](const Foreign& f) { return include->header.starts_with(f.header); });
    const bool is_ours = include->opening == '"' || include->header.starts_with("gossamer/");
    const auto own =
        is_ours && !is_known_foreign ? broken_by_own(path, include->header) : std::nullopt;
    for (const auto& rule : {foreign, own}) {
      if (rule) broken.push_back(fmt::format("includes {}: {}", include->header, *rule));
    }
    return broken;
  }
  for (const std::string_view name : names_in(line)) {
    if (const auto rule = broken_by_name(path, name)) broken.push_back(*rule);
  }
  return broken;
}

}  // namespace

const std::vector<Layer>& layers() {
  static const std::vector<Layer> all = [] {
    std::ifstream file(GOSSAMER_PICTURE);
    std::vector<Layer> rows;
    for (std::string line; std::getline(file, line);) {
      std::istringstream words(line);
      Layer& layer = rows.emplace_back();
      words >> layer.folder;
      layer.folder.pop_back();  // the colon
      for (std::string below; words >> below;)
        layer.may_include.push_back(below);
    }
    return rows;
  }();
  return all;
}

std::vector<std::string> layer_violations(std::string_view path, std::string_view text) {
  std::vector<std::string> violations;
  if (const auto folder = layer_of(path);
      folder && !is_above_layers(path) && !find_layer(*folder)) {
    violations.push_back(fmt::format("{}: the picture has no folder gossamer/{}", path, *folder));
  }
  const std::string code = code_only(text);
  std::size_t number = 0;
  for (std::size_t begin = 0; begin <= code.size();) {
    const std::size_t end = std::min(code.find('\n', begin), code.size());
    ++number;
    for (const std::string& rule :
         broken_in_line(path, std::string_view(code).substr(begin, end - begin))) {
      violations.push_back(fmt::format("{}:{}: {}", path, number, rule));
    }
    begin = end + 1;
  }
  return violations;
}

}  // namespace gossamer::testing
