#include "gossamer/settings/toml_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "gossamer/base/file.hpp"
#include "gossamer/base/text/suggest.hpp"
#include "gossamer/settings/toml_depth.hpp"

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

Result<void> parse_toml(const std::string& name, std::string_view text,
                        const std::function<Result<void>(const toml::table&)>& read) {
  // The parser takes room on the stack for each level.
  if (const Result<void> flat = refuse_deep_toml(text); !flat)
    return Error{fmt::format("{}: {}", name, flat.error().message)};
  try {
    const toml::table table = toml::parse(text, name);
    const Result<void> done = read(table);
    if (!done) return Error{fmt::format("{}: {}", name, done.error().message)};
  } catch (const toml::parse_error& error) {
    const auto& begin = error.source().begin;
    return Error{fmt::format("{}: line {}, column {}: {}", name, begin.line, begin.column,
                             error.description())};
  }
  return {};
}

Result<void> read_toml(const std::string& path,
                       const std::function<Result<void>(const toml::table&)>& read) {
  // Not toml::parse_file(): to it a folder is an empty file.
  const auto file = read_file(path);
  if (!file) return file.error();
  return parse_toml(path, std::string(file.value().begin(), file.value().end()), read);
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

std::vector<std::string> TomlTable::texts(std::string_view key) {
  const toml::node* const node = find(key);
  if (node == nullptr) return {};
  std::vector<std::string> texts;
  const toml::array* const list = node->as_array();
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    const auto* const text = list->get(i)->as_string();
    if (text != nullptr) texts.push_back(text->get());
  }
  if (list == nullptr || texts.size() != list->size())
    refuse(toml_error(*node, full(key), "must be a list of texts, as [\"one\", \"two\"]"));
  return texts;
}

std::optional<double> TomlTable::number(std::string_view key) {
  const toml::node* const node = find(key);
  if (node == nullptr) return std::nullopt;
  const std::optional<double> number = node->is_number() ? node->value<double>() : std::nullopt;
  if (!number || !std::isfinite(*number))
    refuse(toml_error(*node, full(key), "must be a finite number"));
  return number;
}

std::optional<bool> TomlTable::yes_or_no(std::string_view key) {
  const toml::node* const node = find(key);
  if (node == nullptr) return std::nullopt;
  const auto* const value = node->as_boolean();
  if (value != nullptr) return value->get();
  refuse(toml_error(*node, full(key), "must be true or false"));
  return std::nullopt;
}

const toml::table* TomlTable::table(std::string_view key) {
  const toml::node* const node = find(key);
  if (node == nullptr) return nullptr;
  if (node->is_table()) return node->as_table();
  refuse(toml_error(*node, full(key), fmt::format("is a table: write [{}]", full(key))));
  return nullptr;
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
  if (!present) refuse(key, "is missing");
}

void TomlTable::refuse(std::string_view key, std::string_view what) {
  const toml::node* const node = table_.get(key);
  refuse(toml_error(node == nullptr ? table_ : *node, full(key), what));
}

Result<void> TomlTable::so_far() const {
  if (mistake_) return *mistake_;
  return {};
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
