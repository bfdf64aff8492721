#include "gossamer/settings/method_spec.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gossamer/algorithms/registry.hpp"
#include "gossamer/base/text/parse_number.hpp"

namespace gossamer {
namespace {

bool begins_a_method(std::string_view text) {
  const std::string_view name = text.substr(0, text.find_first_of(":/@*"));
  return std::ranges::any_of(algorithms(),
                             [&](const AlgorithmInfo& info) { return info.name == name; });
}

// A comma also separates the options of an algorithm or a compressor: only one before the name of
// an algorithm begins another method.
std::vector<std::string> split_methods(std::string_view text) {
  std::vector<std::string> methods;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view part = text.substr(0, comma);
    if (methods.empty() || begins_a_method(part)) {
      methods.emplace_back(part);
    } else {
      methods.back() += fmt::format(",{}", part);
    }
    text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
  }
  return methods;
}

// What stands behind the last mark of this kind, which is cut off; nothing: there is none.
std::string_view cut_behind(std::string_view& text, std::size_t mark) {
  if (mark == std::string_view::npos) return {};
  const std::string_view behind = text.substr(mark + 1);
  text = text.substr(0, mark);
  return behind;
}

Result<MethodSpec> parse_method(std::string_view text) {
  MethodSpec method;
  std::string_view rest = text;
  method.gamma = cut_behind(rest, rest.rfind('@'));
  if (const std::string_view steps = cut_behind(rest, rest.rfind('*')); !steps.empty()) {
    const auto number = parse_number<Round>(steps);
    if (!number || *number == 0) {
      return Error{fmt::format("'{}': behind the star stands a number of local steps, not '{}'",
                               text, steps)};
    }
    method.local_steps = *number;
  }
  if (const std::string_view compressor = cut_behind(rest, rest.find('/')); !compressor.empty())
    method.compressor = compressor;
  method.algorithm = rest;
  if (const Result<AlgorithmInfo> known = find_algorithm(method.algorithm); !known)
    return known.error();
  return method;
}

}  // namespace

std::string MethodSpec::text() const {
  std::string text = algorithm;
  if (compressor != "identity") text += "/" + compressor;
  if (local_steps > 1) text += fmt::format("*{}", local_steps);
  if (!gamma.empty()) text += "@" + gamma;
  return text;
}

Result<std::vector<MethodSpec>> parse_methods(std::string_view text) {
  std::vector<MethodSpec> methods;
  for (const std::string& part : split_methods(text)) {
    Result<MethodSpec> method = parse_method(part);
    if (!method) return method.error();
    methods.push_back(std::move(method).value());
  }
  return methods;
}

}  // namespace gossamer
