#pragma once

#include "gossamer/compress/factories.hpp"

namespace gossamer {

/// A selector followed by a dense operator on the values that it keeps; `values` is made for
/// selector->kept() elements. Refuses a pair for which no error bound holds.
[[nodiscard]] Result<DensePtr> make_sparse(SelectorPtr selector, DensePtr values);

}  // namespace gossamer
