// `gossamer train --model FILE.pt`: networks that a user has exported from PyTorch.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>

#include "tests/e2e/run_output.hpp"
#include "tests/support/temporary_folder.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gossamer/base/rng.hpp"

namespace gossamer::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

constexpr std::uint32_t kClasses = 4;

// The form of MNIST: a magic number of type and dimensions, the sizes, the bytes.
void write_idx(const std::string& path, const std::vector<std::uint8_t>& sizes,
               const std::string& bytes) {
  std::string text{0, 0, 8, static_cast<char>(sizes.size())};
  for (const std::uint8_t size : sizes)
    text += {0, 0, 0, static_cast<char>(size)};
  std::ofstream(path, std::ios::binary) << text << bytes;
}

/// Noisy pictures of four classes: which quarter is brighter than the others.
void write_pictures(const TemporaryFolder& folder, std::uint8_t side) {
  Rng rng(RngKey{.seed = 1});
  for (const std::string part : {"train", "t10k"}) {
    constexpr std::uint8_t kCount = 128;
    std::string pixels;
    std::string labels;
    for (std::uint32_t i = 0; i < kCount; ++i) {
      const std::uint32_t label = i % kClasses;
      labels += static_cast<char>(label);
      for (std::uint32_t row = 0; row < side; ++row) {
        for (std::uint32_t column = 0; column < side; ++column) {
          const std::uint32_t quarter = (2 * row / side) * 2 + 2 * column / side;
          pixels += static_cast<char>(rng.below(180) + (quarter == label ? 75 : 0));
        }
      }
    }
    write_idx(folder.path(part + "-images-idx3-ubyte"), {kCount, side, side}, pixels);
    write_idx(folder.path(part + "-labels-idx1-ubyte"), {kCount}, labels);
  }
}

// The tensors' names in a safetensors file: the keys of the JSON that follows its length.
std::vector<std::string> tensor_names(const std::string& path) {
  const std::string text = file_text(path);
  std::uint64_t length = 0;
  if (text.size() < sizeof(length)) return {};
  std::memcpy(&length, text.data(), sizeof(length));
  return keys_of(
      without(nlohmann::json::parse(text.substr(sizeof(length), length)), "__metadata__"));
}

class ScriptModel : public ::testing::Test {
 protected:
  void SetUp() override {
    const ProgramResult exported = run_command(
        {GOSSAMER_PYTHON, GOSSAMER_SOURCE_DIR "/tests/script_model/export_models.py", at("")});
    if (exported.exit_code == 77)
      GTEST_SKIP() << GOSSAMER_PYTHON << " has no torch; Debian's package is python3-torch";
    ASSERT_EQ(exported.exit_code, 0) << exported.err;
    write_pictures(folder_, 12);
  }

  [[nodiscard]] std::string at(std::string_view name) const { return folder_.path(name); }

  [[nodiscard]] Arguments train(const std::string& model) const {
    return {"train",
            "--model",
            at(model + ".pt"),
            "--data",
            at(""),
            "--nodes",
            "4",
            "--batch",
            "8",
            "--rounds",
            "60",
            "--lr",
            "0.05",
            "--gamma",
            "0.4",
            "--compressor",
            "sign",
            "--algorithm",
            "choco",
            "--report",
            "0,60"};
  }

  /// Trains, and expects that it has learnt.
  RunOutput learns(const Arguments& arguments) const {
    RunOutput output = run_json(arguments);
    EXPECT_EQ(output.exit_code, 0) << output.err;
    if (output.rows.size() != 2) {
      ADD_FAILURE() << output.rows.size() << " rows";
      return output;
    }
    const auto value = [&](std::size_t row, const char* key) {
      return output.rows[row].at(key).get<double>();
    };
    EXPECT_LT(value(1, "test_loss"), 0.5 * value(0, "test_loss"));
    EXPECT_GT(value(1, "test_accuracy_mean_model"), 0.9);
    return output;
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(ScriptModel, LearnsTheSameBitsTwiceUnderItsOwnNames) {
  const RunOutput first = learns(train("described") + Arguments{"--run-dir", at("first")});
  const RunOutput second = learns(train("described") + Arguments{"--run-dir", at("second")});
  EXPECT_EQ(without_seconds(first.rows), without_seconds(second.rows));
  EXPECT_EQ(file_text(at("first/model.safetensors")), file_text(at("second/model.safetensors")));
  EXPECT_THAT(
      tensor_names(at("first/model.safetensors")),
      UnorderedElementsAre("features.0.weight", "features.0.bias", "features.1.weight",
                           "features.1.bias", "features.1.running_mean", "features.1.running_var",
                           "classifier.weight", "classifier.bias"));
}

TEST_F(ScriptModel, NeedsNoDescription) {
  learns(train("plain"));
  learns(train("plain") + Arguments{"--input-shape", "1x12x12", "--loss", "cross-entropy"});
}

TEST_F(ScriptModel, MayGiveLogarithmsOfProbabilities) {
  const RunOutput described = learns(train("log_probabilities"));
  const RunOutput scores = learns(train("described"));
  // One function, rounded differently.
  EXPECT_NEAR(described.rows.at(0).at("test_loss").get<double>(),
              scores.rows.at(0).at("test_loss").get<double>(), 1e-5);
}

TEST_F(ScriptModel, DrawsTheSameRandomNumbersInEveryRun) {
  EXPECT_EQ(without_seconds(learns(train("dropout")).rows),
            without_seconds(learns(train("dropout")).rows));
}

TEST_F(ScriptModel, TrainsNothingThatIsFrozen) {
  learns(train("frozen") + Arguments{"--run-dir", at("frozen")});
  EXPECT_THAT(tensor_names(at("frozen/model.safetensors")),
              UnorderedElementsAre("features.1.running_mean", "features.1.running_var",
                                   "classifier.weight", "classifier.bias"));
}

TEST_F(ScriptModel, IsRefusedInASentenceWhereItDoesNotFit) {
  EXPECT_THAT(refusal_of(train("plain") + Arguments{"--input-shape", "1x28x28"}),
              AllOf(HasSubstr("plain.pt takes pictures of 1x28x28"), HasSubstr("are 1x12x12")));
  EXPECT_THAT(refusal_of(train("of_large_pictures")),
              AllOf(HasSubstr("takes pictures of 3x32x32"), HasSubstr("are 1x12x12")));
  EXPECT_THAT(refusal_of(train("of_unknown_loss")), HasSubstr("hinge"));
  EXPECT_THAT(refusal_of(train("of_three_classes")), HasSubstr("at least 4 scores"));
  EXPECT_THAT(refusal_of(train("all_frozen")), HasSubstr("no parameters to train"));
  EXPECT_THAT(refusal_of(train("of_doubles")),
              AllOf(HasSubstr("'features.0.weight' is of Double"), HasSubstr(".float()")));
  EXPECT_THAT(refusal_of(train("state_dict")), HasSubstr("torch.jit.script(model).save"));
  EXPECT_THAT(refusal_of(train("nowhere")), HasSubstr("nowhere.pt is not there"));
  const TemporaryFolder smaller;
  write_pictures(smaller, 8);
  EXPECT_THAT(refusal_of(train("plain") + Arguments{"--data", smaller.path()}),
              HasSubstr("plain.pt does not take pictures of 1x8x8"));
}

}  // namespace
}  // namespace gossamer::testing
