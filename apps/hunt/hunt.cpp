#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "apps/command.hpp"
#include "apps/console/bottom_line.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "gossamer/base/file.hpp"
#include "gossamer/events/sentence.hpp"
#include "gossamer/hunt/hunted_run.hpp"
#include "gossamer/hunt/random_faults.hpp"
#include "gossamer/hunt/shrink.hpp"

namespace gossamer::cli {
namespace {

constexpr std::uint64_t kMostTries = 300;
// Every so many schedules are run twice.
constexpr std::uint64_t kRepeated = 25;

struct HuntArguments {
  std::uint64_t seeds = 100;
  std::uint64_t first_seed = 0;
  std::string algorithm;
  std::string compressor;
  std::string families;
  bool shrinks = false;
  std::optional<std::uint64_t> replay;
  std::string schedule;
};

double minutes_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double, std::ratio<60>>(std::chrono::steady_clock::now() - begin)
      .count();
}

void print_violations(const std::vector<Violation>& violations) {
  for (const Violation& violation : violations)
    fmt::print("  {}: {}\n", violation.rule, violation.sentence);
}

void print_story(const HuntReport& report) {
  for (const Event& event : report.story) {
    fmt::print("{:9.3f} s  node {}, {} rounds: {}\n", seconds(event.time.time_since_epoch()),
               event.node, event.round, sentence_of(event));
  }
}

class Hunter {
 public:
  explicit Hunter(const HuntArguments& arguments)
      : arguments_(arguments), families_(value_or_throw(read_families(arguments.families))) {
    for (const Method& method : methods_that_lose()) {
      if (arguments.algorithm.empty()) methods_.push_back(method);
    }
    if (!arguments.algorithm.empty())
      methods_.push_back({arguments.algorithm, fitting_compressor(arguments.algorithm)});
    for (Method& method : methods_) {
      if (!arguments.compressor.empty()) method.compressor = arguments.compressor;
    }
  }

  int run() {
    if (!arguments_.schedule.empty()) return show(read_schedule());
    if (arguments_.replay) return show(hunt_of(*arguments_.replay));
    return run_seeds();
  }

 private:
  // As hunts of all algorithms have it.
  [[nodiscard]] static std::string fitting_compressor(const std::string& algorithm) {
    const auto found = std::ranges::find(methods_that_lose(), algorithm, &Method::algorithm);
    return found == methods_that_lose().end() ? "identity" : found->compressor;
  }

  [[nodiscard]] Hunt read_schedule() const {
    const auto bytes = value_or_throw(read_file(arguments_.schedule));
    return value_or_throw(read_hunt(std::string(bytes.begin(), bytes.end())));
  }

  /// All algorithms in turn.
  [[nodiscard]] Hunt hunt_of(std::uint64_t seed) const {
    return random_hunt(seed, methods_[seed % methods_.size()], families_);
  }

  int run_seeds() {
    BottomLine line(BottomLine::Show::kIfTerminal);
    for (std::uint64_t k = 0; k < arguments_.seeds; ++k) {
      hunt(arguments_.first_seed + k, line);
      if (line.is_shown() && line.is_due())
        line.draw(
            static_cast<double>(k + 1) / static_cast<double>(arguments_.seeds),
            {fmt::format("{} of {}", k + 1, arguments_.seeds),
             fmt::format("{:.0f} a minute", static_cast<double>(k + 1) / minutes_since(begin_)),
             fmt::format("{} failed", failed_)});
    }
    line.take_away();
    const double minutes = minutes_since(begin_);
    fmt::print("{} schedules in {:.1f} min, {:.0f} a minute: {} failed\n", arguments_.seeds,
               minutes, static_cast<double>(arguments_.seeds) / minutes, failed_);
    for (const auto& [rule, count] : broken_)
      fmt::print("  {:>6} of them against: {}\n", count, rule);
    return failed_ == 0 ? kSuccess : kInternalError;
  }

