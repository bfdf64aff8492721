#include "gossamer/train/toml_table.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "gossamer/base/file.hpp"
#include "gossamer/base/suggest.hpp"

namespace gossamer {

Error toml_error(const toml::node& node, std::string_view key, std::string_view what) {
  return Error{
      fmt::format("line {}: {}{}{}", node.source().begin.line, key, key.empty() ? "" : ": ", what)};
}

std::optional<std::string> toml_text(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* number = node.as_integer()) return fmt::format("{}", number->get());
  if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
  const toml::array* const list = node.as_array();
  if (list == nullptr) return std::nullopt;
  std::string joined;
  for (const toml::node& element : *list) {
    const std::optional<std::string> text = element.is_array() ? std::nullopt : toml_text(element);
    if (!text) return std::nullopt;
    joined += (joined.empty() ? "" : ",") + *text;
  }
  return joined;
}

Result<void> read_toml(const std::string& path,
                       const std::function<Result<void>(const toml::table&)>& read) {
  // Not toml::parse_file(): to it a folder is an empty file.
  const auto file = read_file(path);
  if (!file) return file.error();
  const std::string text(file.value().begin(), file.value().end());
  try {
    const toml::table table = toml::parse(text, path);
    const Result<void> done = read(table);
    if (!done) return Error{fmt::format("{}: {}", path, done.error().message)};
  } catch (const toml::parse_error& error) {
    const auto& begin = error.source().begin;
    return Error{fmt::format("{}: line {}, column {}: {}", path, begin.line, begin.column,
                             error.description())};
  }
  return {};
}

std::pair<NodeId, NodeId> TomlTable::two_ids(std::string_view key) {
  const toml::node* const node = find(key);
  const toml::array* const list = node == nullptr ? nullptr : node->as_array();
  if (list == nullptr || list->size() != 2) {
    refuse(
        toml_error(node == nullptr ? table_ : *node, full(key), "must be two node ids, as [0, 1]"));
    return {};
  }
  return {id_of(list->get(0), key), id_of(list->get(1), key)};
}

std::optional<std::string> TomlTable::text(std::string_view key) {
  const toml::node* const node = find(key);
  if (node == nullptr) return std::nullopt;
  const auto* const text = node->as_string();
  if (text != nullptr && !text->get().empty()) return text->get();
  refuse(toml_error(*node, full(key), "must be a text in quotes, and not an empty one"));
  return std::nullopt;
}

std::vector<const toml::table*> TomlTable::tables(std::string_view key) {
  const toml::node* const node = find(key);
  if (node == nullptr) return {};
  const toml::array* const list = node->as_array();
  if (list == nullptr || (!list->empty() && !node->is_array_of_tables())) {
    refuse(
        toml_error(*node, full(key), fmt::format("is a list of tables: write [[{}]]", full(key))));
    return {};
  }
  std::vector<const toml::table*> tables;
  for (const toml::node& entry : *list)
    tables.push_back(entry.as_table());
  return tables;
}

void TomlTable::require(bool present, std::string_view key) {
  if (!present) refuse(toml_error(table_, full(key), "is missing"));
}

Result<void> TomlTable::finish() const {
  if (mistake_) return *mistake_;
  for (const auto& [key, node] : table_) {
    if (!std::ranges::count(asked_, std::string(key.str())))
      return toml_error(node, name_, unknown_name("key", key.str(), asked_));
  }
  return {};
}

std::string TomlTable::full(std::string_view key) const {
  return name_.empty() ? std::string(key) : fmt::format("{}.{}", name_, key);
}

const toml::node* TomlTable::find(std::string_view key) {
  asked_.emplace_back(key);
  return table_.get(key);
}

NodeId TomlTable::id_of(const toml::node* node, std::string_view key) {
  const auto* const number = node == nullptr ? nullptr : node->as_integer();
  if (number != nullptr && number->get() >= 0 &&
      number->get() <= std::numeric_limits<std::int32_t>::max())
    return static_cast<NodeId>(number->get());
  refuse(toml_error(node == nullptr ? table_ : *node, full(key), "must be the id of a node"));
  return 0;
}

void TomlTable::refuse(Error error) {
  if (!mistake_) mistake_ = std::move(error);
}

}  // namespace gossamer
