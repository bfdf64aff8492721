#include "gossamer/store/safetensors.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gossamer/base/bytes.hpp"
#include "gossamer/base/contract.hpp"
#include "gossamer/base/file.hpp"

namespace gossamer {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kMetadataKey = "__metadata__";
constexpr std::size_t kLengthSize = sizeof(std::uint64_t);
constexpr std::size_t kAlignment = 8;
// As all readers of the format have it, so that a damaged length costs no memory.
constexpr std::uint64_t kLongestHeader = 100'000'000;

/// Why a file is none; said without its name, which is put in front.
class BadFile : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

template <typename... Parts>
[[noreturn]] void refuse(fmt::format_string<Parts...> text, Parts&&... parts) {
  throw BadFile(fmt::format(text, std::forward<Parts>(parts)...));
}

// Nothing if the product is too large to be that of a file.
std::optional<std::uint64_t> bytes_of_shape(std::span<const std::size_t> shape) {
  std::uint64_t bytes = sizeof(float);
  for (const std::size_t side : shape) {
    if (side != 0 && bytes > std::numeric_limits<std::uint64_t>::max() / side) return std::nullopt;
    bytes *= side;
  }
  return bytes;
}

std::string header_of(std::span<const NamedTensor> tensors, const TensorMetadata& metadata) {
  Json header = Json::object();
  for (const auto& [key, value] : metadata)
    header[std::string(kMetadataKey)][key] = value;
  std::uint64_t offset = 0;
  for (const NamedTensor& tensor : tensors) {
    expects(bytes_of_shape(tensor.shape) == tensor.values.size_bytes(),
            "a tensor has as many values as its shape");
    expects(tensor.name != kMetadataKey && !header.contains(tensor.name),
            "tensors of one file have names of their own");
    const std::uint64_t end = offset + tensor.values.size_bytes();
    header[tensor.name] = {
        {"dtype", "F32"}, {"shape", tensor.shape}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  // Text that is no UTF-8, a file's name for instance, must not cost anyone a model.
  std::string text = header.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.append((kAlignment - text.size() % kAlignment) % kAlignment, ' ');
  return text;
}

// The format allows no key twice, and the JSON library would keep the last one.
Json parse_header(std::string_view text) {
  std::vector<std::set<std::string>> keys;
  const auto notice = [&](int, Json::parse_event_t event, const Json& parsed) {
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    if (event == Json::parse_event_t::key && !keys.back().insert(parsed.get<std::string>()).second)
      refuse("its header has '{}' twice", parsed.get<std::string>());
    return true;
  };
  // Other readers insist on the brace too: a file can then be told from others by its ninth byte.
  if (!text.starts_with('{')) refuse("its header does not begin with '{{'");
  Json header = Json::parse(text, notice, false);
  if (!header.is_object()) refuse("its header is no JSON object");
  return header;
}

std::uint64_t number_in(const Json& json, std::string_view name, std::string_view field) {
  if (!json.is_number_unsigned())
    refuse("{} of tensor '{}' must hold whole numbers from 0 on", field, name);
  return json.get<std::uint64_t>();
}

/// A tensor as the header says it is.
struct Entry {
  std::string name;
  std::vector<std::size_t> shape;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

Entry read_entry(const std::string& name, const Json& json) {
  if (!json.is_object()) refuse("tensor '{}' is not described by an object", name);
  for (const auto& [key, value] : json.items()) {
    if (key != "dtype" && key != "shape" && key != "data_offsets")
      refuse("tensor '{}' has an unknown field '{}'", name, key);
  }
  for (const char* field : {"dtype", "shape", "data_offsets"}) {
    if (!json.contains(field)) refuse("tensor '{}' has no {}", name, field);
  }
  if (!json["dtype"].is_string()) refuse("the dtype of tensor '{}' is no text", name);
  if (const auto dtype = json["dtype"].get<std::string>(); dtype != "F32")
    refuse("tensor '{}' holds {} numbers, and only F32 is supported", name, dtype);

  Entry entry{.name = name, .shape = {}};
  if (!json["shape"].is_array()) refuse("the shape of tensor '{}' is no list", name);
  for (const Json& side : json["shape"])
    entry.shape.push_back(number_in(side, name, "the shape"));
  const Json& offsets = json["data_offsets"];
  if (!offsets.is_array() || offsets.size() != 2)
    refuse("the data_offsets of tensor '{}' are no pair", name);
  entry.begin = number_in(offsets[0], name, "the data_offsets");
  entry.end = number_in(offsets[1], name, "the data_offsets");
  if (entry.begin > entry.end) refuse("tensor '{}' ends before it begins", name);
  if (bytes_of_shape(entry.shape) != entry.end - entry.begin) {
    refuse("tensor '{}' of shape [{}] cannot have {} bytes", name, fmt::join(entry.shape, ", "),
           entry.end - entry.begin);
  }
  return entry;
}

TensorMetadata read_metadata(const Json& json) {
  if (!json.is_object()) refuse("its {} is no object", kMetadataKey);
  TensorMetadata metadata;
  for (const auto& [key, value] : json.items()) {
    if (!value.is_string()) refuse("'{}' in its {} is no text", key, kMetadataKey);
    metadata.emplace_back(key, value.get<std::string>());
  }
  return metadata;
}

// Each begins where the one before it ends, and the last one ends with the file.
void expect_no_gaps(std::span<const Entry> entries, std::uint64_t size) {
  std::uint64_t end = 0;
  for (const Entry& entry : entries) {
    if (entry.begin < end) refuse("tensor '{}' overlaps with the one before it", entry.name);
    if (entry.begin > end) refuse("nothing describes the bytes before tensor '{}'", entry.name);
    end = entry.end;
  }
  if (end > size) refuse("it is too short for its tensors: {} bytes are missing", end - size);
  if (end < size) refuse("{} bytes follow after its last tensor", size - end);
}

SafeTensors parse(ByteView file) {
  if (file.size() < kLengthSize) refuse("it is shorter than the length of a header");
  const auto length = ByteReader(file).read<std::uint64_t>();
  if (length > kLongestHeader)
    refuse("its header would have {} bytes, and {} are allowed", length, kLongestHeader);
  if (length > file.size() - kLengthSize)
    refuse("it ends in its header, which should have {} bytes", length);
  const ByteView header = file.subspan(kLengthSize, length);
  const ByteView data = file.subspan(kLengthSize + length);

  SafeTensors result;
  std::vector<Entry> entries;
  const Json json = parse_header({reinterpret_cast<const char*>(header.data()), header.size()});
  for (const auto& [name, value] : json.items()) {
    if (name == kMetadataKey) {
      result.metadata = read_metadata(value);
    } else {
      entries.push_back(read_entry(name, value));
    }
  }
  // An empty tensor lies before the one that begins at the same place.
  std::ranges::stable_sort(entries, {}, [](const Entry& e) { return std::pair(e.begin, e.end); });
  expect_no_gaps(entries, data.size());

  result.values.resize(data.size() / sizeof(float));
  if (!data.empty()) std::memcpy(result.values.data(), data.data(), data.size());
  for (Entry& entry : entries) {
    const std::span<const float> all(result.values);
    result.tensors.push_back(
        {std::move(entry.name), std::move(entry.shape),
         all.subspan(entry.begin / sizeof(float), (entry.end - entry.begin) / sizeof(float))});
  }
  return result;
}

}  // namespace

std::vector<NamedTensor> tensors_of(const Layout& layout, CVec x) {
  expects(static_cast<std::size_t>(x.size()) == layout.size(), "a model has its layout's size");
  std::vector<NamedTensor> tensors;
  for (const Block& block : layout.blocks())
    tensors.push_back({block.name, block.shape, {x.data() + block.offset, block.size}});
  return tensors;
}

Result<void> write_safetensors(const std::string& path, std::span<const NamedTensor> tensors,
                               const TensorMetadata& metadata) {
  const std::string header = header_of(tensors, metadata);
  ByteWriter out;
  out.write(static_cast<std::uint64_t>(header.size()));
  out.write_bytes(as_bytes(header));
  for (const NamedTensor& tensor : tensors) {
    const std::size_t bytes = tensor.values.size_bytes();
    if (bytes > 0) std::memcpy(out.extend(bytes).data(), tensor.values.data(), bytes);
  }
  return write_file(path, out.bytes());
}

Result<SafeTensors> read_safetensors(const std::string& path) {
  const Result<std::vector<std::uint8_t>> file = read_file(path);
  if (!file) return file.error();
  try {
    return parse(file.value());
  } catch (const BadFile& error) {
    return Error{
        fmt::format("'{}' is no safetensors file that can be read: {}", path, error.what())};
  }
}

}  // namespace gossamer
