#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/model_data.hpp"
#include "tests/support/temporary_folder.hpp"
#include <fmt/format.h>

#include "gossamer/learn/registry.hpp"

namespace gossamer::testing {

// Data that all tests of a process share: written when first asked for, gone with the process.

inline std::string shared_idx(std::size_t side) {
  static const TemporaryFolder folder;
  std::string path = folder.path(fmt::format("{}", side));
  if (!std::filesystem::exists(path)) write_idx_pictures(path, {.side = side, .test = 20});
  return path;
}

inline std::string shared_cifar() {
  static const TemporaryFolder folder;
  if (std::filesystem::is_empty(folder.path()))
    write_cifar_pictures(folder.path(), {.train = 50, .test = 20});
  return folder.path();
}

inline std::string shared_text() {
  static const TemporaryFolder folder;
  std::string path = folder.path("text.txt");
  if (!std::filesystem::exists(path)) write_text(path, small_text({}));
  return path;
}

/// A network in one of its forms, with data that fit it.
struct ModelCase {
  std::string name;
  TaskSetup setup;
  /// How many numbers its model has, by hand.
  std::size_t parameters = 0;
  /// A learning rate with which it learns its data in a few steps.
  float lr = 0.1f;
};

inline void PrintTo(const ModelCase& tested, std::ostream* out) {
  *out << tested.name;
}

inline std::vector<ModelCase> model_cases() {
  const auto setup = [](std::string model, std::string data, std::size_t batch) {
    return TaskSetup{.task = "network",
                     .data = std::move(data),
                     .batch = batch,
                     .nodes = 2,
                     .model = std::move(model)};
  };
  const auto pictures = [&](std::string model, std::size_t side, std::size_t batch = 8) {
    return setup(std::move(model), shared_idx(side), batch);
  };
  const auto text = [&](std::string model) { return setup(std::move(model), shared_text(), 4); };
  TaskSetup augmented = pictures("cnn:width=4,hidden=16", 12);
  augmented.augment = "crop=1";
  return {
      // 144 * 10 + 10.
      {"Softmax", pictures("softmax", 12), 1'450, 0.1f},
      // 144 * 32 + 32 and 32 * 10 + 10.
      {"Mlp", pictures("mlp:32", 12), 4'970, 0.1f},
      // 144 * 16 + 16, 16 * 8 + 8 and 8 * 10 + 10.
      {"MlpDeep", pictures("mlp:16/8", 12), 2'546, 0.2f},
      // LeCun, Bottou, Bengio, Haffner, 1998, with all connections between its layers.
      {"Lenet", pictures("lenet", 28), 61'706, 0.05f},
      // 9 * 4 + 4, 4 * 9 * 8 + 8, 8 * 3 * 3 * 16 + 16 and 16 * 10 + 10.
      {"Cnn", pictures("cnn:width=4,hidden=16", 12), 1'674, 0.1f},
      {"CnnAugmented", augmented, 1'674, 0.1f},
      // 272,474 for three channels; the first convolution has 2 * 16 * 9 fewer for one.
      {"Resnet20Batch", pictures("resnet20", 8, 4), 272'186, 0.05f},
      {"Resnet20Group", pictures("resnet20:norm=group", 8, 4), 272'186, 0.05f},
      // V words, an embedding of e, h hidden units: V e; for each layer of i inputs 4 h (i + h) and
      // two biases of 4 h; h V + V scores, of which tied ones keep the last V. V = 20.
      {"Lstm", text("lstm:layers=2,hidden=16,embedding=6,length=5"),
       20 * 6 + (64 * (6 + 16) + 128) + (64 * 32 + 128) + 16 * 20 + 20, 5.0f},
      {"LstmTied", text("lstm:layers=2,hidden=16,embedding=16,length=5,tied"),
       20 * 16 + 2 * (64 * 32 + 128) + 20, 5.0f},
      {"LstmDropout", text("lstm:layers=1,hidden=16,embedding=6,length=5,dropout=0.1"),
       20 * 6 + (64 * (6 + 16) + 128) + 16 * 20 + 20, 5.0f}};
}

/// The task, or an exception that fails the test with the reason.
inline std::unique_ptr<Task> model_task(const TaskSetup& setup) {
  Result<std::unique_ptr<Task>> made = make_task(setup);
  if (!made) throw std::runtime_error(made.error().message);
  return std::move(made).value();
}

}  // namespace gossamer::testing
