#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "gossamer/base/result.hpp"
#include "gossamer/compress/compressor.hpp"
#include "gossamer/math/layout.hpp"

namespace gossamer {

/// One operator of registry.def.
struct CompressorInfo {
  std::string name;
  std::string example;
  std::string summary;
  bool is_selector = false;
};

/// All operators there are, in the order in which users read about them.
[[nodiscard]] std::span<const CompressorInfo> compressors();

/// An operator for vectors of the layout, from its spec string:
///
///     spec     := ["layerwise" {"," option} ":"] operator
///     operator := dense | selector ["+" dense]
///     dense, selector := name [":" option {"," option}]
///
/// Without `layerwise` the vector is compressed as a whole. An unknown name or option is an error
/// that suggests the nearest valid one.
[[nodiscard]] Result<std::unique_ptr<const Compressor>> make_compressor(std::string_view spec,
                                                                        const Layout& layout);

}  // namespace gossamer
