#include <memory>
#include <string>

#include "apps/command.hpp"
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gossamer/algorithms/registry.hpp"
#include "gossamer/compress/registry.hpp"
#include "gossamer/learn/registry.hpp"
#include "gossamer/topology/registry.hpp"

namespace gossamer::cli {
namespace {

void print_text() {
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
  fmt::print("{}\n", all.dump());
}

}  // namespace

void add_list_command(CLI::App& program, Action& action) {
  CLI::App* const command = program.add_subcommand(
      "list", "What there is: compressors, algorithms, topologies and tasks");
  const auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "One JSON object instead of text");
  command->callback([&action, json] {
    action = [json] {
      *json ? print_json() : print_text();
      return kSuccess;
    };
  });
}

}  // namespace gossamer::cli
