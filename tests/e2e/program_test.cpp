// The program as a user meets it: help, versions, lists, and what a mistake gets.

#include "tests/e2e/program.hpp"

#include <filesystem>

#include "tests/support/temporary_folder.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace gossamer {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::ProgramResult;
using testing::run_program;

TEST(Program, WithoutArgumentsShowsItsHelp) {
  const ProgramResult result = run_program({});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("Usage: gossamer"));
  EXPECT_THAT(result.out, HasSubstr("Examples:"));
}

TEST(Program, HelpHasExamplesAndExitCodes) {
  const ProgramResult result = run_program({"--help"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("gossamer topology ring --nodes 25"));
  EXPECT_THAT(result.out, HasSubstr("Exit codes:"));
}

TEST(Program, VersionNamesWhatItIsBuiltOn) {
  const ProgramResult result = run_program({"--version"});
  EXPECT_EQ(result.exit_code, 0);
  for (const char* name :
       {"gossamer 0.", "Eigen", "Highway", "xxHash", "fmt", "CLI11", "nlohmann/json", "toml++",
        "SimGrid", "zlib", "libpng", "TurboJPEG", "torch", "instruction sets"}) {
    EXPECT_THAT(result.out, HasSubstr(name));
  }
  EXPECT_THAT(result.out, Not(HasSubstr(" \n"))) << "each has a version";
}

TEST(Program, ExplainsThatNetworksNeedTheirModule) {
  const testing::TemporaryFolder folder;
  const std::string bin = folder.path("far/away");
  std::filesystem::create_directories(bin);
  std::filesystem::copy_file(GOSSAMER_PROGRAM, bin + "/gossamer");
  const ProgramResult result = testing::run_command({bin + "/gossamer", "train", "--model", "mlp"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, AllOf(HasSubstr("there is no lib/gossamer/libgossamer_torch.so"),
                                HasSubstr("GOSSAMER_TORCH=ON")));
  const ProgramResult list = testing::run_command({bin + "/gossamer", "list"});
  EXPECT_EQ(list.exit_code, 0);
  EXPECT_THAT(list.out, HasSubstr("resnet20")) << "reading about them takes no torch";
  const ProgramResult unknown =
      testing::run_command({bin + "/gossamer", "train", "--model", "resnet2"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("unknown model 'resnet2'; did you mean 'resnet20'?"));
}

TEST(Program, ListNamesAllThatThereIs) {
  const ProgramResult result = run_program({"list", "--json"});
  ASSERT_EQ(result.exit_code, 0);
  const auto all = nlohmann::json::parse(result.out);
  EXPECT_GE(all.at("compressors").size(), 7u);
  EXPECT_GE(all.at("topologies").size(), 12u);
  const std::string text = run_program({"list"}).out;
  for (const auto& kind : {"compressors", "algorithms", "topologies", "models"}) {
    for (const auto& entry : all.at(kind))
      EXPECT_THAT(text, HasSubstr(entry.at("example").get<std::string>()));
  }
  for (const auto& kind : {"tasks", "networks"}) {
    for (const auto& entry : all.at(kind))
      EXPECT_THAT(text, HasSubstr("\n  " + entry.at("name").get<std::string>() + " "));
  }
}

TEST(Program, ListShowsTheOptionsOfModelsAndNetworks) {
  const auto all = nlohmann::json::parse(run_program({"list", "--json"}).out);
  const std::string text = run_program({"list"}).out;
  for (const auto& kind : {"models", "networks"}) {
    for (const auto& entry : all.at(kind))
      EXPECT_THAT(text, HasSubstr(entry.at("options").get<std::string>()));
  }
  EXPECT_THAT(text, HasSubstr("options: norm=batch or group\n"));
  EXPECT_THAT(text, HasSubstr("options: on-peer-loss, on-partition, rejoin-for, peer-deadline, "
                              "audit-every, report-mean\n"));
}

TEST(Program, AnUnknownCommandGetsTheNearestSuggestedAndExitCode2) {
  const ProgramResult result = run_program({"topolgy", "ring"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("unknown command 'topolgy'"));
  EXPECT_THAT(result.err, HasSubstr("did you mean 'topology'?"));
  EXPECT_EQ(result.out, "");
}

TEST(Program, AnUnknownOptionGetsTheNearestSuggestedAndExitCode2) {
  const ProgramResult result = run_program({"list", "--jsn"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("unknown option of 'list' '--jsn'"));
  EXPECT_THAT(result.err, HasSubstr("did you mean '--json'?"));
}

TEST(Program, AMissingSubcommandSaysHowToGetHelp) {
  const ProgramResult result = run_program({"bench"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("--help"));
}

}  // namespace
}  // namespace gossamer
