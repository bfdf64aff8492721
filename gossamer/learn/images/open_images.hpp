#pragma once

#include <string>

#include "gossamer/base/result.hpp"
#include "gossamer/learn/images/image_set.hpp"

namespace gossamer {

/// Both parts of a set of pictures. `data` is the name of a set that a Debian package brings,
/// `fashion-mnist`, or a folder whose form is recognised by what is in it: IDX files, CIFAR-10's
/// binary files, or folders of classes. docs/data.md lists the forms.
///
/// Neither part is empty, both have one shape, and every label is below `classes`, which both
/// share. An error names the folder or the file and what is wrong with it.
[[nodiscard]] Result<ImageData> open_images(const std::string& data);

}  // namespace gossamer
