#include "apps/commands/version.hpp"

#include <xxhash.h>

#include <CLI/Version.hpp>
#include <Eigen/Core>
#include <fmt/format.h>
#include <hwy/base.h>
#include <hwy/highway.h>
#include <nlohmann/json.hpp>

#include "gossamer/math/instruction_sets.hpp"
#include "gossamer/version.hpp"

namespace gossamer::cli {

std::string short_version() {
  return fmt::format("gossamer {}", GOSSAMER_VERSION_STRING);
}

std::string version_text() {
  std::string text = short_version() + "\n";
  const auto line = [&](const char* what, const std::string& version) {
    text += fmt::format("  {:<16} {}\n", what, version);
  };
  line("compiler", __VERSION__);
  line("Eigen",
       fmt::format("{}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION));
  line("Highway", fmt::format("{}.{}.{}", HWY_MAJOR, HWY_MINOR, HWY_PATCH));
  line("xxHash",
       fmt::format("{}.{}.{}", XXH_VERSION_MAJOR, XXH_VERSION_MINOR, XXH_VERSION_RELEASE));
  line("fmt",
       fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100));
  line("CLI11", CLI11_VERSION);
  line("nlohmann/json", fmt::format("{}.{}.{}", NLOHMANN_JSON_VERSION_MAJOR,
                                    NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH));
  line("toml++", GOSSAMER_TOMLPLUSPLUS_VERSION);
  line("SimGrid", GOSSAMER_SIMGRID_VERSION);
  line("zlib", GOSSAMER_ZLIB_VERSION);
  line("libpng", GOSSAMER_PNG_VERSION);
  line("TurboJPEG", GOSSAMER_TURBOJPEG_VERSION);
  line("torch", GOSSAMER_TORCH_VERSION);
  std::string sets;
  for (const InstructionSet& set : instruction_sets())
    sets += sets.empty() ? set.name : ", " + set.name;
  line("instruction sets", sets + " (the first is used)");
  text.pop_back();
  return text;
}

}  // namespace gossamer::cli
