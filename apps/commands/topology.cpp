#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/command.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gossamer/topology/graph.hpp"
#include "gossamer/topology/registry.hpp"
#include "gossamer/topology/spectrum.hpp"

namespace gossamer::cli {
namespace {

struct Arguments {
  std::string spec;
  std::optional<NodeId> nodes;
  std::uint64_t seed = 0;
  double delta = 1.0;
  bool json = false;
};

struct Degrees {
  std::size_t min = 0;
  double mean = 0.0;
  std::size_t max = 0;
};

struct Report {
  std::unique_ptr<Topology> topology;
  std::size_t edges = 0;
  Degrees degrees;
  std::optional<Mixing> mixing;
  std::vector<std::string> remarks;
};

// How many each node hears in a round.
Degrees measure_degrees(const Topology& topology) {
  Degrees degrees{topology.at(0, 0).neighbours.size(), 0.0, 0};
  for (Round t = 0; t < topology.period(); ++t) {
    for (NodeId id = 0; id < topology.size(); ++id) {
      const std::size_t degree = topology.at(id, t).neighbours.size();
      degrees.min = std::min(degrees.min, degree);
      degrees.max = std::max(degrees.max, degree);
      degrees.mean += static_cast<double>(degree);
    }
  }
  degrees.mean /= static_cast<double>(topology.size()) * static_cast<double>(topology.period());
  return degrees;
}

std::vector<std::string> remarks_on(const Topology& topology) {
  std::vector<std::string> remarks;
  if (topology.size() == 1) {
    remarks.emplace_back(
        "One node has nothing to agree on: only the spectral gap, 1, has a meaning.");
  }
  if (topology.is_time_varying()) {
    remarks.push_back(fmt::format(
        "The weights change from round to round and repeat after {}; the spectral gap is "
        "that of these {} rounds together.",
        topology.period(), topology.period()));
  }
  if (!topology.is_symmetric()) {
    remarks.emplace_back(
        "Not symmetric: a node hears others than those that hear it. Use it with plain gossip "
        "only; beta and the "
        "steps gamma have no meaning here, and the theory of compressed gossip does not hold.");
  }
  return remarks;
}

Report examine(const Arguments& arguments) {
  if (!(arguments.delta > 0.0 && arguments.delta <= 1.0)) {
    throw BadInput(fmt::format("--delta must be above 0 and at most 1, not {}", arguments.delta));
  }
  Result<std::unique_ptr<Topology>> made =
      make_topology(arguments.spec, arguments.nodes, arguments.seed);
  if (!made) throw BadInput(made.error().message);

  Report report;
  report.topology = std::move(made).value();
  report.edges = graph_of(*report.topology).pairs.size();
  report.degrees = measure_degrees(*report.topology);
  report.remarks = remarks_on(*report.topology);
  const Result<Mixing> mixing = mixing_of(*report.topology);
  if (mixing) {
    report.mixing = mixing.value();
  } else {
    report.remarks.push_back(mixing.error().message);
  }
  return report;
}

constexpr std::array kDeltas = {1.0, 0.1, 0.01};

std::string to_json(const Arguments& arguments, const Report& report) {
  nlohmann::ordered_json json;
  json["topology"] = report.topology->spec();
  json["nodes"] = report.topology->size();
  json["seed"] = arguments.seed;
  json["edges"] = report.edges;
  json["degrees"] = {
      {"min", report.degrees.min}, {"mean", report.degrees.mean}, {"max", report.degrees.max}};
  json["symmetric"] = report.topology->is_symmetric();
  json["time_varying"] = report.topology->is_time_varying();
  json["period"] = report.topology->period();
  json["delta"] = arguments.delta;
  json["spectral_gap"] = nullptr;
  for (const char* key :
       {"lambda2", "lambda_n", "beta", "gamma_plain", "gamma_safe", "gamma_safe_by_delta"}) {
    json[key] = nullptr;
  }
  if (report.mixing) json["spectral_gap"] = report.mixing->spectral_gap;
  if (report.mixing && report.mixing->spectrum) {
    const Spectrum& spectrum = *report.mixing->spectrum;
    json["lambda2"] = spectrum.lambda2();
    json["lambda_n"] = spectrum.lambda_n();
    json["beta"] = spectrum.beta();
    json["gamma_plain"] = spectrum.gamma_plain();
    json["gamma_safe"] = spectrum.gamma_safe(arguments.delta);
    for (const double delta : kDeltas) {
      json["gamma_safe_by_delta"][fmt::format("{}", delta)] = spectrum.gamma_safe(delta);
    }
  }
  json["notes"] = report.remarks;
  return json.dump();
}

void print_line(const std::string& label, const std::string& value, const std::string& meaning) {
  fmt::print("{}\n", meaning.empty() ? fmt::format("{:<22}{}", label, value)
                                     : fmt::format("{:<22}{:<14}{}", label, value, meaning));
}

void print_spectrum(const Spectrum& spectrum, double chosen_delta) {
  print_line("lambda2, lambda_n",
             fmt::format("{:.8g}, {:.8g}", spectrum.lambda2(), spectrum.lambda_n()), "");
  print_line("beta", fmt::format("{:.4g}", spectrum.beta()), "1 - lambda_n");
  print_line("gamma, plain gossip", fmt::format("{:.5g}", spectrum.gamma_plain()),
             "fastest step without compression");
  std::vector<double> deltas(kDeltas.begin(), kDeltas.end());
  if (std::ranges::find(deltas, chosen_delta) == deltas.end())
    deltas.insert(deltas.begin(), chosen_delta);
  for (const double delta : deltas) {
    print_line(
        fmt::format("gamma, delta {}", delta), fmt::format("{:.2e}", spectrum.gamma_safe(delta)),
        delta == deltas.front() ? "step that is safe with a compressor of quality delta" : "");
  }
}

void print_table(const Arguments& arguments, const Report& report) {
  const Topology& topology = *report.topology;
  print_line("topology", topology.spec(), "");
  print_line("nodes", fmt::format("{}", topology.size()), "");
  print_line("edges", fmt::format("{}", report.edges), "");
  const Degrees& degrees = report.degrees;
  const bool is_regular = degrees.min == degrees.max;
  print_line("neighbours per node",
             is_regular ? fmt::format("{}", degrees.min)
                        : fmt::format("{} to {}, {:.3g} on average", degrees.min, degrees.max,
                                      degrees.mean),
             "");
  print_line("symmetric", topology.is_symmetric() ? "yes" : "no", "");
  print_line("time-varying",
             topology.is_time_varying() ? fmt::format("yes, period {}", topology.period()) : "no",
             "");
  if (report.mixing) {
    print_line("spectral gap", fmt::format("{:.5g}", report.mixing->spectral_gap),
               "1: one round gives the mean; 0: never");
    if (report.mixing->spectrum) print_spectrum(*report.mixing->spectrum, arguments.delta);
  }
  for (const std::string& remark : report.remarks)
    fmt::print("\nnote: {}\n", remark);
}

int run_topology(const Arguments& arguments) {
  const Report report = examine(arguments);
  if (arguments.json) {
    fmt::print("{}\n", to_json(arguments, report));
  } else {
    print_table(arguments, report);
  }
  return kSuccess;
}

std::string footer() {
  std::string text = "Topologies:\n";
  for (const TopologyEntry& entry : topologies())
    text += fmt::format("  {:<22}{}\n", entry.example, entry.summary);
  return text;
}

}  // namespace

void add_topology_command(CLI::App& program, Action& action) {
  CLI::App* command =
      program.add_subcommand("topology", "Shows a graph's size, weights and speed of mixing");
  const auto arguments = std::make_shared<Arguments>();
  command
      ->add_option("spec", arguments->spec,
                   "Which graph, as 'gossamer list' names them: ring, torus:4x8")
      ->required();
  command->add_option("--nodes", arguments->nodes,
                      "How many nodes, for graphs that come in every size");
  command->add_option("--seed", arguments->seed, "Decides random graphs")->capture_default_str();
  command
      ->add_option("--delta", arguments->delta,
                   "Quality of the compressor for gamma_safe, above 0 and at most 1")
      ->capture_default_str();
  command->add_flag("--json", arguments->json, "One JSON object on one line");
  command->footer(footer());
  command->callback(
      [arguments, &action] { action = [arguments] { return run_topology(*arguments); }; });
}

}  // namespace gossamer::cli
