#include <memory>
#include <string>

#include "apps/command.hpp"
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gossamer/algorithms/registry.hpp"
#include "gossamer/compress/registry.hpp"
#include "gossamer/learn/models.hpp"
#include "gossamer/learn/registry.hpp"
#include "gossamer/network/registry.hpp"
#include "gossamer/topology/registry.hpp"

namespace gossamer::cli {
namespace {

void print_options(std::string_view options) {
  if (!options.empty()) fmt::print("  {:<26}   options: {}\n", "", options);
}

void print_list() {
  fmt::print("Compressors\n");
  for (const CompressorInfo& info : compressors())
    fmt::print("  {:<26} {}\n", info.example, info.summary);
  fmt::print("  {:<26} {}\n", "topk:0.01+qsgd:4",
             "topk or randk, then another operator on what they keep");
  fmt::print("  {:<26} {}\n", "layerwise:topk:0.01",
             "any of them block by block; dense1d, min=256: leave blocks as they are");
  fmt::print("\nAlgorithms\n");
  for (const AlgorithmInfo& info : algorithms())
    fmt::print("  {:<26} {}\n", info.example, info.summary);
  fmt::print("\nTopologies\n");
  for (const TopologyEntry& info : topologies())
    fmt::print("  {:<26} {}\n", info.example, info.summary);
  fmt::print("\nTasks\n");
  for (const TaskInfo& info : tasks())
    fmt::print("  {:<26} {}\n", info.name, info.summary);
  fmt::print("\nModels, of the task network\n");
  for (const ModelInfo& info : models()) {
    fmt::print("  {:<26} {}\n", info.example, info.summary);
    print_options(info.options);
  }
  fmt::print("\nNetworks between nodes\n");
  for (const WorldInfo& info : worlds()) {
    fmt::print("  {:<26} {}\n", info.name, info.summary);
    print_options(info.options);
  }
}

template <typename Info>
nlohmann::ordered_json as_json(const Info& info) {
  return {{"name", info.name}, {"example", info.example}, {"summary", info.summary}};
}

void print_json() {
  nlohmann::ordered_json all;
  for (const CompressorInfo& info : compressors())
    all["compressors"].push_back(as_json(info));
  for (const AlgorithmInfo& info : algorithms())
    all["algorithms"].push_back(as_json(info));
  for (const TopologyEntry& info : topologies())
    all["topologies"].push_back(as_json(info));
  for (const TaskInfo& info : tasks())
    all["tasks"].push_back({{"name", info.name}, {"summary", info.summary}});
  for (const ModelInfo& info : models()) {
    all["models"].push_back(as_json(info));
    all["models"].back()["options"] = info.options;
  }
  for (const WorldInfo& info : worlds()) {
    all["networks"].push_back({{"name", info.name},
                               {"summary", info.summary},
                               {"options", info.options},
                               {"one_process", info.home == NodeHome::kSharedProcess},
                               {"clock", info.clock == WorldClock::kVirtual ? "virtual" : "real"}});
  }
  fmt::print("{}\n", all.dump());
}

}  // namespace

void add_list_command(CLI::App& program, Action& action) {
  CLI::App* const command = program.add_subcommand(
      "list", "What there is: compressors, algorithms, topologies, tasks, models and networks");
  const auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "One JSON object instead of text");
  command->callback([&action, json] {
    action = [json] {
      *json ? print_json() : print_list();
      return kSuccess;
    };
  });
}

}  // namespace gossamer::cli
