#pragma once

#include <utility>

#include "apps/command.hpp"
#include <fmt/format.h>

namespace gossamer::cli {

/// What an option says; throws BadInput, with the option's name, if it says nothing that we can
/// use.
template <typename T>
[[nodiscard]] T option_value(const char* option, Result<T> result) {
  if (!result) throw BadInput(fmt::format("{}: {}", option, result.error().message));
  return std::move(result).value();
}

}  // namespace gossamer::cli
