// docs/topologies.md describes the format.
#include "gossamer/base/file.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "gossamer/base/text/parse_number.hpp"
#include "gossamer/topology/factory.hpp"
#include "gossamer/topology/graph.hpp"
#include "gossamer/topology/validate.hpp"
#include "gossamer/topology/weights.hpp"

namespace gossamer {
namespace {

constexpr double kRowTolerance = 1e-12;

std::vector<std::string_view> split_fields(std::string_view line) {
  constexpr std::string_view kBlanks = " \t\r";
  std::vector<std::string_view> fields;
  line = line.substr(0, line.find('#'));
  for (;;) {
    const std::size_t begin = line.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) return fields;
    line.remove_prefix(begin);
    const std::size_t length = std::min(line.find_first_of(kBlanks), line.size());
    fields.push_back(line.substr(0, length));
    line.remove_prefix(length);
  }
}

/// One edge as its line gives it.
struct Entry {
  NodeId from;
  NodeId to;
  std::optional<double> weight;
  std::size_t line;
  bool given_both_ways = false;
};

/// Reads a file of edges line by line and remembers where each came from, so that every complaint
/// names its line.
class EdgeList {
 public:
  EdgeList(std::string path, std::optional<NodeId> nodes) : path_(std::move(path)), nodes_(nodes) {}

  [[nodiscard]] Result<void> read() {
    if (const Result<void> regular = check_is_regular(path_); !regular) return regular;
    std::ifstream file(path_);
    if (!file) return Error{fmt::format("cannot open the graph file '{}'", path_)};
    std::string text;
    for (std::size_t line = 1; std::getline(file, text); ++line) {
      const std::vector<std::string_view> fields = split_fields(text);
      if (fields.empty()) continue;
      const Result<Entry> entry = parse_entry(fields, line);
      if (!entry) return entry.error();
      if (Result<void> added = add(entry.value()); !added) return added;
    }
    if (file.bad()) return Error{fmt::format("cannot read the graph file '{}'", path_)};
    if (edges_.empty() && nodes_ != NodeId{1})
      return Error{fmt::format("the graph file '{}' has no edges", path_)};
    return {};
  }

  [[nodiscard]] Graph graph() const {
    std::vector<NodePair> pairs;
    for (const auto& [pair, entry] : edges_)
      pairs.push_back(pair);
    return make_graph(std::max(nodes_.value_or(0), static_cast<NodeId>(first_lines_.size())),
                      std::move(pairs));
  }

  /// In the order of the graph's pairs; empty if the file gives none.
  [[nodiscard]] std::vector<double> weights() const {
    std::vector<double> weights;
    for (const auto& [pair, entry] : edges_) {
      if (entry.weight) weights.push_back(*entry.weight);
    }
    return weights;
  }

  [[nodiscard]] Error describe_unreachable(NodeId node) const {
    if (node < first_lines_.size() && first_lines_[node] != 0) {
      return at_line(first_lines_[node],
                     fmt::format("node {} cannot be reached from node 0", node));
    }
    return {
        fmt::format("{}: node {} cannot be reached from node 0: no line names it", path_, node)};
  }

 private:
  [[nodiscard]] Error at_line(std::size_t line, std::string_view sentence) const {
    return {fmt::format("{}:{}: {}", path_, line, sentence)};
  }

  [[nodiscard]] Result<NodeId> parse_node(std::string_view text, std::size_t line) const {
    const std::optional<NodeId> id = parse_number<NodeId>(text);
    if (!id || *id >= kMostNodes) {
      return at_line(line, fmt::format("a node is a whole number from 0 to {}, not '{}'",
                                       kMostNodes - 1, text));
    }
    if (nodes_ && *id >= *nodes_) {
      return at_line(line, fmt::format("node {} does not exist: --nodes says {}, counted from 0",
                                       *id, *nodes_));
    }
    return *id;
  }

