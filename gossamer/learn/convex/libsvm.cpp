#include "gossamer/learn/convex/libsvm.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "gossamer/base/file.hpp"
#include "gossamer/base/text/parse_number.hpp"

namespace gossamer {
namespace {

// Beyond it a typing error is likelier than a model of half a gigabyte.
constexpr std::uint32_t kMostColumns = std::uint32_t{1} << 27;

// In pieces: files such as those of /proc do not know their size.
std::optional<std::string> read_all(const std::string& path) {
  constexpr std::size_t kFirstPiece = std::size_t{1} << 14;
  constexpr std::size_t kLargestPiece = std::size_t{1} << 22;
  std::ifstream file(path, std::ios::binary);
  std::string text;
  while (file) {
    const std::size_t size = text.size();
    const std::size_t piece = std::clamp(size, kFirstPiece, kLargestPiece);
    text.resize(size + piece);
    file.read(text.data() + size, static_cast<std::streamsize>(piece));
    text.resize(size + static_cast<std::size_t>(file.gcount()));
  }
  if (!file.eof()) return std::nullopt;
  return text;
}

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

// Cuts the next word off the front of a line; empty at its end.
std::string_view next_word(std::string_view& line) {
  std::size_t begin = 0;
  while (begin < line.size() && is_blank(line[begin]))
    ++begin;
  std::size_t end = begin;
  while (end < line.size() && !is_blank(line[end]))
    ++end;
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

// A finite number; unlike C++'s own rule it may begin with a plus, as labels do.
std::optional<double> parse_finite(std::string_view word) {
  if (word.starts_with('+') && !word.starts_with("+-")) word.remove_prefix(1);
  const auto value = parse_number<double>(word);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

/// Collects the rows of a file line by line, and names the line in every complaint.
class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path) {}

  [[nodiscard]] Result<Dataset> read() {
    if (const Result<void> regular = check_is_regular(path_); !regular) return regular.error();
    const std::optional<std::string> text = read_all(path_);
    if (!text) return Error{fmt::format("cannot read the data file '{}'", path_)};
    std::string_view rest = *text;
    while (!rest.empty()) {
      ++line_;
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      if (const Result<void> added = add_line(rest.substr(0, end)); !added) return added.error();
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (labels_.empty()) return Error{fmt::format("the data file '{}' has no samples", path_)};
    if (columns_ == 0) return Error{fmt::format("the data file '{}' has no features", path_)};
    return Dataset::from_rows(std::move(labels_), std::move(rows_), columns_);
  }

 private:
  [[nodiscard]] Error at_line(std::string_view sentence) const {
    return {fmt::format("{}:{}: {}", path_, line_, sentence)};
  }

  Result<void> add_line(std::string_view line) {
    line = line.substr(0, line.find('#'));
    const std::string_view word = next_word(line);
    if (word.empty()) return {};
    const auto label = parse_finite(word);
    if (!label) return at_line(fmt::format("a label is a finite number, not '{}'", word));
    if (labels_.size() == std::numeric_limits<std::uint32_t>::max())
      return at_line("a data file has below 2^32 samples");
    labels_.push_back(*label);

    std::uint32_t last = 0;
    for (std::string_view item = next_word(line); !item.empty(); item = next_word(line)) {
      if (Result<void> added = add_feature(item, last); !added) return added;
      last = rows_.columns.back() + 1;
    }
    rows_.begins.push_back(rows_.values.size());
    columns_ = std::max<std::size_t>(columns_, last);
    return {};
  }

  // `last` is the index before this one; 0 at the beginning of a line.
  Result<void> add_feature(std::string_view item, std::uint32_t last) {
    const std::size_t colon = item.find(':');
    if (colon == std::string_view::npos)
      return at_line(fmt::format("a feature is written index:value, not '{}'", item));
    const auto index = parse_number<std::uint32_t>(item.substr(0, colon));
    if (!index || *index == 0 || *index > kMostColumns) {
      return at_line(fmt::format("an index is a whole number from 1 to {}, not '{}'", kMostColumns,
                                 item.substr(0, colon)));
    }
    if (*index <= last)
      return at_line(fmt::format("indices must grow along a line: {} follows {}", *index, last));
    const auto value = parse_finite(item.substr(colon + 1));
    if (!value || std::abs(*value) > std::numeric_limits<float>::max()) {
      return at_line(
          fmt::format("the value of feature {} must be a number that fits a float, not '{}'",
                      *index, item.substr(colon + 1)));
    }
    rows_.columns.push_back(*index - 1);
    rows_.values.push_back(static_cast<float>(*value));
    return {};
  }

  const std::string& path_;
  std::size_t line_ = 0;
  std::vector<double> labels_;
  SparseRows rows_;
  std::size_t columns_ = 0;
};

}  // namespace

Result<Dataset> read_libsvm(const std::string& path) {
  return Reader(path).read();
}

}  // namespace gossamer
