#include "gossamer/hunt/hunt.hpp"

#include <algorithm>
#include <array>
#include <functional>

#include <fmt/format.h>

#include "gossamer/base/text/parse_number.hpp"

namespace gossamer {
namespace {

struct Setting {
  std::string_view name;
  std::function<std::string(const Hunt&)> write;
  /// False: not a value of this kind.
  std::function<bool(Hunt&, std::string_view)> read;
};

template <typename Number>
Setting number_setting(std::string_view name, Number Hunt::*field) {
  return {name, [field](const Hunt& hunt) { return fmt::format("{}", hunt.*field); },
          [field](Hunt& hunt, std::string_view text) {
            const auto number = parse_number<Number>(text);
            if (number) hunt.*field = *number;
            return number.has_value();
          }};
}

Setting text_setting(std::string_view name, std::string Hunt::*field) {
  return {name, [field](const Hunt& hunt) { return hunt.*field; },
          [field](Hunt& hunt, std::string_view text) {
            hunt.*field = text;
            return true;
          }};
}

Setting mended_setting() {
  return {"mended",
          [](const Hunt& hunt) {
            return hunt.mended_at
                       ? fmt::format("{:.3f}", seconds(hunt.mended_at->time_since_epoch()))
                       : std::string("never");
          },
          [](Hunt& hunt, std::string_view text) {
            const auto time = parse_number<double>(text);
            if (time) hunt.mended_at = Time{} + from_seconds(*time);
            if (text == "never") hunt.mended_at = std::nullopt;
            return time || text == "never";
          }};
}

const std::array<Setting, 7>& settings() {
  static const std::array<Setting, 7> all = {text_setting("algorithm", &Hunt::algorithm),
                                             text_setting("compressor", &Hunt::compressor),
                                             text_setting("topology", &Hunt::topology),
                                             number_setting("nodes", &Hunt::nodes),
                                             number_setting("rounds", &Hunt::rounds),
                                             number_setting("seed", &Hunt::seed),
                                             mended_setting()};
  return all;
}

std::string_view trimmed(std::string_view line) {
  line = line.substr(0, line.find('#'));
  while (!line.empty() && line.back() == ' ')
    line.remove_suffix(1);
  while (!line.empty() && line.front() == ' ')
    line.remove_prefix(1);
  return line;
}

Result<void> read_line(Hunt& hunt, std::string_view line) {
  const std::size_t space = std::min(line.find(' '), line.size());
  const auto setting = std::ranges::find(settings(), line.substr(0, space), &Setting::name);
  if (setting == settings().end()) {
    Result<Fault> fault = read_fault(line);
    if (!fault) return fault.error();
    hunt.faults.push_back(std::move(fault).value());
    return {};
  }
  if (setting->read(hunt, trimmed(line.substr(space)))) return {};
  return Error{fmt::format("'{}': that is no value of '{}'", line, setting->name)};
}

Result<void> check_nodes(const Hunt& hunt) {
  for (const Fault& fault : hunt.faults) {
    NodeId most = std::max(fault.node, fault.other);
    for (const NodeId node : fault.part)
      most = std::max(most, node);
    if (most >= hunt.nodes) {
      return Error{fmt::format("'{}': the nodes are 0 to {}", text_of(fault), hunt.nodes - 1)};
    }
  }
  return {};
}

}  // namespace

std::string text_of(const Hunt& hunt) {
  std::string text;
  for (const Setting& setting : settings())
    text += fmt::format("{} {}\n", setting.name, setting.write(hunt));
  for (const Fault& fault : hunt.faults)
    text += text_of(fault) + "\n";
  return text;
}

Result<Hunt> read_hunt(std::string_view text) {
  Hunt hunt;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) continue;
    if (const Result<void> read = read_line(hunt, line); !read) return read.error();
  }
  if (hunt.nodes == 0) return Error{"a hunt has at least one node"};
  if (const Result<void> nodes = check_nodes(hunt); !nodes) return nodes.error();
  return hunt;
}

}  // namespace gossamer
