#include "apps/training_run.hpp"

#include "apps/command.hpp"
#include "apps/report.hpp"
#include <fmt/format.h>

namespace gossamer::cli {

TrainingRun::TrainingRun(const RunArguments& arguments) : arguments_(arguments) {
  RunConfig base;
  if (!arguments.resume.empty()) {
    if (!arguments.run_dir.empty())
      throw BadInput("--resume goes on in the run's own folder: leave out --run-dir");
    folder_ = value_or_throw(RunFolder::open(arguments.resume, RunFolder::Use::kResume));
    check(read_config(base, folder_->config_path()));
  } else if (!arguments.run_dir.empty()) {
    folder_ = value_or_throw(RunFolder::open(arguments.run_dir, RunFolder::Use::kBegin));
  }
  config_ = config_from(arguments, base);
  if (config_.checkpoint_every > 0 && !folder_)
    throw BadInput("checkpoints need a folder: give --run-dir");
}

int TrainingRun::run() {
  experiment_ = make();
  options_.report = [&](const Measurement& measurement) { note(measurement); };
  if (!arguments_.trace.empty()) {
    check(trace_.write(arguments_.trace));
    options_.trace = &trace_;
  }
  if (folder_) prepare_folder();
  report_.emplace(*experiment_,
                  arguments_.json ? RunReport::Format::kJson : RunReport::Format::kTable);
  bar_.emplace(*experiment_, options_.resume_from.value_or(0),
               arguments_.json ? ProgressBar::Show::kNever : ProgressBar::Show::kIfTerminal);
  options_.tick = [&](const Tick& tick) { bar_->tick(tick); };
  report_->begin();
  {
    Interruption interruption;
    options_.stop = &interruption.line();
    outcome_ = value_or_throw(run_experiment(*experiment_, options_));
  }
  bar_.reset();
  const bool is_kept = try_to_keep_results();
  const int code = report_->end(outcome_);
  if (is_kept && !arguments_.json) fmt::print("\nreport: {}\n", folder_->report_path());
  return code;
}

std::unique_ptr<Experiment> TrainingRun::make() const {
  GammaTuner tuner;
  CachedGammas cached(folder_ ? folder_->gamma_path() : "");
  GammaSource& gammas = folder_ ? static_cast<GammaSource&>(cached) : tuner;
  return value_or_throw(make_experiment(config_, gammas));
}

void TrainingRun::prepare_folder() {
  // Also without --checkpoint-every: a run that is stopped leaves one.
  store_.emplace(folder_->checkpoints_path(), identity_of(experiment_->config),
                 experiment_->endpoints());
  options_.checkpoints = &*store_;
  if (!arguments_.resume.empty()) {
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

void TrainingRun::note(const Measurement& measurement) {
  if (folder_) check(folder_->append_metrics(to_json(measurement, Command::kTrain)));
  bar_->note(measurement);
  report_->row(measurement);
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
  if (options_.trace != nullptr) check(trace_.write(arguments_.trace));
  if (!folder_) return;
  check(folder_->write_summary(summary_json(*experiment_, outcome_)));
  if (!outcome_.model.empty()) check(folder_->write_model(*experiment_, outcome_));
  write_report({folder_->path()}, folder_->report_path());
}

}  // namespace gossamer::cli
