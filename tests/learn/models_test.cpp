#include "gossamer/learn/models.hpp"

#include <set>
#include <string>

#include "tests/learn/task_fixtures.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer::testing {
namespace {

TEST(Models, AreListedOnceWithASentenceAndAnExampleOfTheirOwn) {
  std::set<std::string_view> names;
  for (const ModelInfo& info : models()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_FALSE(info.summary.empty()) << info.name;
    EXPECT_EQ(find_model(info.example).value().name, info.name);
  }
}

TEST(Models, AreFoundByTheirNameWithAndWithoutOptions) {
  EXPECT_EQ(find_model("mlp:256/128").value().name, "mlp");
  EXPECT_EQ(find_model("lstm").value().input, ModelInput::kText);
  EXPECT_EQ(find_model("lstm:hidden=650").value().input, ModelInput::kText);
  EXPECT_EQ(find_model("resnet20").value().input, ModelInput::kPictures);
}

TEST(Models, OfTheUsersOwnAreFiles) {
  for (const char* const file : {"net.pt", "net.pth", "models/net", "/far/away.pt"}) {
    EXPECT_TRUE(is_script_file(file)) << file;
    EXPECT_EQ(find_model(file).value().name, "FILE.pt");
  }
  EXPECT_FALSE(is_script_file("mlp:256/128"));
}

// By a build without torch as well: the name is looked at first.
TEST(Models, ThatDoNotExistGetTheNearestSuggested) {
  EXPECT_EQ(refusal({.task = "network", .model = "resnet2"}),
            "unknown model 'resnet2'; did you mean 'resnet20'? Valid: softmax, mlp, lenet, cnn, "
            "resnet20, lstm, FILE.pt");
  EXPECT_EQ(refusal({.task = "network", .model = "lstmm:hidden=3"}),
            "unknown model 'lstmm'; did you mean 'lstm'? Valid: softmax, mlp, lenet, cnn, "
            "resnet20, lstm, FILE.pt");
}

}  // namespace
}  // namespace gossamer::testing
