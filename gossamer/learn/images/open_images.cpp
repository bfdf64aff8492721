#include "gossamer/learn/images/open_images.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "gossamer/learn/images/cifar.hpp"
#include "gossamer/learn/images/idx.hpp"
#include "gossamer/learn/images/image_folder.hpp"
#include "gossamer/learn/images/packed_file.hpp"

namespace gossamer {
namespace {

bool exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

template <Result<ImageSet> (*read)(const std::string&, Split)>
Result<ImageData> read_parts(const std::string& folder) {
  Result<ImageSet> train = read(folder, Split::kTrain);
  if (!train) return train.error();
  Result<ImageSet> test = read(folder, Split::kTest);
  if (!test) return test.error();
  return ImageData{std::move(train).value(), std::move(test).value()};
}

// A form of data: what shows that a folder has it, and who reads it.
struct Form {
  std::string_view sign;
  std::string_view description;
  /// Where the labels of the test part are.
  std::string_view test_labels;
  Result<ImageData> (*read)(const std::string& folder);
};

constexpr std::array<Form, 3> kForms{{
    {"train-images-idx3-ubyte", "IDX", "t10k-labels-idx1-ubyte", &read_parts<read_idx>},
    {"data_batch_1.bin", "CIFAR-10", "test_batch.bin", &read_parts<read_cifar10>},
    {"train", "folders of classes", "test", &read_image_folder},
}};

// What every user of the pictures relies on, whatever file they are from.
Result<void> check(const std::string& folder, const Form& form, const ImageData& data) {
  const ImageSet& train = data.train;
  const ImageSet& test = data.test;
  for (const ImageSet* const part : {&train, &test}) {
    if (part->pixels.empty()) {
      return Error{fmt::format("{}: the {} part has no pictures", folder,
                               part == &train ? "train" : "test")};
    }
  }
  if (train.shape != test.shape) {
    const auto text = [](const ImageShape& shape) {
      return fmt::format("{} x {} x {}", shape.channels, shape.height, shape.width);
    };
    return Error{fmt::format("{}: pictures of the train part are {}, those of the test part {}",
                             folder, text(train.shape), text(test.shape))};
  }
  const auto beyond =
      std::ranges::find_if(test.labels, [&](std::uint8_t label) { return label >= train.classes; });
  if (beyond == test.labels.end()) return {};
  return Error{
      fmt::format("{}/{}: record {} has class {}, and those of the train part are below "
                  "{}",
                  folder, form.test_labels, beyond - test.labels.begin(), *beyond, train.classes)};
}

Result<ImageData> open_folder(const std::string& folder) {
  std::string looked_for;
  for (const Form& form : kForms) {
    looked_for +=
        fmt::format("{}'{}' ({})", looked_for.empty() ? "" : ", ", form.sign, form.description);
    if (!exists(packed_path(fmt::format("{}/{}", folder, form.sign)))) continue;
    Result<ImageData> data = form.read(folder);
    if (!data) return data;
    if (const Result<void> good = check(folder, form, data.value()); !good) return good.error();
    data.value().test.classes = data.value().train.classes;
    return data;
  }
  return Error{fmt::format("the folder '{}' has pictures in no form that is known: looked for {}",
                           folder, looked_for)};
}

// A set that a Debian package brings.
struct NamedSet {
  std::string_view name;
  std::string_view folder;
  std::string_view package;
};

constexpr std::array<NamedSet, 1> kNamedSets{{
    {"fashion-mnist", "/usr/share/datasets/fashion-mnist", "dataset-fashion-mnist"},
}};

}  // namespace

Result<ImageData> open_images(const std::string& data) {
  for (const NamedSet& set : kNamedSets) {
    if (data != set.name) continue;
    if (exists(std::string(set.folder))) return open_folder(std::string(set.folder));
    return Error{
        fmt::format("'{}' is not there: install Debian's package {}, or name a folder "
                    "that has the files",
                    set.name, set.package)};
  }
  std::error_code ignored;
  if (std::filesystem::is_directory(data, ignored)) return open_folder(data);
  return Error{
      fmt::format("'{}' is neither a folder nor a set of pictures that is known "
                  "(fashion-mnist)",
                  data)};
}

}  // namespace gossamer
