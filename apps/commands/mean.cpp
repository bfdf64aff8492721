// gossamer mean: one model of those that peers left behind when they could not meet any more.

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "apps/command.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gossamer/store/mean_model.hpp"
#include "gossamer/store/safetensors.hpp"

namespace gossamer::cli {
namespace {

struct MeanArguments {
  std::vector<std::string> models;
  std::string out;
  bool force = false;
};

void warn(const std::string& sentence) {
  fmt::print(stderr, "gossamer: warning: {}\n", sentence);
}

bool are_one_file(const std::string& a, const std::string& b) {
  std::error_code error;
  return a == b || std::filesystem::equivalent(a, b, error);
}

// Before anything is read: these are mistakes in the command.
void check_paths(const MeanArguments& arguments) {
  const std::vector<std::string>& models = arguments.models;
  for (std::size_t i = 0; i < models.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (are_one_file(models[i], models[j]))
        throw BadInput(fmt::format("'{}' is given twice, and would count twice", models[i]));
    }
    // Not even with --force: the peer's model would be gone.
    if (are_one_file(models[i], arguments.out)) {
      throw BadInput(
          fmt::format("'{}' is one of the models; their mean needs another file", arguments.out));
    }
  }
  std::error_code error;
  if (!arguments.force && std::filesystem::exists(arguments.out, error)) {
    throw BadInput(
        fmt::format("'{}' is there already; --force writes the mean over it", arguments.out));
  }
}

// What a model's file says about itself; "none" if it does not say.
std::string round_of(const std::string& path) {
  const SafeTensors model = value_or_throw(read_safetensors(path));
  const auto found = std::ranges::find(model.metadata, "round", &TensorMetadata::value_type::first);
  return found == model.metadata.end() ? "none" : found->second;
}

// What the mean's file says about itself.
TensorMetadata describe(const std::vector<std::string>& models) {
  TensorMetadata metadata = {{"model", fmt::format("mean of {}", fmt::join(models, ", "))}};
  std::vector<std::string> rounds;
  for (const std::string& model : models)
    rounds.push_back(round_of(model));
  if (std::ranges::count(rounds, rounds.front()) == static_cast<std::ptrdiff_t>(rounds.size())) {
    if (rounds.front() != "none") metadata.emplace_back("round", rounds.front());
    return metadata;
  }
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < models.size(); ++i)
    parts.push_back(fmt::format("'{}' of {}", models[i], rounds[i]));
  warn(fmt::format("the models are of different rounds: {}", fmt::join(parts, ", ")));
  return metadata;
}

int run_mean(const MeanArguments& arguments) {
  check_paths(arguments);
  const TensorMetadata metadata = describe(arguments.models);
  check(write_mean_model(arguments.models, arguments.out, metadata));
  if (arguments.models.size() == 1)
    warn(fmt::format("'{}' is the only model, and so the mean", arguments.models.front()));
  fmt::print("{}\n", arguments.out);
  return kSuccess;
}

}  // namespace

void add_mean_command(CLI::App& program, Action& action) {
  CLI::App* const command = program.add_subcommand(
      "mean", "Averages models of peers that cannot meet any more: one safetensors file of many");
  const auto arguments = std::make_shared<MeanArguments>();
  command->add_option("FILE", arguments->models, "Models of one form, as checkpoints hold them")
      ->option_text("...")
      ->required();
  command->add_option("--out", arguments->out, "Where their mean goes")
      ->option_text("FILE")
      ->required();
  command->add_flag("--force", arguments->force, "Writes over a file that is there");
  command->footer(
      "Sums in the order given and in double precision, and rounds once.\n\n"
      "Example:\n"
      "  gossamer mean site-?/checkpoints/round-000000400/node-*.safetensors --out "
      "mean.safetensors");
  command->callback(
      [&action, arguments] { action = [arguments] { return run_mean(*arguments); }; });
}

}  // namespace gossamer::cli
