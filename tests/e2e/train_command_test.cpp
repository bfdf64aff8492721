// `gossamer train`: what it prints, what it keeps, and what it refuses.

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/e2e/run_output.hpp"
#include "tests/support/temporary_file.hpp"
#include "tests/support/temporary_folder.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

const Arguments kQuadratic = {"train",       "--task",   "quadratic", "--dim",    "20",
                              "--algorithm", "dpsgd",    "--noise",   "0.1",      "--lr",
                              "0.01",        "--rounds", "40",        "--report", "10,20,40"};

TEST(TrainCommand, PrintsAnObjectPerReportedRoundAndASummary) {
  const RunOutput output = run_json(kQuadratic);
  EXPECT_EQ(output.exit_code, 0);
  EXPECT_EQ(output.err, "");
  EXPECT_THAT(output.rounds(), ElementsAre(10, 20, 40));
  for (const nlohmann::json& row : output.rows) {
    EXPECT_THAT(keys_of(row),
                UnorderedElementsAre(
                    "round", "objective", "suboptimality", "train_loss", "consensus_distance",
                    "bytes_sent_per_node", "payload_bytes_per_node", "seconds", "seconds_compute",
                    "seconds_encode", "seconds_wait", "seconds_decode", "seconds_mix"));
  }
  EXPECT_EQ(output.rows[2].at("bytes_sent_per_node"), 40 * 2 * (80 + 56));
  EXPECT_EQ(output.rows[2].at("payload_bytes_per_node"), 40 * 2 * 80);
  EXPECT_EQ(output.summary.at("outcome"), "finished");
  EXPECT_NEAR(output.summary.at("objective").get<double>() -
                  output.summary.at("suboptimality").get<double>(),
              output.summary.at("optimum").get<double>(), 1e-9);
}

TEST(TrainCommand, PrintsATableForPeople) {
  const ProgramResult result = run_program(kQuadratic);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("quadratic: dpsgd with identity on ring, 8 nodes"));
  EXPECT_THAT(result.out, HasSubstr("objective  suboptimality  consensus distance"));
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);)
    EXPECT_LE(line.size(), 100u) << line;
}

TEST(TrainCommand, ReadsWellInItsHelp) {
  for (const char* command : {"train", "consensus", "tune-gamma"}) {
    const ProgramResult help = run_program({command, "--help"});
    EXPECT_EQ(help.exit_code, 0);
    EXPECT_THAT(help.out, AllOf(HasSubstr("Example"), HasSubstr("How many rounds")));
    std::istringstream lines(help.out);
    for (std::string line; std::getline(lines, line);)
      EXPECT_LE(line.size(), 120u) << line;
  }
  EXPECT_THAT(run_program({"train", "--help"}).out, HasSubstr("sim.bandwidth"));
}

TEST(TrainCommand, TakesSettingsFromAFileThenSetThenOptions) {
  const TemporaryFile file("nodes = 3\nseed = 3\ndim = 30\ntask = \"quadratic\"\n");
  const Arguments base = {"train", "--config", file.path(), "--algorithm",
                          "dpsgd", "--rounds", "1"};
  const auto nodes = [](const RunOutput& output) { return output.summary.at("nodes"); };
  EXPECT_EQ(nodes(run_json(base)), 3);
  EXPECT_EQ(nodes(run_json(base + Arguments{"--set", "nodes=4"})), 4);
  EXPECT_EQ(nodes(run_json(base + Arguments{"--nodes", "5", "--set", "nodes=4"})), 5);
  EXPECT_EQ(nodes(run_json(base + Arguments{"--set", "nodes=4", "--set", "nodes=6"})), 6);
  EXPECT_EQ(nodes(run_json(base + Arguments{"--nodes", "5", "--nodes", "7"})), 7);
  EXPECT_EQ(run_json(base).summary.at("seed"), 3);
}

TEST(TrainCommand, InSimulationPrintsTheSameTwice) {
  const Arguments simulated =
      kQuadratic +
      Arguments{"--network", "sim", "--set", "sim.bandwidth=1Mbps", "--set", "sim.compute=5ms"};
  const RunOutput first = run_json(simulated);
  const RunOutput second = run_json(simulated);
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_EQ(first.rows, second.rows) << "with their virtual times";
  EXPECT_EQ(without(first.summary, "cpu_"), without(second.summary, "cpu_"));
  EXPECT_GE(first.summary.at("seconds"), 40 * 0.005);
  EXPECT_DOUBLE_EQ(first.summary.at("seconds_compute"), 40 * 0.005);
}

