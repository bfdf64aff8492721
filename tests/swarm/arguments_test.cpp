// What a loop of one's own reads from its command line.
#include "gossamer/swarm/arguments.hpp"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Result<RunRequest> read(std::vector<const char*> words, const RunConfig& preset = {}) {
  words.insert(words.begin(), "program");
  return read_arguments(static_cast<int>(words.size()), words.data(), preset);
}

std::string refusal_of_words(const std::vector<const char*>& words) {
  const auto request = read(words);
  return request ? "not refused" : request.error().message;
}

RunConfig config_of_words(const std::vector<const char*>& words, const RunConfig& preset = {}) {
  const RunRequest request = read(words, preset).value();
  return config_of(request, request.preset).value();
}

TEST(Arguments, SetWhatTheyName) {
  const RunConfig config = config_of_words(
      {"--rounds", "7", "--compressor=topk:0.1", "--set", "sim.bandwidth=10Mbps", "--seed", "3"});
  EXPECT_EQ(config.rounds, 7u);
  EXPECT_EQ(config.compressor, "topk:0.1");
  EXPECT_EQ(config.seed, 3u);
  EXPECT_EQ(config.sim.bandwidth, 10e6 / 8);
}

TEST(Arguments, LeaveThePresetWhereTheySayNothing) {
  RunConfig preset;
  preset.compressor = "sign";
  preset.lr = 0.5;
  const RunConfig config = config_of_words({"--lr", "0.25"}, preset);
  EXPECT_EQ(config.compressor, "sign");
  EXPECT_EQ(config.lr, 0.25);
}

TEST(Arguments, SayWhereARunIs) {
  const RunRequest request =
      read({"--run-dir", "runs/a", "--peers", "p.toml", "--node", "2", "--insecure"}).value();
  EXPECT_EQ(request.run_dir, "runs/a");
  EXPECT_EQ(request.peers, "p.toml");
  EXPECT_EQ(request.node, 2u);
  EXPECT_TRUE(request.insecure);
  EXPECT_EQ(request.preset.network, "tls") << "peers have no other";
  EXPECT_EQ(config_of_words({"--peers", "p.toml", "--network", "sim"}).network, "sim");
}

TEST(Arguments, RefuseWhatIsNotKnown) {
  EXPECT_THAT(refusal_of_words({"--compresor", "sign"}), HasSubstr("compressor"));
  EXPECT_THAT(refusal_of_words({"--rounds"}), HasSubstr("needs a value"));
  EXPECT_THAT(refusal_of_words({"rounds", "7"}), HasSubstr("--KEY VALUE"));
  EXPECT_THAT(refusal_of_words({"--node", "two"}), HasSubstr("'two'"));
  // What is learned is the loop's own business.
  EXPECT_THAT(refusal_of_words({"--model", "lenet"}), HasSubstr("--model"));
}

TEST(Arguments, TellAllOfThemWhenAsked) {
  const std::string help = refusal_of_words({"--help"});
  for (const ConfigKey& key : config_keys()) {
    if (is_used_by(Command::kOwnLoop, key)) {
      EXPECT_THAT(help, HasSubstr(key.name));
    } else {
      EXPECT_THAT(help, Not(HasSubstr("--" + key.name + " ")));
    }
  }
  EXPECT_THAT(help, HasSubstr("--peers"));
}

}  // namespace
}  // namespace gossamer
