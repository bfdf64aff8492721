#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gossamer/base/text/parse_number.hpp"
#include "gossamer/base/text/suggest.hpp"
#include "gossamer/settings/config_fields.hpp"

namespace gossamer {

// The kinds of values that a key can have: how each is read, refused and written.

inline Error bad_value(std::string_view what, std::string_view text) {
  return Error{fmt::format("must be {}, not '{}'", what, text)};
}

// "a whole number from 1 to 8", or "from 1 on" where there is no largest.
template <typename Number>
std::string range_text(Number least, Number most) {
  const std::string_view kind = std::is_integral_v<Number> ? "a whole number" : "a number";
  if (most == std::numeric_limits<Number>::max()) return fmt::format("{} from {} on", kind, least);
  return fmt::format("{} from {} to {}", kind, least, most);
}

template <typename Number>
Result<void> set_number(Number& number, std::string_view text, Number least, Number most) {
  const std::optional<Number> value = parse_number<Number>(text);
  if (!value || !(*value >= least && *value <= most))
    return bad_value(range_text(least, most), text);
  number = *value;
  return {};
}

template <typename Number>
Result<void> set_list(std::vector<Number>& list, std::string_view text, Number least, Number most) {
  std::vector<Number> numbers;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    Number number{};
    const Result<void> set = set_number(number, text.substr(0, comma), least, most);
    if (!set) return set;
    numbers.push_back(number);
    text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
  }
  list = std::move(numbers);
  return {};
}

/// Builds fields one after the other; each function is one kind of value.
class FieldList {
 public:
  /// Whether the keys that follow decide what is computed.
  FieldList& that_decide(Decides decides) {
    decides_ = decides;
    return *this;
  }

  /// Whether the keys that follow mean something to a loop of somebody's own, who has a model, data
  /// and measurements of his own.
  FieldList& of_own_loops(bool used) {
    of_own_loops_ = used;
    return *this;
  }

  FieldList& text(ConfigKey key, std::string RunConfig::*member,
                  std::vector<std::string> choices = {}) {
    return add(
        std::move(key), Form::kText,
        [member, choices](RunConfig& config, std::string_view value) -> Result<void> {
          if (!choices.empty() && !std::ranges::count(choices, std::string(value)))
            return Error{unknown_name("value", value, choices)};
          config.*member = value;
          return {};
        },
        [member](const RunConfig& config) -> std::optional<std::string> {
          if ((config.*member).empty()) return std::nullopt;
          return config.*member;
        });
  }

  template <typename Number>
  FieldList& number(ConfigKey key, Number RunConfig::*member, Number least, Number most) {
    return add(
        std::move(key), Form::kNumber,
        [=](RunConfig& config, std::string_view value) {
          return set_number(config.*member, value, least, most);
        },
        [member](const RunConfig& config) { return fmt::format("{}", config.*member); });
  }

  template <typename Number>
  FieldList& optional_number(ConfigKey key, std::optional<Number> RunConfig::*member, Number least,
                             Number most) {
    return add(
        std::move(key), Form::kNumber,
        [=](RunConfig& config, std::string_view value) {
          Number number{};
          Result<void> set = set_number(number, value, least, most);
          if (set) config.*member = number;
          return set;
        },
        [member](const RunConfig& config) -> std::optional<std::string> {
          if (!(config.*member)) return std::nullopt;
          return fmt::format("{}", *(config.*member));
        });
  }

  template <typename Number>
  FieldList& list(ConfigKey key, std::vector<Number> RunConfig::*member, Number least,
                  Number most) {
    return add(
        std::move(key), Form::kList,
        [=](RunConfig& config, std::string_view value) {
          return set_list(config.*member, value, least, most);
        },
        [member](const RunConfig& config) -> std::optional<std::string> {
          if ((config.*member).empty()) return std::nullopt;
          return fmt::format("{}", fmt::join(config.*member, ","));
        });
  }

  /// A quantity with a unit, wherever in the config `member` finds it.
  template <typename Quantity, typename Member>
  FieldList& quantity(ConfigKey key, Member member, Result<Quantity> (*parse)(std::string_view),
                      std::string (*format)(Quantity)) {
    return add(
        std::move(key), Form::kText,
        [member, parse](RunConfig& config, std::string_view value) -> Result<void> {
          Result<Quantity> parsed = parse(value);
          if (!parsed) return parsed.error();
          member(config) = parsed.value();
          return {};
        },
        [member, format](const RunConfig& config) { return format(member(config)); });
  }

  FieldList& add(ConfigKey key, Form form,
                 std::function<Result<void>(RunConfig&, std::string_view)> set,
                 std::function<std::optional<std::string>(const RunConfig&)> value_text) {
    key.in_own_loop = of_own_loops_;
    fields_.push_back({std::move(key), form, decides_, std::move(set), std::move(value_text)});
    return *this;
  }

  [[nodiscard]] std::vector<Field> take() { return std::move(fields_); }

 private:
  Decides decides_ = Decides::kResult;
  bool of_own_loops_ = false;
  std::vector<Field> fields_;
};

}  // namespace gossamer
