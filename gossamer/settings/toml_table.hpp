#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <toml++/toml.h>

#include "gossamer/base/ids.hpp"
#include "gossamer/base/result.hpp"

// What the files of settings, of peers and of reproductions have in common. For sources of ours:
// the only header that sees the TOML library.
namespace gossamer {

/// "line 7: sim.link.between: must be two node ids"; without a key, "line 7: must be ...".
[[nodiscard]] Error toml_error(const toml::node& node, std::string_view key, std::string_view what);

/// The text that `--set` would have for this value; nothing for a table or a date.
[[nodiscard]] std::optional<std::string> toml_text(const toml::node& node);

/// Parses a text and gives it to `read`. Every error begins with the text's name.
[[nodiscard]] Result<void> parse_toml(const std::string& name, std::string_view text,
                                      const std::function<Result<void>(const toml::table&)>& read);

/// The same for a file.
[[nodiscard]] Result<void> read_toml(const std::string& path,
                                     const std::function<Result<void>(const toml::table&)>& read);

/// Reads one table of a list such as [[sim.link]], or a whole file, which has no name: each key at
/// most once, none unknown. The first mistake is kept for finish(); what is read after one has no
/// meaning. Refers to the table.
class TomlTable {
 public:
  TomlTable(const toml::table& table, std::string name) : table_(table), name_(std::move(name)) {}

  template <typename Quantity>
  std::optional<Quantity> quantity(std::string_view key,
                                   Result<Quantity> (*parse)(std::string_view)) {
    const toml::node* const node = find(key);
    if (node == nullptr) return std::nullopt;
    const Result<Quantity> parsed = parse(toml_text(*node).value_or(""));
    if (parsed) return parsed.value();
    refuse(toml_error(*node, full(key), parsed.error().message));
    return std::nullopt;
  }

  NodeId id(std::string_view key) { return id_of(find(key), key); }

  std::pair<NodeId, NodeId> two_ids(std::string_view key);

  /// A text in quotes that is not empty.
  std::optional<std::string> text(std::string_view key);

  /// A list of such texts; empty if there is none.
  std::vector<std::string> texts(std::string_view key);

  std::optional<double> number(std::string_view key);

  std::optional<bool> yes_or_no(std::string_view key);

  /// The table under a key; nullptr if there is none.
  const toml::table* table(std::string_view key);

  /// The tables of a list; none if there is no such list.
  std::vector<const toml::table*> tables(std::string_view key);

  void require(bool present, std::string_view key);

  /// Notes a mistake in the value of a key, or in the table where the key is missing.
  void refuse(std::string_view key, std::string_view what);

  /// The mistake that was found so far.
  [[nodiscard]] Result<void> so_far() const;

  /// The mistake in this table, or the key that nobody asked for.
  [[nodiscard]] Result<void> finish() const;

 private:
  [[nodiscard]] std::string full(std::string_view key) const;
  const toml::node* find(std::string_view key);
  NodeId id_of(const toml::node* node, std::string_view key);
  void refuse(Error error);

  const toml::table& table_;
  std::string name_;
  std::vector<std::string> asked_;
  std::optional<Error> mistake_;
};

}  // namespace gossamer
