#pragma once

#include <string>

#include "gossamer/base/result.hpp"
#include "gossamer/learn/convex/dataset.hpp"

namespace gossamer {

/// Reads a file of the LIBSVM format, one sample on each line:
///
///   label index:value index:value ...   # a comment
///
/// Labels are any finite numbers. Indices count from 1 and grow along the line; a feature that is
/// not there is 0. Blank lines and comments do not count. Strict: whatever else it finds is an
/// error that names the file, the line and what is wrong.
[[nodiscard]] Result<Dataset> read_libsvm(const std::string& path);

}  // namespace gossamer
