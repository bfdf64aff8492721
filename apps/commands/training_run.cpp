#include "apps/commands/training_run.hpp"

#include "apps/command.hpp"
#include "apps/commands/report.hpp"
#include "apps/processes/many_processes.hpp"
#include <fmt/format.h>

#include "gossamer/experiment/checkpoint_interval.hpp"
#include "gossamer/swarm/interruption.hpp"
#include "gossamer/train/process_run.hpp"

namespace gossamer::cli {

TrainingRun::TrainingRun(const RunArguments& arguments, Processes& processes)
    : arguments_(arguments), processes_(processes) {
  Result<std::unique_ptr<PreparedRun>> run = PreparedRun::read(arguments, processes);
  if (!run) check_together(processes, run.error());
  run_ = std::move(run).value();
}

int TrainingRun::run() {
  prepare();
  listen();
  // Before anything is printed: keys or a port that are no good are refused.
  std::unique_ptr<Network> network = value_or_throw(run_->open_network(&*events_));
  report_->begin(run_->has_store() ? checkpoint_interval(experiment()) : 0);
  {
    Interruption interruption;
    options_.stop = &interruption.line();
    options_.stop->attend();
    outcome_ = run_nodes(std::move(network));
  }
  events_->drain();
  const std::vector<std::string> errors = events_->errors();
  events_.reset();
  bar_.reset();
  // A run that was stopped before its first round leaves a folder that it can begin in again.
  const bool has_begun = outcome_.stopped_after != Round{0};
  const bool is_kept = run_->speaks() && has_begun && try_to_keep_results();
  const int code = report_->end(outcome_);
  // A file that could not be written did not end the run, but the run is not all there.
  if (!errors.empty() && !outcome_.failure) throw BadInput(errors.front());
  if (is_kept && !arguments_.json) fmt::print("\nreport: {}\n", run_->folder()->report_path());
  return code;
}

void TrainingRun::prepare() {
  check_together(processes_, run_->prepare([](const RunConfig& config, GammaSource& gammas) {
    const Result<void> possible = check_task(config, Command::kTrain);
    return possible ? make_experiment(config, gammas) : possible.error();
  }));
  check_together(processes_, processes_.together([this]() -> Result<void> {
    if (!run_->speaks() || arguments_.trace.empty()) return {};
    return trace_.write(arguments_.trace);
  }));
  options_ = run_->options();
}

void TrainingRun::listen() {
  report_.emplace(experiment(), format());
  bar_.emplace(experiment(), options_.resume_from.value_or(0),
               format() == RunReport::Format::kTable ? BottomLine::Show::kIfTerminal
                                                     : BottomLine::Show::kNever);
  // The bar's line is taken away before a row is printed.
  std::vector<EventListener*> listeners = {&*bar_, &*report_};
  if (arguments_.launched) {
    listeners.push_back(&stream_);
  } else if (run_->is_peer()) {
    listeners.push_back(&lines_);
  }
  if (arguments_.says_when_begun) listeners.push_back(&beginning_);
  if (run_->folder() != nullptr && run_->speaks()) {
    metrics_.emplace(*run_->folder());
    event_file_ = value_or_throw(EventFile::open(run_->folder()->events_path()));
    listeners.insert(listeners.end(), {&*metrics_, event_file_.get()});
  }
  if (!arguments_.trace.empty()) listeners.push_back(&trace_);
  events_.emplace(listeners);
  options_.events = &*events_;
}

// The first process speaks.
RunReport::Format TrainingRun::format() const {
  if (!run_->speaks()) return RunReport::Format::kNothing;
  if (arguments_.launched) return RunReport::Format::kEvents;
  return arguments_.json ? RunReport::Format::kJson : RunReport::Format::kTable;
}

// The network ends with the run: others need not wait while results are kept.
RunOutcome TrainingRun::run_nodes(std::unique_ptr<Network> network) {
  if (!network) return value_or_throw(run_experiment(experiment(), options_));
  return run_process(experiment(), *network, options_,
                     run_->is_peer() ? Seen::kSelf : Seen::kAllByFirst);
}

bool TrainingRun::try_to_keep_results() {
  try {
    keep_results();
  } catch (const BadInput&) {
    // A disk that is full has no room for these either: why the run failed is what counts.
    if (!outcome_.failure) throw;
    return false;
  }
  return run_->folder() != nullptr;
}

void TrainingRun::keep_results() {
  if (!arguments_.trace.empty()) check(trace_.write(arguments_.trace));
  const RunFolder* const folder = run_->folder();
  if (folder == nullptr) return;
  check(folder->write_summary(summary_json(experiment(), outcome_)));
  if (!outcome_.model.empty()) check(folder->write_model(experiment(), outcome_));
  write_report({folder->path()}, folder->report_path());
}

}  // namespace gossamer::cli
