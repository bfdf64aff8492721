#include "gossamer/experiment/consensus_data.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>

#include <fmt/format.h>

#include "gossamer/base/file.hpp"
#include "gossamer/base/portable_math.hpp"
#include "gossamer/base/rng.hpp"
#include "gossamer/base/text/parse_number.hpp"
#include "gossamer/math/kernels/orthogonalize.hpp"

namespace gossamer {
namespace {

using Rows = std::vector<std::vector<float>>;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r";
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

Result<std::vector<float>> parse_row(std::string_view line) {
  std::vector<float> row;
  for (bool more = true; more;) {
    const std::size_t comma = line.find(',');
    const std::string_view cell = trimmed(line.substr(0, comma));
    const std::optional<float> value = parse_number<float>(cell);
    if (!value || !std::isfinite(*value)) {
      return Error{
          fmt::format("number {} must be a finite number, not '{}'", row.size() + 1, cell)};
    }
    row.push_back(*value);
    more = comma != std::string_view::npos;
    if (more) line.remove_prefix(comma + 1);
  }
  return row;
}

Result<Rows> read_csv(const std::string& path) {
  if (const Result<void> regular = check_is_regular(path); !regular) return regular.error();
  std::ifstream file(path);
  if (!file) return Error{fmt::format("cannot read '{}'", path)};
  Rows rows;
  std::string line;
  for (std::size_t number = 1; std::getline(file, line); ++number) {
    if (trimmed(line).empty()) continue;
    Result<std::vector<float>> row = parse_row(line);
    if (!row) return Error{fmt::format("{}: line {}: {}", path, number, row.error().message)};
    if (!rows.empty() && row.value().size() != rows.front().size()) {
      return Error{fmt::format("{}: line {} has {} numbers, and the first row {}", path, number,
                               row.value().size(), rows.front().size())};
    }
    rows.push_back(std::move(row).value());
  }
  if (file.bad()) return Error{fmt::format("cannot read '{}'", path)};
  return rows;
}

std::vector<float> normal_numbers(const RngKey& key, std::size_t size) {
  std::vector<float> numbers(size);
  Rng rng(key);
  for (float& number : numbers)
    number = static_cast<float>(rng.normal());
  return numbers;
}

RngKey first_model_key(const RunConfig& config, NodeId id) {
  return {.seed = config.seed, .purpose = Purpose::kInit, .node = id};
}

Rows normal_rows(const RunConfig& config, std::size_t size) {
  Rows rows;
  for (NodeId id = 0; id < config.nodes; ++id)
    rows.push_back(normal_numbers(first_model_key(config, id), size));
  return rows;
}

// `rank` random orthonormal columns, one after the other.
std::vector<float> orthonormal_columns(const RngKey& key, std::size_t length, std::size_t rank) {
  std::vector<float> columns = normal_numbers(key, length * rank);
  orthogonalize(Vec(columns.data(), static_cast<Eigen::Index>(columns.size())), rank);
  return columns;
}

// U diag(1 / k^decay) V^T for each node, with its own random U and V.
Rows decaying_rows(const RunConfig& config, const Block& matrix) {
  const std::size_t height = matrix.shape.front();
  const std::size_t width = matrix.shape.back();
  const std::size_t rank = std::min(height, width);
  Rows rows(config.nodes, std::vector<float>(height * width, 0.0f));
  for (NodeId id = 0; id < config.nodes; ++id) {
    const RngKey key = first_model_key(config, id);
    const std::vector<float> u = orthonormal_columns(key.for_block(0), height, rank);
    const std::vector<float> v = orthonormal_columns(key.for_block(1), width, rank);
    for (std::size_t k = 0; k < rank; ++k) {
      // Not std::pow, whose last bit differs between machines.
      const double log_k = portable_log(static_cast<double>(k + 1));
      const auto singular_value = static_cast<float>(portable_exp(-*config.decay * log_k));
      for (std::size_t i = 0; i < height; ++i) {
        const float scaled = singular_value * u[k * height + i];
        for (std::size_t j = 0; j < width; ++j)
          rows[id][i * width + j] += scaled * v[k * width + j];
      }
    }
  }
  return rows;
}

Result<Layout> layout_of(const RunConfig& config, std::size_t size) {
  if (config.matrix.empty()) return Layout::flat(size);
  const std::size_t cross = config.matrix.find('x');
  const std::string_view text = config.matrix;
  const auto rows = parse_number<std::size_t>(text.substr(0, cross));
  const auto columns = parse_number<std::size_t>(
      cross == std::string_view::npos ? std::string_view{} : text.substr(cross + 1));
  constexpr std::size_t kMost = std::size_t{1} << 31;
  if (!rows || !columns || *rows == 0 || *columns == 0) {
    return Error{
        fmt::format("matrix must be rows and columns, as 100x100, not '{}'", config.matrix)};
  }
  if (*rows > kMost / *columns)
    return Error{fmt::format("a matrix of {} has more than 2^31 numbers", config.matrix)};
  Layout layout;
  layout.add("matrix", {*rows, *columns});
  return layout;
}

}  // namespace

Result<NodeId> count_consensus_rows(const std::string& path) {
  const Result<Rows> rows = read_csv(path);
  if (!rows) return rows.error();
  return static_cast<NodeId>(rows.value().size());
}

Result<ConsensusData> make_consensus_data(const RunConfig& config) {
  const bool sized = config.dim > 0;
  if (config.data.empty() && config.matrix.empty() && !sized) {
    return Error{
        "consensus needs something to agree on: a length (dim), a shape (matrix) or a file "
        "(data)"};
  }
  if (sized && (!config.matrix.empty() || !config.data.empty())) {
    return Error{"dim is the length of random vectors: leave it out beside matrix and data"};
  }
  if (config.decay && (config.matrix.empty() || !config.data.empty()))
    return Error{"decay is about random matrices: it needs a shape (matrix) and no file (data)"};
  Rows rows;
  if (!config.data.empty()) {
    Result<Rows> read = read_csv(config.data);
    if (!read) return read.error();
    rows = std::move(read).value();
    if (rows.size() != config.nodes) {
      return Error{fmt::format("{} has {} rows, one per node, and the run has {} nodes",
                               config.data, rows.size(), config.nodes)};
    }
  }
  const Result<Layout> layout = layout_of(config, rows.empty() ? config.dim : rows.front().size());
  if (!layout) return layout.error();
  if (rows.empty()) {
    rows = config.decay ? decaying_rows(config, layout.value().blocks().front())
                        : normal_rows(config, layout.value().size());
  }
  if (rows.front().size() != layout.value().size()) {
    return Error{fmt::format("{} has rows of {} numbers, and a matrix of {} has {}", config.data,
                             rows.front().size(), config.matrix, layout.value().size())};
  }
  ConsensusData data{layout.value(), {}};
  for (const std::vector<float>& row : rows) {
    FloatBuffer& model = data.models.emplace_back(row.size());
    std::copy(row.begin(), row.end(), model.data());
  }
  return data;
}

}  // namespace gossamer
