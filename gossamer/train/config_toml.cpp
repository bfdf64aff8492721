#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "gossamer/base/file.hpp"
#include "gossamer/base/suggest.hpp"
#include "gossamer/base/units.hpp"
#include "gossamer/train/config.hpp"
#include "gossamer/train/config_fields.hpp"

namespace gossamer {
namespace {

Error at(const toml::node& node, std::string_view key, std::string_view what) {
  return Error{fmt::format("line {}: {}: {}", node.source().begin.line, key, what)};
}

/// The text that `--set` would have for this value; nothing for a table or a date.
std::optional<std::string> text_of(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* number = node.as_integer()) return fmt::format("{}", number->get());
  if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
  const toml::array* const list = node.as_array();
  if (list == nullptr) return std::nullopt;
  std::string joined;
  for (const toml::node& element : *list) {
    const std::optional<std::string> text = element.is_array() ? std::nullopt : text_of(element);
    if (!text) return std::nullopt;
    joined += (joined.empty() ? "" : ",") + *text;
  }
  return joined;
}

/// Reads one table of a list such as [[sim.link]]: each key at most once, none unknown.
class TableReader {
 public:
  TableReader(const toml::table& table, std::string name) : table_(table), name_(std::move(name)) {}

  template <typename Quantity>
  std::optional<Quantity> quantity(std::string_view key,
                                   Result<Quantity> (*parse)(std::string_view)) {
    const toml::node* const node = find(key);
    if (node == nullptr) return std::nullopt;
    const auto text = text_of(*node);
    const Result<Quantity> parsed = parse(text.value_or(""));
    if (parsed) return parsed.value();
    refuse(at(*node, full(key), parsed.error().message));
    return std::nullopt;
  }

  NodeId id(std::string_view key) { return id_of(find(key), key); }

  std::pair<NodeId, NodeId> two_ids(std::string_view key) {
    const toml::node* const node = find(key);
    const toml::array* const list = node == nullptr ? nullptr : node->as_array();
    if (list == nullptr || list->size() != 2) {
      refuse(at(node == nullptr ? table_ : *node, full(key), "must be two node ids, as [0, 1]"));
      return {};
    }
    return {id_of(list->get(0), key), id_of(list->get(1), key)};
  }

  void require(bool present, std::string_view key) {
    if (!present) refuse(at(table_, full(key), "is missing"));
  }

  Result<void> finish() const {
    if (mistake_) return *mistake_;
    for (const auto& [key, node] : table_) {
      if (!std::ranges::count(asked_, std::string(key.str())))
        return at(node, name_, unknown_name("key", key.str(), asked_));
    }
    return {};
  }

 private:
  std::string full(std::string_view key) const { return fmt::format("{}.{}", name_, key); }

  const toml::node* find(std::string_view key) {
    asked_.emplace_back(key);
    return table_.get(key);
  }

  NodeId id_of(const toml::node* node, std::string_view key) {
    const auto* const number = node == nullptr ? nullptr : node->as_integer();
    if (number != nullptr && number->get() >= 0 &&
        number->get() <= std::numeric_limits<std::int32_t>::max())
      return static_cast<NodeId>(number->get());
    refuse(at(node == nullptr ? table_ : *node, full(key), "must be the id of a node"));
    return 0;
  }

  void refuse(Error error) {
    if (!mistake_) mistake_ = std::move(error);
  }

