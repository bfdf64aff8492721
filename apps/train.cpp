#include <optional>

#include "apps/command.hpp"
#include "apps/run_arguments.hpp"
#include "apps/run_report.hpp"
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "gossamer/train/run_folder.hpp"

namespace gossamer::cli {
namespace {

/// One `gossamer train`: a new run, or one that goes on.
class TrainingRun {
 public:
  explicit TrainingRun(const RunArguments& arguments) : arguments_(arguments) {
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

  int run() {
    const auto experiment = make();
    options_.report = [&](const Measurement& measurement) { note(measurement); };
    if (!arguments_.trace.empty()) {
      check(trace_.write(arguments_.trace));
      options_.trace = &trace_;
    }
    if (folder_) prepare_folder(*experiment);
    report_.emplace(*experiment,
                    arguments_.json ? RunReport::Format::kJson : RunReport::Format::kTable);
    report_->begin();
    const RunOutcome outcome = value_or_throw(run_experiment(*experiment, options_));
    if (folder_) check(folder_->write_summary(summary_json(*experiment, outcome)));
    if (folder_ && !outcome.model.empty()) check(folder_->write_model(*experiment, outcome));
    if (options_.trace != nullptr) check(trace_.write(arguments_.trace));
    return report_->end(outcome);
  }

 private:
  [[nodiscard]] std::unique_ptr<Experiment> make() const {
    GammaTuner tuner;
    CachedGammas cached(folder_ ? folder_->gamma_path() : "");
    GammaSource& gammas = folder_ ? static_cast<GammaSource&>(cached) : tuner;
    return value_or_throw(make_experiment(config_, gammas));
  }

  void prepare_folder(const Experiment& experiment) {
    if (config_.checkpoint_every > 0 || !arguments_.resume.empty()) {
      store_.emplace(folder_->checkpoints_path(), identity_of(experiment.config),
                     experiment.endpoints());
      options_.checkpoints = &*store_;
    }
    if (!arguments_.resume.empty()) {
      const Round round = value_or_throw(store_->newest());
      if (round >= config_.rounds) {
        throw BadInput(
            fmt::format("the run has completed {} rounds already; give more --rounds", round));
      }
      options_.resume_from = round;
      check(folder_->keep_metrics_until(round));
    }
    check(folder_->write_config(experiment.config, Command::kTrain));
  }

  void note(const Measurement& measurement) {
    if (folder_) check(folder_->append_metrics(to_json(measurement, Command::kTrain)));
    report_->row(measurement);
  }

  const RunArguments& arguments_;
  RunConfig config_;
  std::optional<RunFolder> folder_;
  std::optional<CheckpointStore> store_;
  Trace trace_;
  RunOptions options_;
  std::optional<RunReport> report_;
};

}  // namespace

void add_train_command(CLI::App& program, Action& action) {
  CLI::App* const command =
      program.add_subcommand("train", "Trains one model on many nodes that gossip");
  const auto arguments = add_run_options(*command, Command::kTrain);
  command
      ->add_option("--run-dir", arguments->run_dir,
                   "Folder for the resolved config, metrics, summary and checkpoints")
      ->option_text("DIR");
  command->add_option("--resume", arguments->resume, "Go on with the run in this folder")
      ->option_text("DIR");
  command
      ->add_option("--trace", arguments->trace,
                   "What every node did when, for chrome://tracing or Perfetto")
      ->option_text("FILE");
  command->footer(simulation_keys() + R"(
Examples:
  gossamer train --algorithm choco --compressor topk:0.1 --gamma 0.3 --schedule inverse:a=400,b=200
  gossamer train --task quadratic --algorithm dpsgd --batch full --lr 0.05 --rounds 200
  gossamer train --network sim --set sim.bandwidth=10Mbps --set sim.latency=20ms --run-dir runs/one)");
  command->callback(
      [arguments, &action] { action = [arguments] { return TrainingRun(*arguments).run(); }; });
}

}  // namespace gossamer::cli
