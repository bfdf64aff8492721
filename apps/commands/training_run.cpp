#include "apps/commands/training_run.hpp"

#include <algorithm>

#include "apps/command.hpp"
#include "apps/commands/report.hpp"
#include "apps/processes/rank_settings.hpp"
#include <fmt/format.h>

#include "gossamer/base/file.hpp"
#include "gossamer/base/text/parse_number.hpp"
#include "gossamer/experiment/checkpoint_interval.hpp"
#include "gossamer/experiment/partners.hpp"
#include "gossamer/train/process_run.hpp"

namespace gossamer::cli {

TrainingRun::TrainingRun(const RunArguments& arguments, Processes& processes)
    : arguments_(arguments), processes_(processes) {
  processes_.together([this] { read_settings(); });
}

void TrainingRun::read_settings() {
  RunConfig base;
  // What the command line says of peers decides where their folders are.
  place_ = PeerPlace::find(arguments_, config_from(arguments_, base));
  if (is_resumed()) {
    if (!arguments_.run_dir.empty())
      throw BadInput("--resume goes on in the run's own folder: leave out --run-dir");
    folder_ = value_or_throw(RunFolder::open(folder_path(), RunFolder::Use::kResume));
    check(read_config(base, folder_->config_path()));
  } else if (has_folder() && processes_.is_first()) {
    folder_ = value_or_throw(RunFolder::open(folder_path(), RunFolder::Use::kBegin));
  }
  config_ = config_from(arguments_, base);
  if (config_.checkpoint_every.value_or(0) > 0 && !has_folder())
    throw BadInput("checkpoints need a folder: give --run-dir");
}

std::string TrainingRun::folder_path() const {
  const std::string& path = is_resumed() ? arguments_.resume : arguments_.run_dir;
  return place_ ? place_->folder_in(path) : path;
}

int TrainingRun::run() {
  processes_.together([this] { prepare(); });
  if (processes_.are_many()) join_the_others();
  listen();
  // Before anything is printed: keys or a port that are no good are refused.
  std::unique_ptr<Network> network = open_network();
  report_->begin(store_ ? checkpoint_interval(*experiment_) : 0);
  {
    Interruption interruption;
    options_.stop = &interruption.line();
    outcome_ = run_nodes(std::move(network));
  }
  events_->drain();
  const std::vector<std::string> errors = events_->errors();
  events_.reset();
  bar_.reset();
  const bool is_kept = processes_.is_first() && try_to_keep_results();
  const int code = report_->end(outcome_);
  // A file that could not be written did not end the run, but the run is not all there.
  if (!errors.empty() && !outcome_.failure) throw BadInput(errors.front());
  if (is_kept && !arguments_.json) fmt::print("\nreport: {}\n", folder_->report_path());
  return code;
}

void TrainingRun::listen() {
  report_.emplace(*experiment_, format());
  bar_.emplace(*experiment_, options_.resume_from.value_or(0),
               format() == RunReport::Format::kTable ? BottomLine::Show::kIfTerminal
                                                     : BottomLine::Show::kNever);
  // The bar's line is taken away before a row is printed.
  std::vector<EventListener*> listeners = {&*bar_, &*report_};
  if (arguments_.launched) {
    listeners.push_back(&stream_);
  } else if (place_) {
    listeners.push_back(&lines_);
  }
  if (folder_ && processes_.is_first()) {
    metrics_.emplace(*folder_);
    event_file_ = value_or_throw(EventFile::open(folder_->events_path()));
    listeners.insert(listeners.end(), {&*metrics_, event_file_.get()});
  }
  if (!arguments_.trace.empty()) listeners.push_back(&trace_);
  events_.emplace(listeners);
  options_.events = &*events_;
}

// The first process speaks.
RunReport::Format TrainingRun::format() const {
  if (!processes_.is_first()) return RunReport::Format::kNothing;
  if (arguments_.launched) return RunReport::Format::kEvents;
  return arguments_.json ? RunReport::Format::kJson : RunReport::Format::kTable;
}

std::unique_ptr<Network> TrainingRun::open_network() {
  if (place_) return place_->open(*experiment_, &*events_);
  return processes_.are_many() ? processes_.make_network() : nullptr;
}

// The network ends with the run: others need not wait while results are kept.
RunOutcome TrainingRun::run_nodes(std::unique_ptr<Network> network) {
  if (!network) return value_or_throw(run_experiment(*experiment_, options_));
  return run_process(*experiment_, *network, options_, place_ ? Seen::kSelf : Seen::kAllByFirst);
}

void TrainingRun::prepare() {
  if (place_) {
    place_->fit(config_);
  } else {
    fit_to_processes(config_, arguments_, processes_);
  }
  experiment_ = make();
  if (!processes_.is_first()) return;
  if (!arguments_.trace.empty()) check(trace_.write(arguments_.trace));
  if (folder_) prepare_folder();
}

std::unique_ptr<Experiment> TrainingRun::make() const {
  GammaTuner tuner;
  CachedGammas cached(folder_ ? folder_->gamma_path() : "");
  GammaSource& gammas = folder_ ? static_cast<GammaSource&>(cached) : tuner;
  return value_or_throw(make_experiment(config_, gammas));
}

void TrainingRun::open_store() {
  // Also without --checkpoint-every: a run that is stopped leaves one.
  store_.emplace(folder_->checkpoints_path(), identity_of(experiment_->config),
                 experiment_->endpoints(),
                 place_                  ? CheckpointStore::Writers::kOneNode
                 : processes_.are_many() ? CheckpointStore::Writers::kManyProcesses
                                         : CheckpointStore::Writers::kThisProcess);
  store_->keep_behind(most_rounds_apart(*experiment_));
  options_.checkpoints = &*store_;
}

void TrainingRun::prepare_folder() {
  open_store();
  if (is_resumed() && place_) {
    options_.resumes = true;
  } else if (is_resumed()) {
    const Round round = value_or_throw(store_->newest());
    if (round >= experiment_->config.rounds) {
      throw BadInput(fmt::format(
          "the run has completed {} rounds already; give more --rounds or --epochs", round));
    }
    options_.resume_from = round;
    check(folder_->keep_metrics_until(round));
  }
  check(folder_->write_config(experiment_->config, Command::kTrain));
}

// All processes have the settings of the first, see its folder, and go on from the same round.
void TrainingRun::join_the_others() {
  const std::string config = config_text(experiment_->config, Command::kTrain);
  const std::string first_config = processes_.exchange(config).front();
  const std::string first_round =
      processes_.exchange(fmt::format("{}", options_.resume_from.value_or(0))).front();
  processes_.together([&] {
    if (processes_.is_first()) return;
    if (config != first_config)
      throw BadInput("it was started with other settings than node 0: start all ranks alike");
    if (!has_folder()) return;
    see_folder(config);
    if (!is_resumed()) return;
    options_.resume_from = parse_number<Round>(first_round);
    check(store_->check(processes_.self(), *options_.resume_from));
  });
}

void TrainingRun::see_folder(const std::string& config) {
  const std::string path = folder_path();
  Result<RunFolder> folder = RunFolder::open(path, RunFolder::Use::kRead);
  const auto written = folder ? read_file(folder.value().config_path())
                              : Result<std::vector<std::uint8_t>>(folder.error());
  if (!written || !std::ranges::equal(written.value(), as_bytes(config))) {
    throw BadInput(
        fmt::format("it does not see the folder '{}' of node 0: all ranks must share it", path));
  }
  folder_ = std::move(folder).value();
  open_store();
}

bool TrainingRun::try_to_keep_results() {
  try {
    keep_results();
  } catch (const BadInput&) {
    // A disk that is full has no room for these either: why the run failed is what counts.
    if (!outcome_.failure) throw;
    return false;
  }
  return folder_.has_value();
}

void TrainingRun::keep_results() {
  if (!arguments_.trace.empty()) check(trace_.write(arguments_.trace));
  if (!folder_) return;
  check(folder_->write_summary(summary_json(*experiment_, outcome_)));
  if (!outcome_.model.empty()) check(folder_->write_model(*experiment_, outcome_));
  write_report({folder_->path()}, folder_->report_path());
}

}  // namespace gossamer::cli