TEST(TrainCommand, WritesATraceOfTheRun) {
  const TemporaryFolder folder;
  const std::string path = folder.path("trace.json");
  EXPECT_EQ(run_program(kQuadratic + Arguments{"--trace", path}).exit_code, 0);
  std::map<std::string, std::set<int>> nodes_of_phase;
  const auto trace = nlohmann::json::parse(file_text(path));
  for (const auto& event : trace.at("traceEvents")) {
    if (event.at("ph") == "X") nodes_of_phase[event.at("name")].insert(event.at("tid").get<int>());
  }
  EXPECT_THAT(nodes_of_phase["compute"], ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_THAT(nodes_of_phase["encode"], ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_THAT(refusal_of(kQuadratic + Arguments{"--trace", folder.path("none/trace.json")}),
              HasSubstr("none/trace.json"));
}

TEST(TrainCommand, HasTheSameNumbersOnBothNetworks) {
  const Arguments qsparse =
      kQuadratic + Arguments{"--algorithm",     "qsparse-async", "--compressor",
                             "topk:0.1+qsgd:4", "--local-steps", "4"};
  EXPECT_EQ(without_seconds(run_json(qsparse).rows),
            without_seconds(run_json(qsparse + Arguments{"--network", "sim"}).rows));
}

// Six rows, with labels as the arguments say; two thirds of them positive.
std::string svm_text(const std::string& negative, const std::string& positive) {
  return positive + " 1:1 2:0.5\n" + negative + " 1:-1 3:2\n" + positive + " 2:1 3:-1\n" +
         positive + " 1:0.25\n" + negative + " 2:-1\n" + positive + " 3:-2\n";
}

TEST(TrainCommand, ReadsLabelsOfBothKindsAlike) {
  const TemporaryFile signs(svm_text("-1", "+1"));
  const TemporaryFile bits(svm_text("0", "1"));
  const Arguments train = {"train",       "--task",     "logistic", "--algorithm", "dpsgd",
                           "--nodes",     "3",          "--rounds", "20",          "--l2",
                           "0.1",         "--lr",       "0.5",      "--batch",     "full",
                           "--partition", "contiguous", "--report", "0,20"};
  const RunOutput with_signs = run_json(train + Arguments{"--data", signs.path()});
  const RunOutput with_bits = run_json(train + Arguments{"--data", bits.path()});
  EXPECT_EQ(with_signs.exit_code, 0) << with_signs.err;
  EXPECT_EQ(without_seconds(with_signs.rows), without_seconds(with_bits.rows));
  // x^0 = 0, where every row costs log 2.
  EXPECT_NEAR(with_signs.rows[0].at("objective"), 0.6931471805599453, 1e-9);
  EXPECT_LT(with_signs.rows[1].at("suboptimality"), with_signs.rows[0].at("suboptimality"));
}

TEST(TrainCommand, WithWholeShardsInOrderHasNoRandomness) {
  const TemporaryFile data(svm_text("-1", "+1"));
  const auto rows = [&](const char* seed) {
    return without_seconds(
        run_json({"train",      "--task",       "logistic", "--data",  data.path(), "--algorithm",
                  "choco",      "--compressor", "topk:0.4", "--gamma", "0.3",       "--nodes",
                  "3",          "--rounds",     "20",       "--batch", "full",      "--partition",
                  "contiguous", "--seed",       seed})
            .rows);
  };
  EXPECT_EQ(rows("1"), rows("2"));
}

TEST(TrainCommand, KeepsARunInItsFolder) {
  const TemporaryFolder folder;
  const RunOutput output = run_json(
      kQuadratic + Arguments{"--run-dir", folder.path("runs/one"), "--checkpoint-every", "15"});
  EXPECT_EQ(output.exit_code, 0) << output.err;
  EXPECT_EQ(json_lines(file_text(folder.path("runs/one/metrics.jsonl"))), output.rows);
  EXPECT_EQ(nlohmann::json::parse(file_text(folder.path("runs/one/summary.json"))).at("summary"),
            output.summary);
  std::vector<std::string> checkpoints;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path("runs/one/checkpoints")))
    checkpoints.push_back(entry.path().filename().string());
  EXPECT_THAT(checkpoints, UnorderedElementsAre("round-000000030", "round-000000040"));
  EXPECT_THAT(file_text(folder.path("runs/one/model.safetensors")),
              HasSubstr(R"("x":{"dtype":"F32","shape":[20],"data_offsets":[0,80]})"));
}

