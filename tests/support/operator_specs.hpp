#pragma once

#include <string>
#include <vector>

#include "gossamer/compress/registry.hpp"
#include "gossamer/math/layout.hpp"

namespace gossamer::testing {

/// Every registered operator by its example, and the forms that differ in code: widths, buckets,
/// scaling, compositions.
inline std::vector<std::string> operator_specs() {
  std::vector<std::string> specs;
  for (const CompressorInfo& info : compressors())
    specs.push_back(info.example);
  for (const char* form : {"topk:0.3",
                           "topk:1",
                           "randk:0.25,unbiased",
                           "randk:0.9",
                           "drop:0.5,unbiased",
                           "drop:1",
                           "qsgd:2",
                           "qsgd:8,bucket=128",
                           "qsgd:s=5",
                           "qsgd:s=256",
                           "qsgd:4,unscaled",
                           "qsgd:5,bucket=100,unscaled",
                           "qsgd:16,unscaled",
                           "sign:m=2",
                           "minmax:1",
                           "minmax:3",
                           "minmax:4",
                           "minmax:16",
                           "minmax:8,nearest",
                           "topk:0.1+qsgd:4",
                           "topk:0.1+sign",
                           "topk:0.05+minmax:8",
                           "randk:0.1+qsgd:4",
                           "randk:0.5,unbiased+qsgd:8,unscaled",
                           "layerwise:topk:0.05",
                           "layerwise:randk:k=7",
                           "layerwise:drop:0.3",
                           "layerwise,dense1d,min=10:qsgd:4"}) {
    specs.emplace_back(form);
  }
  return specs;
}

/// A matrix and a bias, so that `layerwise` has something to do; flat for all others.
inline Layout layout_of(std::size_t size) {
  Layout layout;
  const std::size_t columns = size / 6;
  layout.add("weight", {5, columns});
  layout.add("bias", {size - 5 * columns});
  return layout;
}

}  // namespace gossamer::testing
