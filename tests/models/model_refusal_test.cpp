// What networks and their data can be refused for, each in one sentence.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/models/model_runs.hpp"
#include "tests/support/model_data.hpp"
#include "tests/support/temporary_folder.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class ModelRefusal : public ::testing::Test {
 protected:
  ModelRefusal() { write_idx_pictures(pictures(), {.side = 8}); }

  [[nodiscard]] std::string pictures() const { return folder_.path("pictures"); }

  [[nodiscard]] std::string path(const std::string& inside) const { return folder_.path(inside); }

  [[nodiscard]] static std::string bytes_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  [[nodiscard]] static std::string refused(const RunSettings& settings) {
    const auto made = try_model_experiment(RunSettings{{"algorithm", "dpsgd"}} + settings);
    if (made) return "not refused";
    EXPECT_EQ(std::ranges::count(made.error().message, '\n'), 0) << made.error().message;
    return made.error().message;
  }

  [[nodiscard]] std::string model_refused(const std::string& model) const {
    return refused({{"data", pictures()}, {"model", model}});
  }

  [[nodiscard]] static std::string data_refused(const std::string& data) {
    return refused({{"model", "mlp:8"}, {"data", data}});
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(ModelRefusal, OfModelsThatDoNotExistOrDoNotFit) {
  EXPECT_THAT(model_refused("resnet2"), AllOf(HasSubstr("'resnet2'"), HasSubstr("resnet20")));
  EXPECT_THAT(model_refused("lenet"), HasSubstr("8 x 8 are too small for it; take mlp"));
  EXPECT_THAT(model_refused("mlp:8/x"), HasSubstr("as mlp:256/128, not '8/x'"));
  EXPECT_THAT(model_refused("resnet20:norm=layer"), HasSubstr("batch or group, not 'layer'"));
  EXPECT_THAT(model_refused("cnn:depth=3"), HasSubstr("depth"));
  EXPECT_THAT(model_refused("lstm"), HasSubstr("train.txt"));
}

// Of pictures of 4 x 4 one pixel is left in the last stage: a batch of one has no variance there.
TEST_F(ModelRefusal, OfBatchNormOverASingleNumber) {
  write_idx_pictures(path("tiny"), {.side = 4});
  const RunSettings train = {{"data", path("tiny")}, {"model", "resnet20"}};
  EXPECT_THAT(refused(train + RunSettings{{"batch", "1"}}),
              HasSubstr("resnet20 does not take pictures of 1x4x4 in batches of 1"));
  EXPECT_EQ(refused(train + RunSettings{{"batch", "2"}}), "not refused");
}

TEST_F(ModelRefusal, OfFilesThatAreNoTorchScript) {
  EXPECT_THAT(model_refused(path("missing.pt")), HasSubstr("missing.pt is not there"));
  EXPECT_THAT(model_refused(path("no/ending")), HasSubstr("no/ending is not there"));
  write_text(path("noise.pt"), std::string(1000, '\x5A'));
  EXPECT_THAT(
      model_refused(path("noise.pt")),
      AllOf(HasSubstr("noise.pt is not a TorchScript file"), HasSubstr("torch.jit.script")));
  // Begins as the archive that it should be.
  write_text(path("cut.pt"), "PK\x03\x04" + std::string(100, '\0'));
  EXPECT_THAT(model_refused(path("cut.pt")), HasSubstr("cut.pt is not a TorchScript file"));
}

TEST_F(ModelRefusal, OfPicturesThatAreMissingOrDamaged) {
  EXPECT_THAT(data_refused(path("nothing")), HasSubstr("nothing' is neither a folder"));
  std::filesystem::create_directories(path("empty"));
  EXPECT_THAT(data_refused(path("empty")), HasSubstr("in no form that is known"));
  const std::string images = pictures() + "/train-images-idx3-ubyte";
  const std::string whole = bytes_of(images);
  write_text(images, whole.substr(0, whole.size() / 2));
  EXPECT_THAT(data_refused(pictures()), AllOf(HasSubstr("train-images"), HasSubstr("promises")));
  write_text(images, whole);
  std::filesystem::remove(pictures() + "/train-labels-idx1-ubyte");
  EXPECT_THAT(data_refused(pictures()), HasSubstr("train-labels"));
}

TEST_F(ModelRefusal, OfLabelsThatAreOutOfRange) {
  const std::string labels = pictures() + "/t10k-labels-idx1-ubyte";
  std::string bytes = bytes_of(labels);
  bytes.back() = 12;
  write_text(labels, bytes);
  EXPECT_THAT(data_refused(pictures()), AllOf(HasSubstr("t10k-labels"), HasSubstr("class 12")));

  write_cifar_pictures(path("cifar"), {.train = 10, .test = 2});
  const std::string batch = path("cifar/data_batch_2.bin");
  bytes = bytes_of(batch);
  bytes.front() = 12;
  write_text(batch, bytes);
  EXPECT_THAT(data_refused(path("cifar")), AllOf(HasSubstr("data_batch_2"), HasSubstr("class 12")));
}

TEST_F(ModelRefusal, OfTextsThatAreMissingOrTooShort) {
  EXPECT_THAT(refused({{"model", "lstm"}}), HasSubstr("give --data FILE.txt"));
  EXPECT_THAT(refused({{"model", "lstm"}, {"data", path("none.txt")}}), HasSubstr("none.txt"));
  write_text(path("short.txt"), small_text({.lines = 10}));
  EXPECT_THAT(refused({{"model", "lstm"}, {"data", path("short.txt")}}),
              AllOf(HasSubstr("short.txt"), HasSubstr("tokens are too few")));
}

TEST_F(ModelRefusal, OfSettingsThatModelsDoNotHave) {
  const RunSettings train = {{"model", "mlp:8"}, {"data", pictures()}};
  const auto with = [&](const std::string& key, const std::string& value) {
    return refused(train + RunSettings{{key, value}});
  };
  EXPECT_THAT(with("batch", "full"), HasSubstr("give a number of samples"));
  EXPECT_THAT(with("batch", "99999999999"), HasSubstr("the data have 80, and a batch has at most"));
  EXPECT_THAT(with("l2", "0.1"), HasSubstr("weight-decay"));
  EXPECT_THAT(with("dim", "7"), HasSubstr("dim"));
  EXPECT_THAT(with("loss", "nll"), HasSubstr("TorchScript"));
  EXPECT_THAT(with("augment", "rotate"), HasSubstr("rotate"));
  EXPECT_THAT(with("nodes", "100"), HasSubstr("80 samples are too few for 100 nodes"));
  EXPECT_THAT(refused({{"task", "quadratic"}, {"epochs", "2"}}),
              HasSubstr("quadratic has no epochs: give rounds"));
}

}  // namespace
}  // namespace gossamer::testing
