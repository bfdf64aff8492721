#include "gossamer/base/text/options.hpp"

#include <cmath>

#include <fmt/format.h>

#include "gossamer/base/text/parse_number.hpp"
#include "gossamer/base/text/suggest.hpp"

namespace gossamer {

Options::Options(std::string_view owner, std::string_view text) : owner_(owner), raw_(text) {
  // A comma promises another item, so `0.01,` ends in an empty one; no text at all has no items.
  for (bool more = !text.empty(); more;) {
    const std::size_t comma = text.find(',');
    const std::string_view item = text.substr(0, comma);
    more = comma != std::string_view::npos;
    if (more) text.remove_prefix(comma + 1);
    const std::size_t equals = item.find('=');
    if (item.empty()) {
      refuse(fmt::format("'{}:{}' has an empty option", owner_, raw_));
    } else if (equals == 0) {
      refuse(fmt::format("'{}:{}' has a value without a name before its '='", owner_, raw_));
    } else if (equals == std::string_view::npos) {
      entries_.push_back({"", std::string(item)});
    } else {
      entries_.push_back(
          {std::string(item.substr(0, equals)), std::string(item.substr(equals + 1))});
    }
  }
}

bool Options::flag(std::string_view name) {
  asked_.emplace_back(name);
  bool found = false;
  for (Entry& entry : entries_) {
    if (!entry.key.empty() || entry.value != name) continue;
    if (found) refuse(fmt::format("{}: '{}' is given twice", owner_, name));
    entry.used = found = true;
  }
  return found;
}

std::optional<std::uint64_t> Options::integer(std::string_view name, std::uint64_t least,
                                              std::uint64_t most) {
  asked_.push_back(fmt::format("{}=", name));
  const Entry* const entry = find_key(name);
  return entry == nullptr ? std::nullopt : integer_in(name, *entry, least, most);
}

std::optional<double> Options::number(std::string_view name, double least, double most) {
  asked_.push_back(fmt::format("{}=", name));
  const Entry* const entry = find_key(name);
  return entry == nullptr ? std::nullopt : number_in(name, *entry, least, most);
}

std::optional<std::string> Options::text(std::string_view name) {
  asked_.push_back(fmt::format("{}=", name));
  const Entry* const entry = find_key(name);
  if (entry == nullptr) return std::nullopt;
  if (entry->value.empty()) refuse(fmt::format("{}: nothing follows '{}='", owner_, name));
  return entry->value;
}

std::optional<std::uint64_t> Options::positional_integer(std::string_view meaning,
                                                         std::uint64_t least, std::uint64_t most) {
  const Entry* const entry = find_positional();
  return entry == nullptr ? std::nullopt : integer_in(meaning, *entry, least, most);
}

std::optional<double> Options::positional_number(std::string_view meaning, double least,
                                                 double most) {
  const Entry* const entry = find_positional();
  return entry == nullptr ? std::nullopt : number_in(meaning, *entry, least, most);
}

std::optional<std::string> Options::positional_text() {
  const Entry* const entry = find_positional();
  return entry == nullptr ? std::nullopt : std::optional(entry->value);
}

void Options::refuse(std::string sentence) {
  if (!mistake_) mistake_ = Error{std::move(sentence)};
}

Result<void> Options::finish() const {
  if (mistake_) return *mistake_;
  for (const Entry& entry : entries_) {
    if (entry.used) continue;
    const std::string name = entry.key.empty() ? entry.value : entry.key + "=";
    if (asked_.empty()) return Error{fmt::format("{} takes no option '{}'", owner_, name)};
    return Error{unknown_name(fmt::format("option of {}", owner_), name, asked_)};
  }
  return {};
}

Options::Entry* Options::find_key(std::string_view name) {
  Entry* found = nullptr;
  for (Entry& entry : entries_) {
    if (entry.key != name) continue;
    if (found != nullptr) refuse(fmt::format("{}: '{}=' is given twice", owner_, name));
    entry.used = true;
    found = &entry;
  }
  return found;
}

// The positional value comes first, as in `qsgd:4,bucket=512`: a later bare word is a flag.
Options::Entry* Options::find_positional() {
  if (entries_.empty() || !entries_.front().key.empty() || entries_.front().used) return nullptr;
  entries_.front().used = true;
  return &entries_.front();
}

std::optional<std::uint64_t> Options::integer_in(std::string_view name, const Entry& entry,
                                                 std::uint64_t least, std::uint64_t most) {
  const auto value = parse_number<std::uint64_t>(entry.value);
  if (value && *value >= least && *value <= most) return value;
  refuse(fmt::format("{}: {} must be a whole number from {} to {}, not '{}'", owner_, name, least,
                     most, entry.value));
  return std::nullopt;
}

std::optional<double> Options::number_in(std::string_view name, const Entry& entry, double least,
                                         double most) {
  const auto value = parse_number<double>(entry.value);
  if (value && std::isfinite(*value) && *value >= least && *value <= most) return value;
  refuse(fmt::format("{}: {} must be a number from {} to {}, not '{}'", owner_, name, least, most,
                     entry.value));
  return std::nullopt;
}

NamedOptions split_spec(std::string_view spec) {
  const std::size_t colon = spec.find(':');
  const std::string_view name = spec.substr(0, colon);
  const std::string_view text =
      colon == std::string_view::npos ? std::string_view{} : spec.substr(colon + 1);
  Options options(name, text);
  if (colon != std::string_view::npos && text.empty())
    options.refuse(fmt::format("nothing follows the colon of '{}'", spec));
  return {std::string(name), std::move(options)};
}

}  // namespace gossamer
