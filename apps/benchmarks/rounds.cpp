#include <algorithm>
#include <barrier>
#include <chrono>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "apps/benchmarks/bench.hpp"
#include "apps/benchmarks/stopwatch.hpp"
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gossamer/algorithms/registry.hpp"
#include "gossamer/compress/registry.hpp"
#include "gossamer/network/inproc/inproc.hpp"
#include "gossamer/topology/registry.hpp"

namespace gossamer::cli {
namespace {

struct RoundBenchOptions {
  std::vector<std::string> only;
  std::size_t size = 1'200'000;
  NodeId nodes = 8;
  std::string topology = "ring";
  float gamma = 0.5f;
  int samples = 15;
  bool json = false;
};

struct Method {
  std::string algorithm;
  std::string compressor;
};

Method parse_method(const std::string& text) {
  const std::size_t slash = text.find('/');
  return {text.substr(0, slash), slash == std::string::npos ? "identity" : text.substr(slash + 1)};
}

struct Seconds {
  double round = 0.0;
  double copy = 0.0;
};

/// What all nodes of a measurement share.
struct Bench {
  const Layout& layout;
  const Topology& topology;
  AlgorithmSetup setup;
  std::string algorithm;
  int samples;
  std::barrier<> together;
};

// All nodes do the same at the same time: some rounds of the algorithm without a gradient, then as
// many copies of the model, and so on. Node 0 looks at the clock.
Seconds measure_node(Network& network, Bench& bench) {
  using Clock = std::chrono::steady_clock;
  constexpr int kRounds = 8;
  Node node({network, bench.topology, bench.layout, 1});
  node.x() = normal_numbers(bench.layout.size()).view();
  const auto algorithm = std::move(make_algorithm(bench.algorithm, bench.setup)).value();
  algorithm->start(node);
  const FloatBuffer u(bench.layout.size());
  FloatBuffer copy(bench.layout.size());
  std::vector<double> round_seconds;
  std::vector<double> copy_seconds;
  for (int sample = 0; sample <= bench.samples; ++sample) {
    bench.together.arrive_and_wait();
    const Clock::time_point begin = Clock::now();
    for (int i = 0; i < kRounds; ++i) {
      algorithm->before_gradient(node);
      algorithm->after_gradient(node, u.view());
      node.end_round();
    }
    bench.together.arrive_and_wait();
    const Clock::time_point middle = Clock::now();
    for (int i = 0; i < kRounds; ++i) {
      std::memcpy(copy.data(), node.x().data(), bench.layout.size() * sizeof(float));
      // In turns, as rounds are: a node that went on alone would copy what its cache still has.
      bench.together.arrive_and_wait();
    }
    const Clock::time_point end = Clock::now();
    if (sample == 0) continue;  // touches the memory for the first time
    round_seconds.push_back(std::chrono::duration<double>(middle - begin).count() / kRounds);
    copy_seconds.push_back(std::chrono::duration<double>(end - middle).count() / kRounds);
  }
  return {median(round_seconds), median(copy_seconds)};
}

Seconds measure(const RoundBenchOptions& options, const Method& method) {
  const Layout layout = Layout::flat(options.size);
  const auto topology = value_or_throw(make_topology(options.topology, options.nodes, 0));
  const AlgorithmSetup setup{
      .compressor = value_or_throw(make_compressor(method.compressor, layout)),
      .layout = layout,
      .gamma = options.gamma};
  (void)value_or_throw(make_algorithm(method.algorithm, setup));
  Bench bench{layout,          *topology,
              setup,           method.algorithm,
              options.samples, std::barrier<>(static_cast<std::ptrdiff_t>(options.nodes))};
  Seconds seconds;
  run_inproc(options.nodes, [&](Network& network) {
    const Seconds own = measure_node(network, bench);
    if (network.self() == 0) seconds = own;
  });
  return seconds;
}

int run(const RoundBenchOptions& options) {
  std::vector<std::string> methods = options.only;
  if (methods.empty())
    methods = {"dpsgd",           "choco/identity", "choco/sign",
               "choco/topk:0.01", "choco/qsgd:4",   "deepsqueeze/sign"};
  if (!options.json) {
    fmt::print("{} nodes as threads, {} floats each, {}\n{:<24} {:>12} {:>12} {:>10}\n",
               options.nodes, options.size, options.topology, "method", "ms/round", "ms/memcpy",
               "memcpys");
  }
  for (const std::string& text : methods) {
    const Seconds seconds = measure(options, parse_method(text));
    const double ratio = seconds.round / seconds.copy;
    if (options.json) {
      fmt::print("{}\n", nlohmann::ordered_json{{"method", text},
                                                {"nodes", options.nodes},
                                                {"size", options.size},
                                                {"ms_per_round", 1e3 * seconds.round},
                                                {"ms_per_memcpy", 1e3 * seconds.copy},
                                                {"memcpys", ratio}}
                             .dump());
    } else {
      fmt::print("{:<24} {:>12.3f} {:>12.3f} {:>10.2f}\n", text, 1e3 * seconds.round,
                 1e3 * seconds.copy, ratio);
    }
  }
  return kSuccess;
}

}  // namespace

void add_bench_rounds_command(CLI::App& bench, Action& action) {
  CLI::App* const command = bench.add_subcommand(
      "rounds", "Times rounds of gossip without gradients, in copies of the model");
  const auto options = std::make_shared<RoundBenchOptions>();
  command->add_option("--only", options->only, "algorithm/compressor, several times");
  command->add_option("--size", options->size, "Length of the model")
      ->check(CLI::Range(1, 1 << 28));
  command->add_option("--nodes", options->nodes, "How many nodes")->check(CLI::Range(2, 1024));
  command->add_option("--topology", options->topology, "Who talks to whom");
  command->add_option("--gamma", options->gamma, "Consensus step");
  command->add_option("--samples", options->samples, "Samples per row; the median counts")
      ->check(CLI::Range(1, 1000));
  command->add_flag("--json", options->json, "One JSON object per row");
  command->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace gossamer::cli
