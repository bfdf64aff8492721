#include "gossamer/learn/images/image_folder.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <limits>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "gossamer/base/file.hpp"
#include "gossamer/learn/images/decode_picture.hpp"

namespace gossamer {
namespace {

namespace fs = std::filesystem;

bool is_picture(const fs::path& path) {
  std::string extension = path.extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  constexpr std::array<std::string_view, 3> kExtensions{".png", ".jpg", ".jpeg"};
  return std::ranges::find(kExtensions, extension) != kExtensions.end();
}

enum class Kind { kFolders, kPictures };

// The names of what a folder holds of one kind, sorted.
Result<std::vector<std::string>> names_in(const std::string& folder, Kind kind) {
  std::vector<std::string> names;
  std::error_code failure;
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    std::string name = entry->path().filename().string();
    if (name.starts_with('.')) continue;
    std::error_code unknown;
    const bool is_folder = entry->is_directory(unknown);
    if (kind == Kind::kFolders ? is_folder : !is_folder && is_picture(entry->path()))
      names.push_back(std::move(name));
  }
  if (failure)
    return Error{fmt::format("cannot read the folder '{}': {}", folder, failure.message())};
  std::ranges::sort(names);
  return names;
}

// A grey picture has the same three colours.
void turn_into_rgb(ImageSet& set) {
  if (set.shape.channels == 3) return;
  const std::size_t plane = set.shape.size();
  std::vector<std::uint8_t> pixels;
  pixels.reserve(3 * set.pixels.size());
  for (auto begin = set.pixels.begin(); begin != set.pixels.end();
       begin += static_cast<std::ptrdiff_t>(plane)) {
    for (int channel = 0; channel < 3; ++channel)
      pixels.insert(pixels.end(), begin, begin + static_cast<std::ptrdiff_t>(plane));
  }
  set.pixels = std::move(pixels);
  set.shape.channels = 3;
}

// One part of the data: where it lies, and its classes, sorted.
struct Part {
  std::string folder;
  std::vector<std::string> classes;
};

Result<Part> open_part(const std::string& folder) {
  Result<std::vector<std::string>> names = names_in(folder, Kind::kFolders);
  if (!names) return names.error();
  if (names.value().empty())
    return Error{fmt::format("'{}' has no folders; each class needs one", folder)};
  constexpr std::size_t kMostClasses = std::numeric_limits<std::uint8_t>::max() + 1;
  if (names.value().size() > kMostClasses) {
    return Error{fmt::format("'{}' has {} class folders, and at most {} are possible", folder,
                             names.value().size(), kMostClasses)};
  }
  return Part{folder, std::move(names).value()};
}

Result<void> expect_classes(const Part& of, const Part& in) {
  for (const std::string& name : of.classes) {
    if (std::ranges::binary_search(in.classes, name)) continue;
    return Error{
        fmt::format("'{}' has the class folder '{}', and '{}' has not; both parts need "
                    "the same classes",
                    of.folder, name, in.folder)};
  }
  return {};
}

// Reads one part after the other, picture by picture; all must have the size of the very first.
class Reader {
 public:
  Result<ImageSet> read(const Part& part) {
    ImageSet set;
    set.classes = part.classes.size();
    for (std::size_t label = 0; label < set.classes; ++label) {
      const std::string folder = part.folder + "/" + part.classes[label];
      const Result<std::vector<std::string>> names = names_in(folder, Kind::kPictures);
      if (!names) return names.error();
      if (names.value().empty()) {
        return Error{fmt::format("the class folder '{}' has no .png, .jpg or .jpeg files", folder)};
      }
      for (const std::string& name : names.value()) {
        if (const Result<void> added = add(fmt::format("{}/{}", folder, name), set); !added)
          return added.error();
        set.labels.push_back(static_cast<std::uint8_t>(label));
      }
    }
    return set;
  }

 private:
  Result<void> add(const std::string& path, ImageSet& set) {
    const Result<std::vector<std::uint8_t>> bytes = read_file(path);
    if (!bytes) return bytes.error();
    const Result<Picture> decoded = decode_picture(bytes.value());
    if (!decoded) return Error{fmt::format("{}: {}", path, decoded.error().message)};
    const auto& [shape, pixels] = decoded.value();
    if (first_.empty()) {
      first_ = path;
      first_shape_ = shape;
    }
    if (shape.height != first_shape_.height || shape.width != first_shape_.width) {
      return Error{fmt::format(
          "{}: it has {} x {} pixels, and '{}' has {} x {}; all pictures must "
          "have one size",
          path, shape.width, shape.height, first_, first_shape_.width, first_shape_.height)};
    }
    if (set.labels.empty()) set.shape = shape;
    if (shape.channels == 3) turn_into_rgb(set);
    const std::size_t copies = set.shape.channels / shape.channels;
    for (std::size_t copy = 0; copy < copies; ++copy)
      set.pixels.insert(set.pixels.end(), pixels.begin(), pixels.end());
    return {};
  }

  std::string first_;
  ImageShape first_shape_;
};

}  // namespace

Result<ImageData> read_image_folder(const std::string& folder) {
  const Result<Part> train_part = open_part(folder + "/train");
  if (!train_part) return train_part.error();
  const Result<Part> test_part = open_part(folder + "/test");
  if (!test_part) return test_part.error();
  for (const Result<void>& same : {expect_classes(train_part.value(), test_part.value()),
                                   expect_classes(test_part.value(), train_part.value())}) {
    if (!same) return same.error();
  }

  Reader reader;
  Result<ImageSet> train = reader.read(train_part.value());
  if (!train) return train.error();
  Result<ImageSet> test = reader.read(test_part.value());
  if (!test) return test.error();
  ImageData data{std::move(train).value(), std::move(test).value()};
  if (data.train.shape != data.test.shape) {
    turn_into_rgb(data.train);
    turn_into_rgb(data.test);
  }
  return data;
}

}  // namespace gossamer
