#pragma once

#include <string>

#include "gossamer/base/result.hpp"
#include "gossamer/learn/images/image_set.hpp"

namespace gossamer {

/// CIFAR-10 in its binary form: a folder with data_batch_1.bin to data_batch_5.bin and
/// test_batch.bin, gzipped or not; each record is a class and 3 x 32 x 32 bytes. An error names the
/// file and what is wrong with it.
[[nodiscard]] Result<ImageSet> read_cifar10(const std::string& folder, Split split);

}  // namespace gossamer
