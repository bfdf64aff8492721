#include "gossamer/learn/images/idx.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "gossamer/base/bytes.hpp"
#include "gossamer/learn/images/packed_file.hpp"

namespace gossamer {
namespace {

// Numbers of an IDX header are big-endian.
std::size_t read_size(ByteReader& in) {
  std::size_t size = 0;
  for (const std::uint8_t byte : in.read_bytes(4))
    size = size << 8 | byte;
  return size;
}

Result<std::vector<std::size_t>> parse_sizes(ByteView header, std::size_t dimensions) {
  std::vector<std::size_t> sizes;
  ByteReader in(header);
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
      sizes.push_back(read_size(in));
  } catch (const CorruptMessage&) {
    return Error{"it is shorter than its header"};
  }
  std::size_t count = 1;
  for (const std::size_t size : sizes) {
    if (size > 0 && count > (std::size_t{1} << 40) / size) return Error{"its sizes are impossible"};
    count *= size;
  }
  return sizes;
}

/// An IDX file of bytes: the sizes of its dimensions, and the numbers behind them. The header is
/// judged before any of these is read, and no more is read than it promises.
class IdxFile {
 public:
  static Result<IdxFile> open(const std::string& folder, const std::string& name,
                              std::size_t dimensions) {
    const std::string path = packed_path(folder + "/" + name);
    Result<PackedFile> file = PackedFile::open(path);
    if (!file) return file.error();
    const auto header = file.value().read(4 + 4 * dimensions);
    if (!header) return header.error();
    Result<std::vector<std::size_t>> sizes = parse_sizes(header.value(), dimensions);
    if (!sizes) return Error{fmt::format("{}: {}", path, sizes.error().message)};
    return IdxFile(path, std::move(file).value(), std::move(sizes).value());
  }

  [[nodiscard]] const std::vector<std::size_t>& sizes() const { return sizes_; }

  /// Once.
  [[nodiscard]] Result<std::vector<std::uint8_t>> values() {
    std::size_t count = 1;
    for (const std::size_t size : sizes_)
      count *= size;
    Result<std::vector<std::uint8_t>> values = file_.read(count);
    if (!values) return values;
    const auto rest = file_.read(1);
    if (!rest) return rest;
    if (values.value().size() == count && rest.value().empty()) return values;
    return Error{fmt::format(
        "{}: its header promises {} bytes, and {} follow", path_, count,
        rest.value().empty() ? fmt::format("{}", values.value().size()) : std::string("more"))};
  }

 private:
  IdxFile(std::string path, PackedFile file, std::vector<std::size_t> sizes)
      : path_(std::move(path)), file_(std::move(file)), sizes_(std::move(sizes)) {}

  std::string path_;
  PackedFile file_;
  std::vector<std::size_t> sizes_;
};

}  // namespace

Result<ImageSet> read_idx(const std::string& folder, Split split) {
  const std::string part = split == Split::kTrain ? "train" : "t10k";
  Result<IdxFile> images = IdxFile::open(folder, part + "-images-idx3-ubyte", 3);
  if (!images) return images.error();
  Result<IdxFile> labels = IdxFile::open(folder, part + "-labels-idx1-ubyte", 1);
  if (!labels) return labels.error();
  const std::vector<std::size_t>& sizes = images.value().sizes();
  if (sizes[0] != labels.value().sizes()[0]) {
    return Error{fmt::format("{}: {} has {} pictures and {} labels", folder, part, sizes[0],
                             labels.value().sizes()[0])};
  }
  Result<std::vector<std::uint8_t>> classes = labels.value().values();
  if (!classes) return classes.error();
  Result<std::vector<std::uint8_t>> pixels = images.value().values();
  if (!pixels) return pixels.error();
  ImageSet set;
  set.shape = {1, sizes[1], sizes[2]};
  set.pixels = std::move(pixels).value();
  set.labels = std::move(classes).value();
  if (!set.labels.empty()) set.classes = std::size_t{1} + std::ranges::max(set.labels);
  return set;
}

}  // namespace gossamer
