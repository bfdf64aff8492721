#include "gossamer/compress/kept_count.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace gossamer {

KeptCount read_kept_count(Options& options, Target target) {
  const auto count = options.integer("k", 1, std::numeric_limits<std::uint32_t>::max());
  // A fraction of 0 keeps nothing, and nothing would ever be learnt.
  const auto fraction =
      options.positional_number("fraction", std::numeric_limits<double>::min(), 1.0);
  if (count.has_value() == fraction.has_value()) {
    options.refuse(fmt::format(
        "{} needs how many entries to keep: a fraction, as in {}:0.01, or a number, as in {}:k=50",
        options.owner(), options.owner(), options.owner()));
    return {};
  }
  if (fraction) {
    const auto share =
        static_cast<std::size_t>(std::floor(*fraction * static_cast<double>(target.size)));
    return {std::min(target.size, std::max<std::size_t>(1, share)), fmt::format("{}", *fraction)};
  }
  if (*count > target.size && !target.is_block) {
    options.refuse(fmt::format("{}: k = {} exceeds the vector's {} elements", options.owner(),
                               *count, target.size));
    return {};
  }
  return {std::min<std::size_t>(*count, target.size), fmt::format("k={}", *count)};
}

}  // namespace gossamer