TEST(TrainCommand, WritesAConfigThatRepeatsTheRun) {
  const TemporaryFolder folder;
  const Arguments sim = {"--network", "sim", "--set", "sim.latency=3ms", "--seed", "9"};
  const RunOutput first = run_json(kQuadratic + sim + Arguments{"--run-dir", folder.path("one")});
  const RunOutput second = run_json(
      {"train", "--config", folder.path("one/config.toml"), "--run-dir", folder.path("two")});
  EXPECT_EQ(first.rows, second.rows) << "with their virtual times";
  EXPECT_EQ(file_text(folder.path("one/config.toml")), file_text(folder.path("two/config.toml")));
  EXPECT_EQ(file_text(folder.path("one/metrics.jsonl")),
            file_text(folder.path("two/metrics.jsonl")));
}

TEST(TrainCommand, DoesNotOverwriteARun) {
  const TemporaryFolder folder;
  const Arguments run = kQuadratic + Arguments{"--run-dir", folder.path("one")};
  EXPECT_EQ(run_program(run).exit_code, 0);
  const std::string metrics = file_text(folder.path("one/metrics.jsonl"));
  EXPECT_THAT(refusal_of(run), AllOf(HasSubstr("already holds a run"), HasSubstr("resume")));
  EXPECT_EQ(file_text(folder.path("one/metrics.jsonl")), metrics);
}

TEST(TrainCommand, LeavesAFolderUsableWhenARunCouldNotBegin) {
  const TemporaryFolder folder;
  const Arguments run = kQuadratic + Arguments{"--run-dir", folder.path("one")};
  EXPECT_EQ(run_program(run + Arguments{"--topology", "rign"}).exit_code, 2);
  EXPECT_EQ(
      run_program(run + Arguments{"--network", "sim", "--set", "sim.platform=none.xml"}).exit_code,
      2);
  EXPECT_EQ(run_program(run).exit_code, 0);
}

TEST(TrainCommand, ResumesOnEitherNetworkAsIfItHadNotStopped) {
  const Arguments choco =
      kQuadratic + Arguments{"--algorithm", "choco",          "--compressor",
                             "qsgd:4",      "--gamma",        "0.3",
                             "--optimizer", "heavy-ball:0.9", "--checkpoint-every",
                             "10",          "--report",       "5,10,15,20,25,30,35,40"};
  const TemporaryFolder folder;
  const RunOutput whole = run_json(choco + Arguments{"--run-dir", folder.path("whole")});
  for (const char* network : {"inproc", "sim"}) {
    const std::string run = folder.path(network);
    EXPECT_EQ(run_json(choco + Arguments{"--run-dir", run, "--rounds", "20"}).exit_code, 0);
    const RunOutput rest =
        run_json({"train", "--resume", run, "--rounds", "40", "--network", network});
    EXPECT_EQ(rest.exit_code, 0) << rest.err;
    EXPECT_THAT(rest.rounds(), ElementsAre(25, 30, 35, 40));
    EXPECT_EQ(without_seconds(json_lines(file_text(run + "/metrics.jsonl"))),
              without_seconds(whole.rows));
  }
}

TEST(TrainCommand, RefusesToResumeWhatIsNotTheSameRun) {
  const TemporaryFolder folder;
  const std::string run = folder.path("one");
  EXPECT_THAT(refusal_of({"train", "--resume", run}), HasSubstr("holds no run to resume"));
  EXPECT_EQ(run_program(kQuadratic + Arguments{"--run-dir", run}).exit_code, 0);
  EXPECT_THAT(refusal_of({"train", "--resume", run}), HasSubstr("no complete checkpoint"));
  std::filesystem::remove_all(run);

  EXPECT_EQ(
      run_program(kQuadratic + Arguments{"--run-dir", run, "--checkpoint-every", "20"}).exit_code,
      0);
  const std::string config = file_text(run + "/config.toml");
  const std::string metrics = file_text(run + "/metrics.jsonl");
  EXPECT_THAT(refusal_of({"train", "--resume", run}),
              AllOf(HasSubstr("completed 40 rounds already"), HasSubstr("--rounds")));
  const Arguments more = {"train", "--resume", run, "--rounds", "60"};
  EXPECT_THAT(refusal_of(more + Arguments{"--seed", "5"}),
              HasSubstr("its seed is '0', and that of this run '5'"));
  EXPECT_THAT(refusal_of(more + Arguments{"--nodes", "12"}),
              HasSubstr("its nodes is '8', and that of this run '12'"));
  EXPECT_THAT(refusal_of(more + Arguments{"--run-dir", folder.path("two")}),
              HasSubstr("leave out --run-dir"));
  EXPECT_EQ(file_text(run + "/config.toml"), config);
  EXPECT_EQ(file_text(run + "/metrics.jsonl"), metrics);
  EXPECT_EQ(run_program(more).exit_code, 0);
}