  void hunt(std::uint64_t seed, BottomLine& line) {
    const Hunt hunt = hunt_of(seed);
    HuntReport report = value_or_throw(run_hunt(hunt));
    if (seed % kRepeated == 0 && value_or_throw(run_hunt(hunt)).digest != report.digest) {
      report.violations.push_back(
          {"the same seed gives the same run", "it was run twice, and went differently"});
    }
    if (report.violations.empty()) return;
    ++failed_;
    std::set<std::string> rules;
    for (const Violation& violation : report.violations)
      rules.insert(violation.rule);
    for (const std::string& rule : rules)
      ++broken_[rule];
    line.take_away();
    fmt::print("seed {} ({}, {}, {} of {}, {} faults):\n", seed, hunt.algorithm, hunt.compressor,
               hunt.topology, hunt.nodes, hunt.faults.size());
    print_violations(report.violations);
    fmt::print("  again: gossamer hunt --replay {}{}\n", seed, chosen_options());
    if (arguments_.shrinks) print_shrunk(hunt, report.violations.front().rule);
    std::fflush(stdout);
  }

  /// What decides a schedule beside its seed.
  [[nodiscard]] std::string chosen_options() const {
    std::string text;
    for (const auto& [name, value] : {std::pair("algorithm", arguments_.algorithm),
                                      std::pair("compressor", arguments_.compressor),
                                      std::pair("families", arguments_.families)}) {
      if (!value.empty()) text += fmt::format(" --{} {}", name, value);
    }
    return text;
  }

  static void print_shrunk(const Hunt& hunt, const std::string& rule) {
    const Hunt small = shrink(
        hunt, [&](const Hunt& smaller) { return breaks(smaller, rule); }, kMostTries);
    const HuntReport report = value_or_throw(run_hunt(small));
    fmt::print("shrunk:\n{}", text_of(small));
    print_violations(report.violations);
    fmt::print("its story:\n");
    print_story(report);
  }

  /// One hunt, with all that happens.
  int show(const Hunt& hunt) const {
    const HuntReport report = value_or_throw(run_hunt(hunt));
    fmt::print("{}", text_of(hunt));
    print_story(report);
    if (report.violations.empty()) {
      fmt::print("all that must hold does\n");
      return kSuccess;
    }
    print_violations(report.violations);
    if (arguments_.shrinks) print_shrunk(hunt, report.violations.front().rule);
    return kInternalError;
  }

  const HuntArguments& arguments_;
  std::vector<Family> families_;
  std::vector<Method> methods_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::uint64_t failed_ = 0;
  std::map<std::string, std::uint64_t> broken_;
};

std::string footer() {
  std::string text = "Families of faults:\n";
  for (const FamilyEntry& entry : families()) {
    text += fmt::format("  {:<12}  {}{}\n", entry.name, entry.summary,
                        entry.is_usual ? "" : "; only if named");
  }
  return text + R"(
Examples:
  gossamer hunt --seeds 1000                       all algorithms that can lose neighbours
  gossamer hunt --families kills --algorithm choco
  gossamer hunt --replay 17 --shrink               what happened, and how little of it suffices
  gossamer hunt --schedule found.txt               a schedule as --shrink prints it

Exit codes: 0 all held, 1 something did not, 2 bad input.)";
}

}  // namespace

void add_hunt_command(CLI::App& program, Action& action) {
  CLI::App* const command = program.add_subcommand(
      "hunt", "Looks for schedules of failures that break a run, on machines of a simulation");
  const auto arguments = std::make_shared<HuntArguments>();
  command->add_option("--seeds", arguments->seeds, "How many schedules")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--first-seed", arguments->first_seed, "The seed of the first of them")
      ->capture_default_str();
  command->add_option("--algorithm", arguments->algorithm,
                      "Only this one; all that can lose neighbours in turn if none is given");
  command->add_option("--compressor", arguments->compressor, "Instead of one that fits");
  command->add_option("--families", arguments->families,
                      "Which faults, such as kills,cuts; 'all' of them, or the usual ones if none "
                      "is given");
  command->add_flag("--shrink", arguments->shrinks,
                    "Makes a schedule that fails as small as it can be");
  CLI::Option* const replay = command->add_option("--replay", arguments->replay,
                                                  "Only this seed, and tells all that happens");
  command
      ->add_option("--schedule", arguments->schedule,
                   "Only the schedule in this file, as --shrink prints it")
      ->option_text("FILE")
      ->excludes(replay);
  command->footer(footer());
  command->callback(
      [arguments, &action] { action = [arguments] { return Hunter(*arguments).run(); }; });
}

}  // namespace gossamer::cli