  const toml::table& table_;
  std::string name_;
  std::vector<std::string> asked_;
  std::optional<Error> mistake_;
};

Time as_time(std::optional<Duration> since_start) {
  return Time(since_start.value_or(Duration{}));
}

Result<void> read_sim_entry(RunConfig& config, std::string_view list, const toml::table& table) {
  TableReader reader(table, fmt::format("sim.{}", list));
  if (list == "node") {
    const NodeId id = reader.id("id");
    const auto compute = reader.quantity<Duration>("compute", parse_duration);
    reader.require(compute.has_value(), "compute");
    config.compute.per_node.emplace_back(id, compute.value_or(Duration{}));
  } else if (list == "link") {
    const auto [a, b] = reader.two_ids("between");
    config.sim.links.push_back({a, b, reader.quantity<double>("bandwidth", parse_bandwidth),
                                reader.quantity<Duration>("latency", parse_duration)});
  } else if (list == "outage") {
    const auto [a, b] = reader.two_ids("between");
    const auto from = reader.quantity<Duration>("from", parse_duration);
    const auto until = reader.quantity<Duration>("until", parse_duration);
    reader.require(from.has_value(), "from");
    config.sim.outages.push_back(
        {a, b, as_time(from), until ? std::optional(as_time(until)) : std::nullopt});
  } else {
    const NodeId node = reader.id("node");
    const auto when = reader.quantity<Duration>("at", parse_duration);
    reader.require(when.has_value(), "at");
    config.sim.failures.push_back({node, as_time(when)});
  }
  return reader.finish();
}

const std::vector<std::string>& sim_lists() {
  static const std::vector<std::string> names = {"sim.node", "sim.link", "sim.outage",
                                                 "sim.failure"};
  return names;
}

// A file says a list as a whole: what was there before goes.
Result<void> read_sim_list(RunConfig& config, std::string_view name, const toml::node& node) {
  const toml::array* const list = node.as_array();
  if (list == nullptr || (!list->empty() && !node.is_array_of_tables()))
    return at(node, name, fmt::format("is a list of tables: write [[{}]]", name));
  const std::string_view kind = name.substr(name.find('.') + 1);
  if (kind == "node") config.compute.per_node.clear();
  if (kind == "link") config.sim.links.clear();
  if (kind == "outage") config.sim.outages.clear();
  if (kind == "failure") config.sim.failures.clear();
  for (const toml::node& entry : *list) {
    if (const Result<void> read = read_sim_entry(config, kind, *entry.as_table()); !read)
      return read;
  }
  return {};
}

Result<void> read_key(RunConfig& config, const std::string& key, const toml::node& node) {
  const Field* const field = find_field(key);
  if (field == nullptr) {
    std::vector<std::string> names = sim_lists();
    for (const Field& candidate : config_fields())
      names.push_back(candidate.key.name);
    return Error{unknown_name("key", key, names)};
  }
  const std::optional<std::string> text = text_of(node);
  if (!text || (node.is_array() && field->form != Form::kList)) {
    return Error{fmt::format(
        "{}: must be {}", key,
        field->form == Form::kList ? "a list of numbers" : "one value, text or a number")};
  }
  return set_config(config, key, *text);
}

Result<void> read_table(RunConfig& config, const toml::table& table, const std::string& prefix) {
  for (const auto& [name, node] : table) {
    const std::string key = prefix + std::string(name.str());
    if (const toml::table* const inner = node.as_table(); inner != nullptr && prefix.empty()) {
      if (const Result<void> read = read_table(config, *inner, key + "."); !read) return read;
      continue;
    }
    if (std::ranges::count(sim_lists(), key) > 0) {
      if (const Result<void> read = read_sim_list(config, key, node); !read) return read;
      continue;
    }
    if (const Result<void> read = read_key(config, key, node); !read)
      return Error{fmt::format("line {}: {}", node.source().begin.line, read.error().message)};
  }
  return {};
}

}  // namespace

Result<void> read_config(RunConfig& config, const std::string& path) {
  // Not toml::parse_file(): to it a folder is an empty file.
  const auto file = read_file(path);
  if (!file) return file.error();
  const std::string text(file.value().begin(), file.value().end());
  try {
    const toml::table table = toml::parse(text, path);
    const Result<void> read = read_table(config, table, "");
    if (!read) return Error{fmt::format("{}: {}", path, read.error().message)};
  } catch (const toml::parse_error& error) {
    const auto& begin = error.source().begin;
    return Error{fmt::format("{}: line {}, column {}: {}", path, begin.line, begin.column,
                             error.description())};
  }
  return {};
}

}  // namespace gossamer