TEST(TrainCommand, KeepsWhatARunMeasuredBeforeItFailed) {
  const TemporaryFolder folder;
  const RunOutput output =
      run_json(kQuadratic + Arguments{"--lr", "10", "--rounds", "400", "--report", "1,2,400",
                                      "--run-dir", folder.path("one")});
  EXPECT_EQ(output.exit_code, 3);
  EXPECT_THAT(output.rounds(), ElementsAre(1, 2));
  EXPECT_EQ(output.summary.at("outcome"), "diverged");
  EXPECT_THAT(keys_of(output.summary.at("failure")),
              UnorderedElementsAre("kind", "node", "round", "quantity", "sentence"));
  EXPECT_EQ(output.err,
            "gossamer: " + output.summary.at("failure").at("sentence").get<std::string>() + "\n");
  EXPECT_EQ(json_lines(file_text(folder.path("one/metrics.jsonl"))), output.rows);
  EXPECT_EQ(nlohmann::json::parse(file_text(folder.path("one/summary.json"))).at("summary"),
            output.summary);
}

TEST(TrainCommand, NamesASimulatedFailure) {
  const TemporaryFile file(R"(
network = "sim"
patience = "2s"
[sim]
compute = "10ms"
[[sim.outage]]
between = [2, 3]
from = "95ms"
)");
  const RunOutput output = run_json(kQuadratic + Arguments{"--config", file.path()});
  EXPECT_EQ(output.exit_code, 3);
  EXPECT_EQ(output.summary.at("outcome"), "stalled");
  EXPECT_THAT(output.summary.at("failure").at("node").get<int>(), ::testing::AnyOf(2, 3));
  EXPECT_THAT(output.err, HasSubstr("gave up"));
}

TEST(TrainCommand, ExplainsWhatItCannotDo) {
  EXPECT_THAT(refusal_of({"train", "--task", "logistik"}), HasSubstr("did you mean 'logistic'?"));
  EXPECT_THAT(refusal_of({"train", "--algoritm", "choco"}),
              HasSubstr("did you mean '--algorithm'?"));
  EXPECT_THAT(refusal_of({"train", "--set", "roundz=3"}), HasSubstr("did you mean 'rounds'?"));
  EXPECT_THAT(refusal_of({"train", "--set", "tolerance=3"}), HasSubstr("gossamer consensus"));
  EXPECT_THAT(refusal_of({"train", "--task", "consensus"}), HasSubstr("gossamer consensus"));
  EXPECT_THAT(refusal_of({"train", "--nodes"}), HasSubstr("--nodes"));
  EXPECT_THAT(refusal_of({"train", "--nodes", "many"}), HasSubstr("--nodes: must be a whole"));
  EXPECT_THAT(refusal_of({"train", "--data", "none.svm"}), HasSubstr("none.svm"));
  EXPECT_THAT(refusal_of({"train", "--config", "none.toml"}), HasSubstr("none.toml"));
  EXPECT_THAT(refusal_of({"train", "--checkpoint-every", "5"}), HasSubstr("give --run-dir"));
  EXPECT_THAT(refusal_of({"train", "--network", "tcp"}), HasSubstr("valid: inproc, sim"));
  const TemporaryFile file("nodes = 8\nlocal-step = 3\n");
  EXPECT_THAT(refusal_of({"train", "--config", file.path()}),
              AllOf(HasSubstr(file.path() + ": line 2"), HasSubstr("mean 'local-steps'?")));
}

}  // namespace
}  // namespace gossamer::testing
