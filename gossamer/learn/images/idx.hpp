#pragma once

#include <string>

#include "gossamer/base/result.hpp"
#include "gossamer/learn/images/image_set.hpp"

namespace gossamer {

/// Pictures in the IDX format of MNIST and its relatives, gzipped or not: a folder with
/// train-images-idx3-ubyte, train-labels-idx1-ubyte and the same of t10k. An error names the file
/// and what is wrong with it.
[[nodiscard]] Result<ImageSet> read_idx(const std::string& folder, Split split);

}  // namespace gossamer
