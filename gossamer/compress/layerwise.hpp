#pragma once

#include <functional>
#include <string_view>

#include "gossamer/compress/factories.hpp"
#include "gossamer/math/layout.hpp"

namespace gossamer {

/// Makes the operator for one block.
using BlockFactory = std::function<Result<DensePtr>(std::string_view spec, Target target)>;

/// `layerwise:topk:0.01` or `layerwise,dense1d,min=256:topk:0.01`: every block of the layout on its
/// own; `dense1d` sends one-dimensional blocks as they are, `min=` those with fewer elements.
[[nodiscard]] bool is_layerwise(std::string_view spec);
[[nodiscard]] Result<DensePtr> make_layerwise(std::string_view spec, const Layout& layout,
                                              const BlockFactory& make_block);

}  // namespace gossamer
