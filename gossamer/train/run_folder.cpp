#include "gossamer/train/run_folder.hpp"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gossamer/base/file.hpp"
#include "gossamer/base/text/parse_number.hpp"
#include "gossamer/events/measurement_json.hpp"
#include "gossamer/experiment/dense_traffic.hpp"
#include "gossamer/store/safetensors.hpp"

namespace gossamer {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Measurement& measurement) {
  return Json::parse(to_json(measurement));
}

Json json_of(const Failure& failure) {
  return {{"kind", name_of(failure.kind)},
          {"node", failure.node},
          {"round", failure.round},
          {"quantity", failure.quantity},
          {"sentence", failure.sentence}};
}

Command command_of(const Experiment& experiment) {
  return experiment.consensus ? Command::kConsensus : Command::kTrain;
}

std::string_view outcome_name(const RunOutcome& outcome) {
  if (outcome.failure) return name_of(outcome.failure->kind);
  return outcome.stopped_after ? "stopped" : "finished";
}

// What a tuned gamma depends on.
std::string gamma_key(const Experiment& experiment) {
  const RunConfig& config = experiment.config;
  std::string key =
      fmt::format("{} {} {} {} seed {} blocks", config.algorithm, experiment.compressor->spec(),
                  experiment.topology->spec(), config.nodes, config.seed);
  for (const Block& block : experiment.layout().blocks())
    key += fmt::format(" {}", fmt::join(block.shape, "x"));
  return key;
}

}  // namespace

double shortest_decimal(float number) {
  return parse_number<double>(fmt::format("{}", number)).value_or(double{number});
}

std::string summary_json(const Experiment& experiment, const RunOutcome& outcome) {
  const RunConfig& config = experiment.config;
  const Command command = command_of(experiment);
  Json summary{{"outcome", outcome_name(outcome)}};
  if (outcome.last) {
    summary.update(json_of(*outcome.last));
    if (outcome.last->epoch) summary["epochs"] = *outcome.last->epoch;
    if (command == Command::kTrain)
      summary["dense_bytes_per_node"] = dense_bytes_per_node(experiment, outcome.last->round);
    summary["cpu_seconds_compute"] = seconds(outcome.last->spent.cpu_compute);
    summary["cpu_seconds_total"] = seconds(outcome.last->spent.cpu_total);
  }
  summary["rounds"] = outcome.stopped_after.value_or(config.rounds);
  summary["algorithm"] = config.algorithm;
  summary["compressor"] = experiment.compressor->spec();
  summary["topology"] = experiment.topology->spec();
  summary["nodes"] = config.nodes;
  summary["gamma"] = shortest_decimal(experiment.gamma);
  summary["seed"] = config.seed;
  summary["network"] = config.network;
  if (experiment.task && experiment.task->optimum())
    summary["optimum"] = *experiment.task->optimum();
  if (command == Command::kConsensus) {
    summary["tolerances"] = Json::array();
    for (const ToleranceReached& wanted : outcome.tolerances) {
      Json reached{{"tolerance", wanted.tolerance}};
      reached["round"] = wanted.first ? Json(wanted.first->round) : Json();
      if (wanted.first) {
        reached["bytes_sent_per_node"] = json_of(*wanted.first)["bytes_sent_per_node"];
        reached["seconds"] = wanted.first->seconds;
      }
      summary["tolerances"].push_back(reached);
    }
  }
  summary["warnings"] = experiment.warnings;
  if (outcome.failure) summary["failure"] = json_of(*outcome.failure);
  if (!outcome.remedy.empty()) summary["failure"]["remedy"] = outcome.remedy;
  return Json{{"summary", summary}}.dump();
}

Result<RunFolder> RunFolder::open(std::string path, Use use) {
  RunFolder folder(std::move(path));
  std::error_code error;
  const bool begins = use == Use::kBegin || use == Use::kBeginOrGoOn;
  if (!begins && !std::filesystem::exists(folder.config_path(), error)) {
    return Error{fmt::format("'{}' holds no run{}: it has no config.toml", folder.path_,
                             use == Use::kResume ? " to resume" : "")};
  }
  if (use == Use::kRead) return folder;
  if (begins) std::filesystem::create_directories(folder.path_, error);
  if (begins && error)
    return Error{fmt::format("cannot make the folder '{}': {}", folder.path_, error.message())};
  if (const Result<void> locked = folder.lock(); !locked) return locked.error();
  if (!begins) return folder;
  // A config alone is what a run leaves that could not begin.
  folder.holds_run_ = std::filesystem::exists(folder.metrics_path(), error) ||
                      std::filesystem::exists(folder.summary_path(), error) ||
                      std::filesystem::exists(folder.checkpoints_path(), error);
  if (!folder.holds_run_ || use == Use::kBeginOrGoOn) return folder;
  return Error{
      fmt::format("'{}' already holds a run; give --resume {} instead of --run-dir to go on with "
                  "it, or name another folder",
                  folder.path_, folder.path_)};
}

