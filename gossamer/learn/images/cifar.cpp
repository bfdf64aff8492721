#include "gossamer/learn/images/cifar.hpp"

#include <fmt/format.h>

#include "gossamer/learn/images/packed_file.hpp"

namespace gossamer {
namespace {

constexpr ImageShape kShape{3, 32, 32};
constexpr std::size_t kClasses = 10;

Result<void> append(const std::string& plain_path, ImageSet& set) {
  const std::string path = packed_path(plain_path);
  const Result<std::vector<std::uint8_t>> bytes = read_packed_file(path);
  if (!bytes) return bytes.error();
  const std::size_t record = 1 + kShape.size();
  if (bytes.value().empty() || bytes.value().size() % record != 0) {
    return Error{fmt::format("{}: {} bytes are not a whole number of records of {}", path,
                             bytes.value().size(), record)};
  }
  const std::span<const std::uint8_t> all(bytes.value());
  for (std::size_t begin = 0; begin < all.size(); begin += record) {
    const std::uint8_t label = all[begin];
    if (label >= kClasses) {
      return Error{fmt::format("{}: record {} has class {}, and there are {}", path, begin / record,
                               label, kClasses)};
    }
    set.labels.push_back(label);
    const auto pixels = all.subspan(begin + 1, kShape.size());
    set.pixels.insert(set.pixels.end(), pixels.begin(), pixels.end());
  }
  return {};
}

}  // namespace

Result<ImageSet> read_cifar10(const std::string& folder, Split split) {
  ImageSet set{kShape, kClasses, {}, {}};
  if (split == Split::kTest) {
    if (const Result<void> read = append(folder + "/test_batch.bin", set); !read)
      return read.error();
    return set;
  }
  for (int batch = 1; batch <= 5; ++batch) {
    const Result<void> read = append(fmt::format("{}/data_batch_{}.bin", folder, batch), set);
    if (!read) return read.error();
  }
  return set;
}

}  // namespace gossamer
