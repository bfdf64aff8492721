#include "gossamer/swarm/prepared_run.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gossamer/base/file.hpp"
#include "gossamer/base/text/parse_number.hpp"
#include "gossamer/experiment/partners.hpp"
#include "gossamer/swarm/rank_settings.hpp"
#include "gossamer/train/tune_gamma.hpp"

namespace gossamer {

Result<std::unique_ptr<PreparedRun>> PreparedRun::read(const RunRequest& request,
                                                       Processes& processes) {
  std::unique_ptr<PreparedRun> run(new PreparedRun(request, processes));
  const Result<void> read = processes.together([&] { return run->read_settings(); });
  if (!read) return read.error();
  return run;
}

Result<void> PreparedRun::read_settings() {
  RunConfig base = request_.preset;
  // What the request says of peers decides where their folders are.
  const Result<RunConfig> asked = config_of(request_, base);
  if (!asked) return asked.error();
  Result<std::optional<PeerPlace>> place = PeerPlace::find(request_, asked.value());
  if (!place) return place.error();
  place_ = std::move(place).value();
  if (is_resumed() && !request_.run_dir.empty())
    return Error{"--resume goes on in the run's own folder: leave out --run-dir"};
  if (is_resumed() || (request_.has_folder() && processes_.is_first())) {
    Result<RunFolder> folder = RunFolder::open(folder_path(), folder_use());
    if (!folder) return folder.error();
    folder_ = std::move(folder).value();
  }
  if (goes_on() && folder_->has_finished()) return finished_already();
  if (is_resumed()) {
    if (const Result<void> done = read_config(base, folder_->config_path()); !done) return done;
  }
  Result<RunConfig> config = config_of(request_, base);
  if (!config) return config.error();
  config_ = std::move(config).value();
  if (config_.checkpoint_every.value_or(0) > 0 && !request_.has_folder())
    return Error{"checkpoints need a folder: give --run-dir"};
  return {};
}

// A peer that was killed is started again by whoever started it, with the same command.
RunFolder::Use PreparedRun::folder_use() const {
  // Ranks share the folder of the first, whose it is.
  if (!processes_.is_first()) return RunFolder::Use::kRead;
  if (is_resumed()) return RunFolder::Use::kResume;
  return place_ ? RunFolder::Use::kBeginOrGoOn : RunFolder::Use::kBegin;
}

Error PreparedRun::finished_already() const {
  return Error{
      fmt::format("'{}' holds a run that has finished; give --resume {} instead of --run-dir, and "
                  "more --rounds, to go on with it, or name another folder",
                  folder_->path(), request_.run_dir)};
}

std::string PreparedRun::folder_path() const {
  const std::string& path = is_resumed() ? request_.resume : request_.run_dir;
  return place_ ? place_->folder_in(path) : path;
}

Result<void> PreparedRun::prepare(const Make& make) {
  const Result<void> prepared = processes_.together([&] { return prepare_alone(make); });
  if (!prepared || !processes_.are_many()) return prepared;
  return join_the_others();
}

Result<void> PreparedRun::prepare_alone(const Make& make) {
  const Result<void> fits =
      place_ ? place_->fit(config_) : fit_to_processes(config_, request_, processes_);
  if (!fits) return fits;
  GammaTuner tuner;
  CachedGammas cached(folder_ ? folder_->gamma_path() : "");
  Result<std::unique_ptr<Experiment>> made =
      make(config_, folder_ ? static_cast<GammaSource&>(cached) : tuner);
  if (!made) return made.error();
  experiment_ = std::move(made).value();
  if (!processes_.is_first() || !folder_) return {};
  return prepare_folder();
}

void PreparedRun::open_store() {
  // Also without --checkpoint-every: a run that is stopped leaves one.
  store_.emplace(folder_->checkpoints_path(), experiment_->identity(), experiment_->endpoints(),
                 place_                  ? CheckpointStore::Writers::kOneNode
                 : processes_.are_many() ? CheckpointStore::Writers::kManyProcesses
                                         : CheckpointStore::Writers::kThisProcess);
  store_->keep_behind(most_rounds_apart(*experiment_));
  options_.checkpoints = &*store_;
}

Result<void> PreparedRun::prepare_folder() {
  open_store();
  if (is_resumed()) {
    if (const Result<void> found = find_resumed_round(); !found) return found;
  }
  if (goes_on()) {
    if (const Result<void> same = go_on_with_what_is_there(); !same) return same;
  }
  return folder_->write_config(experiment_->config, request_.command);
}

// Only if it is the same run: then it is as if --resume had been given.
Result<void> PreparedRun::go_on_with_what_is_there() {
  const auto kept = [this](const RunConfig& config) {
    // A file has only what the command has a use for.
    Identity identity = identity_of(config);
    std::erase_if(identity, [this](const auto& entry) {
      const auto key = std::ranges::find(config_keys(), entry.first, &ConfigKey::name);
      return key == config_keys().end() || !is_used_by(request_.command, *key);
    });
    return identity;
  };
  RunConfig saved;
  if (const Result<void> read = read_config(saved, folder_->config_path()); !read) return read;
  if (const auto reason = difference(kept(saved), kept(experiment_->config))) {
    return Error{
        fmt::format("'{}' holds another run: {}; name another folder", folder_->path(), *reason)};
  }
  const Result<std::optional<Round>> newest = store_->newest_by(place_->self());
  if (!newest) return newest.error();
  if (newest.value() >= experiment_->config.rounds) return finished_already();
  options_.resumes = newest.value().has_value();
  experiment_->warnings.push_back(
      options_.resumes
          ? fmt::format("'{}' holds this run already: it goes on from a checkpoint of it",
                        request_.run_dir)
          : fmt::format("'{}' holds this run already, without a checkpoint: it begins anew",
                        request_.run_dir));
  return {};
}

Result<void> PreparedRun::find_resumed_round() {
  // Peers agree on it when they meet.
  if (place_) {
    options_.resumes = true;
    return {};
  }
  const Result<Round> round = store_->newest();
  if (!round) return round.error();
  if (round.value() >= experiment_->config.rounds) {
    return Error{fmt::format(
        "the run has completed {} rounds already; give more --rounds or --epochs", round.value())};
  }
  options_.resume_from = round.value();
  return folder_->keep_metrics_until(round.value());
}

// All processes have the settings of the first, see its folder, and go on from the same round.
Result<void> PreparedRun::join_the_others() {
  const std::string config = config_text(experiment_->config, request_.command);
  const auto configs = processes_.exchange(config);
  if (!configs) return configs.error();
  const auto rounds = processes_.exchange(fmt::format("{}", options_.resume_from.value_or(0)));
  if (!rounds) return rounds.error();
  return processes_.together(
      [&] { return follow_the_first(config, configs.value().front(), rounds.value().front()); });
}

Result<void> PreparedRun::follow_the_first(const std::string& config,
                                           const std::string& first_config,
                                           const std::string& first_round) {
  if (processes_.is_first()) return {};
  if (config != first_config)
    return Error{"it was started with other settings than node 0: start all ranks alike"};
  if (!request_.has_folder()) return {};
  if (const Result<void> seen = see_folder(config); !seen) return seen;
  if (!is_resumed()) return {};
  options_.resume_from = parse_number<Round>(first_round);
  return store_->check(processes_.self(), *options_.resume_from);
}

Result<void> PreparedRun::see_folder(const std::string& config) {
  const std::string path = folder_path();
  Result<RunFolder> folder = RunFolder::open(path, RunFolder::Use::kRead);
  const auto written = folder ? read_file(folder.value().config_path())
                              : Result<std::vector<std::uint8_t>>(folder.error());
  if (!written || !std::ranges::equal(written.value(), as_bytes(config))) {
    return Error{
        fmt::format("it does not see the folder '{}' of node 0: all ranks must share it", path)};
  }
  folder_ = std::move(folder).value();
  open_store();
  return {};
}

Result<std::unique_ptr<Network>> PreparedRun::open_network(EventSink* events) {
  if (place_) return place_->open(*experiment_, events);
  if (processes_.are_many()) return processes_.make_network();
  return std::unique_ptr<Network>();
}

}  // namespace gossamer