Result<void> RunFolder::lock() {
  Result<FolderLock> taken = FolderLock::take(path_);
  if (!taken) return taken.error();
  lock_ = std::make_shared<FolderLock>(std::move(taken).value());
  // What is written to behind what it has, without a new file in its place.
  for (const std::string& file : {metrics_path(), events_path()}) {
    if (Result<void> regular = check_is_regular(file); !regular) return regular;
  }
  return {};
}

bool RunFolder::has_finished() const {
  const auto file = read_file(summary_path());
  if (!file) return false;
  const Json json = Json::parse(file.value(), nullptr, false);
  return json.is_object() && json.contains("summary") && json["summary"].is_object() &&
         json["summary"].value("outcome", Json()) == "finished";
}

Result<void> RunFolder::write_config(const RunConfig& config, Command command) const {
  return write_file(config_path(), as_bytes(config_text(config, command)));
}

Result<void> RunFolder::forget_metrics() const {
  std::error_code error;
  std::filesystem::remove(metrics_path(), error);
  if (error) return Error{fmt::format("cannot remove '{}': {}", metrics_path(), error.message())};
  return {};
}

Result<void> RunFolder::keep_metrics_until(Round round) const {
  std::ifstream file(metrics_path());
  std::string kept;
  std::string line;
  while (std::getline(file, line)) {
    const Json json = Json::parse(line, nullptr, false);
    const auto found = json.find("round");
    if (found == json.end() || !found->is_number_unsigned()) continue;
    if (found->get<Round>() <= round) kept += line + "\n";
  }
  return write_file(metrics_path(), as_bytes(kept));
}

Result<void> RunFolder::append_metrics(const std::string& line) const {
  std::ofstream file(metrics_path(), std::ios::app);
  file << line << '\n' << std::flush;
  if (!file) return Error{fmt::format("cannot write '{}'", metrics_path())};
  return {};
}

Result<void> RunFolder::write_summary(const std::string& json) const {
  return write_file(summary_path(), as_bytes(json + "\n"));
}

Result<void> RunFolder::write_model(const Experiment& experiment, const RunOutcome& outcome) const {
  const auto view = [](const std::vector<float>& numbers) {
    return CVec(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
  };
  std::vector<NamedTensor> tensors = tensors_of(experiment.layout(), view(outcome.model));
  if (experiment.task && !outcome.statistics.empty()) {
    const auto more = tensors_of(experiment.task->statistics_layout(), view(outcome.statistics));
    tensors.insert(tensors.end(), more.begin(), more.end());
  }
  return write_model(tensors,
                     outcome.model_nodes > 0
                         ? fmt::format("mean over {} nodes", outcome.model_nodes)
                         : fmt::format("node {}", outcome.last->farthest_node),
                     outcome.last->round);
}

Result<void> RunFolder::write_model(std::span<const NamedTensor> tensors, const std::string& whose,
                                    Round round) const {
  return write_safetensors(path_ + "/model.safetensors", tensors,
                           {{"model", whose}, {"round", fmt::format("{}", round)}});
}

Result<float> CachedGammas::gamma_for(const Experiment& experiment) {
  const std::string key = gamma_key(experiment);
  if (const auto file = read_file(path_); file) {
    const Json json = Json::parse(file.value(), nullptr, false);
    if (json.is_object() && json.contains("for") && json["for"] == key && json.contains("gamma") &&
        json["gamma"].is_number() && json["gamma"] > 0.0)
      return json["gamma"].get<float>();
  }
  Result<float> gamma = GammaTuner::gamma_for(experiment);
  if (!gamma) return gamma;
  const Json json{{"for", key}, {"gamma", gamma.value()}};
  if (const Result<void> written = write_file(path_, as_bytes(json.dump() + "\n")); !written)
    return written.error();
  return gamma;
}

}  // namespace gossamer
