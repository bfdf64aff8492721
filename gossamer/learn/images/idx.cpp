#include "gossamer/learn/images/idx.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gossamer/base/bytes.hpp"
#include "gossamer/learn/images/packed_file.hpp"

namespace gossamer {
namespace {

/// An IDX file of bytes: the sizes of its dimensions, and the numbers behind them.
struct IdxFile {
  std::vector<std::size_t> sizes;
  std::vector<std::uint8_t> values;
};

// Numbers of an IDX header are big-endian.
std::size_t read_size(ByteReader& in) {
  std::size_t size = 0;
  for (const std::uint8_t byte : in.read_bytes(4))
    size = size << 8 | byte;
  return size;
}

Result<IdxFile> parse(std::vector<std::uint8_t> bytes, std::size_t dimensions) {
  IdxFile file;
  ByteReader in{ByteView(bytes)};
  try {
    const std::size_t magic = read_size(in);
    // Two zero bytes, the type (8: unsigned bytes), the number of dimensions.
    const std::size_t expected = 0x0800 | dimensions;
    if (magic != expected) {
      return Error{
          fmt::format("it begins with {:#010x}, and an IDX file of {} dimensions of bytes "
                      "with {:#010x}",
                      magic, dimensions, expected)};
    }
    for (std::size_t i = 0; i < dimensions; ++i)
      file.sizes.push_back(read_size(in));
  } catch (const CorruptMessage&) {
    return Error{"it is shorter than its header"};
  }
  std::size_t count = 1;
  for (const std::size_t size : file.sizes) {
    if (size > 0 && count > (std::size_t{1} << 40) / size) return Error{"its sizes are impossible"};
    count *= size;
  }
  if (in.remaining() != count) {
    return Error{fmt::format("its header promises {} bytes, and {} follow", count, in.remaining())};
  }
  file.values = std::move(bytes);
  const std::size_t header = file.values.size() - count;
  file.values.erase(file.values.begin(), file.values.begin() + static_cast<std::ptrdiff_t>(header));
  return file;
}

Result<IdxFile> read(const std::string& folder, const std::string& name, std::size_t dimensions) {
  const std::string path = packed_path(folder + "/" + name);
  Result<std::vector<std::uint8_t>> bytes = read_packed_file(path);
  if (!bytes) return bytes.error();
  Result<IdxFile> file = parse(std::move(bytes).value(), dimensions);
  if (!file) return Error{fmt::format("{}: {}", path, file.error().message)};
  return file;
}

}  // namespace

Result<ImageSet> read_idx(const std::string& folder, Split split) {
  const std::string part = split == Split::kTrain ? "train" : "t10k";
  Result<IdxFile> images = read(folder, part + "-images-idx3-ubyte", 3);
  if (!images) return images.error();
  Result<IdxFile> labels = read(folder, part + "-labels-idx1-ubyte", 1);
  if (!labels) return labels.error();
  const std::vector<std::size_t>& sizes = images.value().sizes;
  if (sizes[0] != labels.value().sizes[0]) {
    return Error{fmt::format("{}: {} has {} pictures and {} labels", folder, part, sizes[0],
                             labels.value().sizes[0])};
  }
  ImageSet set;
  set.shape = {1, sizes[1], sizes[2]};
  set.pixels = std::move(images.value().values);
  set.labels = std::move(labels.value().values);
  if (!set.labels.empty()) set.classes = std::size_t{1} + std::ranges::max(set.labels);
  return set;
}

}  // namespace gossamer