  [[nodiscard]] Result<Entry> parse_entry(const std::vector<std::string_view>& fields,
                                          std::size_t line) const {
    if (fields.size() != 2 && fields.size() != 3) {
      return at_line(
          line, fmt::format("a line holds 'a b' or 'a b weight', not {} fields", fields.size()));
    }
    const Result<NodeId> from = parse_node(fields[0], line);
    if (!from) return from.error();
    const Result<NodeId> to = parse_node(fields[1], line);
    if (!to) return to.error();
    if (from.value() == to.value()) {
      return at_line(
          line,
          fmt::format("node {} is joined to itself; its own weight is what its edges leave of 1",
                      from.value()));
    }
    Entry entry{from.value(), to.value(), std::nullopt, line};
    if (fields.size() == 2) return entry;
    entry.weight = parse_number<double>(fields[2]);
    // Written so that NaN fails. An edge of weight 0 would cost messages and mix nothing.
    if (!entry.weight || !(*entry.weight > 0.0 && *entry.weight <= 1.0)) {
      return at_line(
          line, fmt::format("a weight is a number above 0 and at most 1, not '{}'", fields[2]));
    }
    return entry;
  }

  Result<void> add(const Entry& entry) {
    if (!edges_.empty()) {
      const Entry& other = edges_.begin()->second;
      if (other.weight.has_value() != entry.weight.has_value()) {
        return at_line(
            entry.line,
            fmt::format("this edge has {} weight, unlike that on line {}: give all or none",
                        entry.weight ? "a" : "no", other.line));
      }
    }
    const auto [place, is_new] = edges_.try_emplace(pair_of(entry.from, entry.to), entry);
    if (!is_new) return check_repeated(place->second, entry);
    for (const NodeId node : {entry.from, entry.to}) {
      if (Result<void> summed = add_to_sum(node, entry); !summed) return summed;
    }
    return {};
  }

  // Many files list both directions: that is one edge, if they agree.
  [[nodiscard]] Result<void> check_repeated(Entry& earlier, const Entry& entry) const {
    if (earlier.from == entry.from || earlier.given_both_ways) {
      return at_line(entry.line,
                     fmt::format("the edge from {} to {} was given before", entry.from, entry.to));
    }
    earlier.given_both_ways = true;
    if (earlier.weight != entry.weight) {
      return at_line(
          entry.line,
          fmt::format("weights must be symmetric: {} from {} to {}, but {} back on line {}",
                      *entry.weight, entry.from, entry.to, *earlier.weight, earlier.line));
    }
    return {};
  }

  Result<void> add_to_sum(NodeId node, const Entry& entry) {
    if (node >= first_lines_.size()) {
      first_lines_.resize(node + std::size_t{1}, 0);
      sums_.resize(node + std::size_t{1}, 0.0);
    }
    if (first_lines_[node] == 0) first_lines_[node] = entry.line;
    sums_[node] += entry.weight.value_or(0.0);
    if (sums_[node] <= 1.0 + kRowTolerance) return {};
    return at_line(entry.line, fmt::format("the weights of node {} sum to {:.6g}, more than 1",
                                           node, sums_[node]));
  }

  std::string path_;
  std::optional<NodeId> nodes_;
  std::map<NodePair, Entry> edges_;
  std::vector<std::size_t> first_lines_;  // by node; 0 where no line names it
  std::vector<double> sums_;              // by node
};

}  // namespace

Result<std::unique_ptr<Topology>> make_file(TopologyRequest& request) {
  const std::string path = request.options.raw();
  if (path.empty()) return Error{"file needs a path, as in file:graph.txt"};
  EdgeList edges(path, request.nodes);
  if (const Result<void> read = edges.read(); !read) return read.error();

  const Graph graph = edges.graph();
  const std::vector<double> weights = edges.weights();
  std::unique_ptr<Topology> topology = make_constant(
      "file:" + path, weights.empty() ? metropolis_weights(graph) : given_weights(graph, weights),
      std::nullopt);
  if (const std::optional<NodeId> node = find_unreachable(*topology))
    return edges.describe_unreachable(*node);
  return topology;
}

}  // namespace gossamer
