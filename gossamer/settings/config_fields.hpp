#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/settings/config.hpp"

namespace gossamer {

/// What a key's value looks like in TOML.
enum class Form { kText, kNumber, kList };

/// Whether a key decides what is computed.
enum class Decides { kResult, kNothing };

struct Field {
  ConfigKey key;
  Form form;
  Decides decides;
  std::function<Result<void>(RunConfig&, std::string_view)> set;
  /// Nothing: not set, and left out of files.
  std::function<std::optional<std::string>(const RunConfig&)> text;
};

/// Every key of a config, in the order of files.
[[nodiscard]] const std::vector<Field>& config_fields();

/// The key of this name, or nullptr.
[[nodiscard]] const Field* find_field(std::string_view name);

}  // namespace gossamer
